#include "sfg/read/spice/netlist_predefined.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <set>

#include "sfg/model/named_slope.hpp"

namespace sfg {

namespace {

struct PredefinedPart {
  const char* line;
  const char* optional_parameter = "";  ///< without which the part is not there
};
struct PredefinedKind {
  const char* head;    ///< name and ports
  const char* needed;  ///< parameters
  std::array<PredefinedPart, 6> parts;
  const char* example;
};

// E_1 = v_pk/KP log(1 + exp(x)), i = 2 E_1^EX/KG1 where v_pk > 0; log(1 + e^x) is x from 80 on, to 35 digits.
constexpr PredefinedKind predefined_kinds[] = {
    {"gyrator a1 a2 b1 b2", "g", {{{"G1 a1 a2 b1 b2 {g}"}, {"G2 b1 b2 a1 a2 {-g}"}}}, "G=1m"},
    {"transformer p1 p2 s1 s2", "n", {{{"E1 p1 p2 s1 s2 {n}"}, {"F1 s1 s2 E1 {-n}"}}}, "N=10"},
    {"triode p g k",
     "mu ex kg1 kp kvb",
     {{{"Bp p k I={2/kg1*(max(v(p,k), 0)/kp*(log(1 + exp(min(kp*(1/mu + v(g,k)/sqrt(kvb + v(p,k)^2)), 80)))"
        " + max(kp*(1/mu + v(g,k)/sqrt(kvb + v(p,k)^2)) - 80, 0)))^ex}"},
       {"Bg g k I={max(v(g,k), 0)/rgi}", "rgi"},
       {"Cgk g k {ccg}", "ccg"},
       {"Cgp g p {cgp}", "cgp"},
       {"Cpk p k {ccp}", "ccp"}}},
     "MU=100 EX=1.4 KG1=1060 KP=600 KVB=300"}};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    result.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

const PredefinedKind* kind_named(std::string_view lower) {
  const auto found = std::ranges::find_if(predefined_kinds, [&](const auto& kind) { return words_of(kind.head)[0] == lower; });
  return found == std::end(predefined_kinds) ? nullptr : found;
}

std::set<std::string> known_parameters(const PredefinedKind& kind) {
  std::set<std::string> known;
  for (const std::string& word : words_of(kind.needed)) known.insert(word);
  for (const PredefinedPart& part : kind.parts)
    if (part.line && *part.optional_parameter) known.insert(part.optional_parameter);
  return known;
}

/// A statement at the place of the instance, where its errors are.
NetlistStatement statement_of(const char* line, const SourceSpan& where) {
  NetlistStatement statement = netlist_text(std::string("\n") + line + "\n", "").statements.front();
  for (NetlistToken& token : statement) token.where = where;
  return statement;
}

std::string listed(const std::set<std::string>& lower_names) {
  std::string list;
  for (const std::string& name : lower_names) {
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    list += (list.empty() ? "" : ", ") + upper;
  }
  return list;
}

}  // namespace

bool NetlistPredefined::is_model(const NetlistStatement& statement) {
  return statement.size() > 2 && lower_case(statement[2].text) == "triode";
}

void NetlistPredefined::model(const NetlistStatement& statement) {
  const NetlistToken& name = statement[1];
  const std::set<std::string> known = known_parameters(*kind_named("triode"));
  std::vector<NetlistToken> rest;
  for (const NetlistToken& token : NetlistTokens(statement).subspan(3))
    if (!token.is('(') && !token.is(')')) rest.push_back(token);
  std::vector<NetlistAssignment> entries = assignments(rest);
  for (auto& [key, value] : entries) {
    if (!known.contains(lower_case(key.text)))
      refuse(key, "unknown parameter '" + key.text + "' of a triode", "known are " + listed(known));
    const GiNaC::ex symbol = values_.derived(key.text + "_" + name.text, values_.plain_value(value, NetlistScope{}), value.where);
    value = {NetlistToken::Kind::word, GiNaC::ex_to<GiNaC::symbol>(symbol).get_name(), value.where};
  }
  if (!triodes_.emplace(lower_case(name.text), std::move(entries)).second)
    refuse(name, "there are two models '" + name.text + "'", "give one another name");
}

std::optional<NetlistSubcircuit> NetlistPredefined::subcircuit(const NetlistToken& wanted, NetlistTokens given) const {
  const auto model = triodes_.find(lower_case(wanted.text));
  const PredefinedKind* kind = kind_named(model == triodes_.end() ? lower_case(wanted.text) : "triode");
  if (!kind) return {};
  NetlistSubcircuit result;
  result.name = wanted;
  for (const std::string& port : words_of(kind->head)) result.ports.push_back({NetlistToken::Kind::word, port, wanted.where});
  result.ports.erase(result.ports.begin());
  std::set<std::string> stated, missing;
  if (model != triodes_.end()) result.defaults = model->second;
  for (const NetlistAssignment& entry : result.defaults) stated.insert(lower_case(entry.first.text));
  const std::set<std::string> known = known_parameters(*kind);
  for (const NetlistAssignment& entry : assignments(given)) {
    if (!known.contains(lower_case(entry.first.text)))
      refuse(entry.first, "'" + wanted.text + "' has no parameter '" + entry.first.text + "'", "known are " + listed(known));
    if (stated.insert(lower_case(entry.first.text)).second) result.defaults.push_back(entry);
  }
  for (const std::string& name : words_of(kind->needed))
    if (!stated.contains(name)) missing.insert(name);
  if (!missing.empty())
    refuse(wanted, "'" + wanted.text + "' needs a value of " + listed(missing), std::string("state them: ") + kind->example);
  for (const PredefinedPart& part : kind->parts)
    if (part.line && (!*part.optional_parameter || stated.contains(part.optional_parameter)))
      result.body.push_back(statement_of(part.line, wanted.where));
  return result;
}

void NetlistPredefined::name_slopes(Circuit& circuit, const std::string& instance) {
  const std::string law = "Bp_" + instance;
  const auto anode = std::ranges::find(circuit.elements, law, &Circuit::Element::name);
  if (anode == circuit.elements.end()) return;
  for (const Circuit::Argument& argument : anode->arguments) {
    const bool grid = GiNaC::ex_to<GiNaC::symbol>(argument.value).get_name().starts_with("v_g");
    const std::string name = (grid ? "gm_" : "rp_") + instance, &signal = argument.signal.name;
    if (circuit.symbols.find(name)) continue;
    circuit.symbols.add(
        {.name = name, .text = grid ? meaning_of_slope(law, signal) : meaning_of_resistance(law, signal), .where = anode->where});
  }
}

}  // namespace sfg
