#include "sfg/read/spice/netlist_laws.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>

#include "sfg/expr/functions.hpp"
#include "sfg/model/noise.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

constexpr const char* form_of_model = "write .model NAME D(IS=1e-14 N=1)";
constexpr const char* form_of_source = "write B1 node1 node2 I={2*v(a)^3}, or V={…}";

/// The text of the tokens: commas were dropped between words that no operator joins.
std::string text_of(NetlistTokens tokens) {
  constexpr std::string_view joins = "+-*/^(<>=";
  std::string text;
  bool after_word = false;
  for (const NetlistToken& token : tokens) {
    const bool word = token.kind != NetlistToken::Kind::sign;
    const bool joined = text.empty() || joins.find(text.back()) != std::string_view::npos ||
                        joins.find(token.text.front()) != std::string_view::npos;
    if (word && after_word && !joined) text += ',';
    text += token.text;
    after_word = word || token.is(')');
  }
  return text;
}

/// Functions of SPICE by their names here.
std::string translated(const std::string& text) {
  static const std::map<std::string, const char*> functions{{"sgn", "sign"}, {"ln", "log"}, {"u", "step"}};
  std::string result;
  for (Scan scan(text); !scan.ended();) {
    const std::string word(scan.word()), name = lower_case(word);
    if (word.empty()) {
      result += scan.next();
      scan.take(scan.next());
      continue;
    }
    Scan behind = scan;
    behind.blanks();
    const auto function = functions.find(name);
    const bool called = function != functions.end() && behind.next() == '(';
    result += called ? function->second : name == "time" ? "t" : word;
  }
  return result;
}

/// v(a, b) or i(V1) in an expression.
struct ProbeText {
  bool voltage = false;
  std::vector<std::string> names;
  std::size_t begin = 0, end = 0;
};

/// The probe whose name begins at the scan; nothing where none does.
std::optional<ProbeText> probe_at(Scan scan) {
  ProbeText probe{.voltage = scan.next() == 'v' || scan.next() == 'V', .names = {}, .begin = scan.at()};
  scan.take(scan.next());
  scan.blanks();
  if (!scan.take('(')) return {};
  do {
    scan.blanks();
    probe.names.emplace_back(scan.run([](char c) { return c != '(' && c != ')' && c != ',' && !is_blank_character(c); }));
    scan.blanks();
    if (probe.names.back().empty()) return {};
  } while (scan.take(',') && probe.names.size() < 2);
  if (!scan.take(')')) return {};
  probe.end = scan.at();
  return probe;
}

/// In the order of the text.
std::vector<ProbeText> probes(const std::string& text) {
  std::vector<ProbeText> found;
  for (Scan scan(text); !scan.ended();) {
    const Scan here = scan;
    const std::string_view word = scan.word();
    if (word.empty()) {
      scan.take(scan.next());
      continue;
    }
    if (word.size() > 1 || std::string_view("vViI").find(word[0]) == std::string_view::npos) continue;
    if (auto probe = probe_at(here)) {
      scan = Scan(text, probe->end);
      found.push_back(std::move(*probe));
    }
  }
  return found;
}

}  // namespace

StatedLaw stated_law(const NetlistToken& element, NetlistTokens rest, const SymbolTable& symbols) {
  if (rest.size() < 3 || !rest[1].is('=')) refuse(element, "element '" + element.text + "' needs I=… or V=…", form_of_source);
  StatedLaw law;
  const std::string kind = lower_case(rest[0].text);
  if (kind != "i" && kind != "v") refuse(rest[0], "entry '" + rest[0].text + "' is not expected here", form_of_source);
  law.current = kind == "i";
  const NetlistTokens stated = rest.subspan(2);
  if (stated[0].kind == NetlistToken::Kind::expression && stated.size() > 1)
    refuse(stated[1], "entry '" + stated[1].text + "' is not expected here", "the expression ends with its brace");
  law.expression = stated[0];
  law.expression.kind = NetlistToken::Kind::expression;
  const std::string text = translated(stated.size() == 1 ? stated[0].text : text_of(stated));
  std::string result;
  std::size_t end = 0;
  for (const ProbeText& probe : probes(text)) {
    StatedLaw::Signal signal;
    signal.voltage = probe.voltage;
    for (const std::string& name : probe.names) signal.names.push_back({NetlistToken::Kind::word, name, law.expression.where});
    if (!signal.voltage && signal.names.size() > 1) refuse(law.expression, "a current is that of one element", "write i(V1)");
    signal.symbol = signal.voltage ? "v" : "i";
    for (const NetlistToken& name : signal.names) {
      signal.symbol += '_';
      for (const char c : name.text) signal.symbol += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    const auto taken = [&](const std::string& name) {
      const Symbol* known = symbols.find(name);
      return known != nullptr && known->kind != SymbolKind::signal;
    };
    signal.symbol = lower_case(signal.symbol);
    while (taken(signal.symbol)) signal.symbol += '_';
    result.append(text, end, probe.begin - end) += signal.symbol;
    end = probe.end;
    const auto same = [&](const StatedLaw::Signal& other) { return other.symbol == signal.symbol; };
    if (std::ranges::none_of(law.signals, same)) law.signals.push_back(std::move(signal));
  }
  result.append(text, end, std::string::npos);
  law.expression.text = result;
  return law;
}

bool has_odd_powers(const Circuit::Element& element, const StatedLaw& law) {
  const std::string& text = law.expression.text;
  if (text.find('^') == std::string::npos && text.find("**") == std::string::npos) return false;
  const auto is_odd = [&](const GiNaC::ex& part) {
    return GiNaC::is_a<GiNaC::power>(part) && part.op(1).info(GiNaC::info_flags::odd) && !part.op(1).is_equal(-1) &&
           std::ranges::any_of(element.arguments, [&](const auto& argument) { return part.op(0).has(argument.value); });
  };
  return std::any_of(element.value.preorder_begin(), element.value.preorder_end(), is_odd);
}

Circuit::Probe voltage_probe(std::vector<std::string> nodes, const SourceSpan& where) {
  Circuit::Probe probe;
  probe.where = where;
  if (nodes.size() == 2 && nodes[1] == "0") nodes.pop_back();
  probe.name = "v(" + nodes[0] + (nodes.size() == 2 ? "," + nodes[1] : "") + ")";
  probe.nodes = std::move(nodes);
  return probe;
}

void NetlistLaws::model(const NetlistStatement& statement, std::vector<Diagnostic>& notes) {
  if (statement.size() < 3) refuse(statement[0], "statement '" + statement[0].text + "' is not complete", form_of_model);
  if (lower_case(statement[2].text) != "d")
    refuse(
        statement[2], "models of the kind '" + statement[2].text + "' are not read",
        "diodes (D) and transistors (NPN, PNP, NMOS, PMOS) are; write other devices as subcircuits of behavioural sources (B)");
  const NetlistToken& name = statement[1];
  std::vector<NetlistToken> rest;
  for (const NetlistToken& token : NetlistTokens(statement).subspan(3))
    if (!token.is('(') && !token.is(')')) rest.push_back(token);
  Diode diode;
  diode.nominal = temperature_.nominal();
  for (const auto& [key, value] : assignments(rest)) {
    const std::string what = lower_case(key.text);
    if (what == "is")
      diode.saturation_current = values_.value(value, NetlistScope{}, "IS_" + name.text);
    else if (what == "n")
      diode.emission = values_.value(value, NetlistScope{}, "N_" + name.text);
    else if (what == "kf")
      diode.flicker = values_.value(value, NetlistScope{}, "KF_" + name.text);
    else if (what == "af")
      diode.flicker_exponent = values_.value(value, NetlistScope{}, "AF_" + name.text);
    else if (what == "eg")
      diode.gap = values_.plain_value(value, NetlistScope{});
    else if (what == "xti")
      diode.exponent = values_.plain_value(value, NetlistScope{});
    else if (what == "tnom")
      diode.nominal = values_.plain_value(value, NetlistScope{});
    else
      notes.push_back({key.where, "parameter '" + key.text + "' of the diode model is left out",
                       "the law is that of Shockley, with IS and N, and noise has KF and AF", Severity::warning});
  }
  if (diode.saturation_current.is_zero())
    diode.saturation_current =
        values_.derived("IS_" + name.text, GiNaC::ex(1) / GiNaC::ex(GiNaC::numeric(10).power(14)), name.where);
  if (diode.emission.is_zero()) diode.emission = values_.derived("N_" + name.text, 1, name.where);
  if (temperature_.is_parameter()) let_follow(name.text, diode, name.where);
  if (!diodes_.emplace(lower_case(name.text), std::move(diode)).second)
    refuse(name, "there are two models '" + name.text + "'", "give one another name");
}

Circuit::Argument NetlistLaws::argument(const std::string& symbol, Circuit::Probe signal) {
  const auto declared = [&](const std::string& name) {
    if (const Symbol* known = circuit_.symbols.find(name); known && known->value)
      throw Error(signal.where, "name '" + name + "' is a parameter and stands for a signal as well", "rename the parameter");
    return GiNaC::ex(circuit_.symbols.add({.name = name, .kind = SymbolKind::signal}).expr);
  };
  const GiNaC::ex value = declared(symbol), rate = declared("D" + symbol);
  return {std::move(signal), value, rate};
}

/// I_S (T/T0)^(XTI/N) e^((T/T0 − 1) EG/(N V_T)), as SPICE has it: exactly I_S at T0.
void NetlistLaws::let_follow(const std::string& name, Diode& diode, const SourceSpan& where) {
  const GiNaC::ex kelvin = temperature_.celsius() + temperature_.absolute_zero,
                  ratio = kelvin / (diode.nominal + temperature_.absolute_zero);
  const GiNaC::ex growth = GiNaC::pow(ratio, diode.exponent / diode.emission) *
                           GiNaC::exp((ratio - 1) * diode.gap / (diode.emission * thermal_voltage_at(kelvin)));
  diode.saturation_current = values_.derived("IST_" + name, diode.saturation_current * growth, where);
}

GiNaC::ex NetlistLaws::thermal_voltage_at(const GiNaC::ex& kelvin) const {
  // with the exact constants of the SI
  return GiNaC::ex(GiNaC::numeric(1380649, 1000000)) * kelvin / GiNaC::numeric(1602176634L) * 100000;
}

GiNaC::ex NetlistLaws::thermal_voltage(const SourceSpan& where) {
  const GiNaC::ex zero = temperature_.absolute_zero;
  const GiNaC::ex volts = thermal_voltage_at(temperature_.is_parameter() ? temperature_.celsius() + zero : 27 + zero).expand();
  const Symbol* known = circuit_.symbols.find("V_T");
  if (known && known->value && *known->value == volts) return known->expr;
  return known ? volts : values_.derived("V_T", volts, where);
}

/// So many of the model's diode side by side: by area and by m.
NetlistLaws::DiodeUnits NetlistLaws::units_of_diode(NetlistTokens behind_model, const NetlistScope& scope) {
  const std::size_t positional = positional_count(behind_model);
  const auto refuse_entry = [](const NetlistToken& entry) {
    refuse(entry, "entry '" + entry.text + "' of a diode is not known", "behind the model it has an area, area= or m=");
  };
  DiodeUnits units;
  if (positional > 0) {
    if (!starts_number(behind_model[0].text) && behind_model[0].kind == NetlistToken::Kind::word) refuse_entry(behind_model[0]);
    units.area = values_.plain_value(behind_model[0], scope);
  }
  if (positional > 1) refuse_entry(behind_model[1]);
  for (const auto& [key, value] : assignments(behind_model.subspan(positional))) {
    const std::string what = lower_case(key.text);
    if (what != "area" && what != "m") refuse_entry(key);
    if (what == "area" && positional > 0) refuse_twice(key);
    (what == "m" ? units.devices : units.area) = values_.plain_value(value, scope);
  }
  return units;
}

void NetlistLaws::diode(Circuit::Element& element, NetlistTokens rest, const NetlistScope& scope) {
  const auto model = diodes_.find(lower_case(rest[2].text));
  if (model == diodes_.end())
    refuse(rest[2], "there is no model '" + rest[2].text + "'", "add a line .model " + rest[2].text + " D(IS=1e-14 N=1)");
  const DiodeUnits units = units_of_diode(rest.subspan(3), scope);
  const bool from_ground = element.nodes[0] == "0";
  std::vector<std::string> nodes = element.nodes;
  if (from_ground) std::swap(nodes[0], nodes[1]);
  Circuit::Argument across = argument("v_" + lower_case(element.name), voltage_probe(nodes, element.where));
  const GiNaC::ex forward = from_ground ? -across.value : across.value;
  const GiNaC::ex exponent = forward / (model->second.emission * thermal_voltage(element.where)), greatest = 80;
  element.value = units.area * units.devices * model->second.saturation_current *
                  (GiNaC::exp(minimum(exponent, greatest)) * (1 + maximum(exponent - greatest, 0)) - 1);
  element.arguments.push_back(std::move(across));
  const GiNaC::ex current =
      circuit_.symbols.add({.name = current_in_noise(element.name), .kind = SymbolKind::signal, .where = element.where}).expr;
  element.noise = values_.shot_noise(current) + values_.flicker_noise(model->second.flicker, model->second.flicker_exponent,
                                                                      current, element.where, units.devices);
}

void NetlistLaws::behavioural(Circuit::Element& element, const StatedLaw& law, const NetlistScope& scope,
                              const std::function<std::string(const NetlistToken&)>& node_name) {
  for (const StatedLaw::Signal& signal : law.signals) {
    Circuit::Probe probe;
    probe.where = law.expression.where;
    for (const NetlistToken& name : signal.names) {
      if (signal.voltage)
        probe.nodes.push_back(node_name(name));
      else
        probe.element = scope.full(name.text);
    }
    if (signal.voltage) probe = voltage_probe(std::move(probe.nodes), law.expression.where);
    element.arguments.push_back(argument(signal.symbol, std::move(probe)));
  }
  element.value = values_.plain_value(law.expression, scope);
  if (Symbol* time = circuit_.symbols.find("t"); time && !time->value && element.value.has(time->expr))
    time->kind = SymbolKind::time;
}

void NetlistLaws::spell(const std::map<std::string, std::size_t>& elements) {
  for (Circuit::Element& element : circuit_.elements)
    for (Circuit::Argument& argument : element.arguments) {
      Circuit::Probe& probe = argument.signal;
      if (probe.element.empty()) continue;
      if (const auto known = elements.find(lower_case(probe.element)); known != elements.end())
        probe.element = circuit_.elements[known->second].name;
      probe.name = "i(" + probe.element + ")";
    }
}

}  // namespace sfg
