#include "sfg/read/spice/netlist_temperature.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/print.hpp"
#include "sfg/model/noise.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

bool has_word(const std::string& text, std::string_view wanted) {
  for (Scan scan(text); !scan.ended();) {
    const std::string_view word = scan.word();
    if (word.empty())
      scan.take(scan.next());
    else if (lower_case(word) == wanted)
      return true;
  }
  return false;
}

bool is_coefficient(const std::string& lower) { return lower == "tc" || lower == "tc1" || lower == "tc2"; }

}  // namespace

void NetlistTemperature::look_at(const NetlistStatement& statement) {
  const std::string head = lower_case(statement[0].text);
  const bool parameters = head == ".param" || head == ".params";
  for (std::size_t i = 1; i < statement.size(); ++i) {
    const NetlistToken& token = statement[i];
    const bool key = i + 1 < statement.size() && statement[i + 1].is('=');
    const std::string lower = lower_case(token.text);
    if (key && is_coefficient(lower)) moves_ = true;
    if (key && parameters && lower == "temp") own_temp_ = true;
    if (token.kind == NetlistToken::Kind::expression || (statement[i - 1].is('=') && !key)) {
      if (has_word(token.text, temperature_parameter)) moves_ = true;
      if (has_word(token.text, "temp")) names_temp_ = true;
    }
  }
}

bool NetlistTemperature::take(const NetlistStatement& statement, std::vector<Diagnostic>& notes) {
  const auto number = [&](const NetlistToken& token) {
    const GiNaC::ex value = values_.plain_value(token, NetlistScope{});
    if (!GiNaC::is_a<GiNaC::numeric>(value) || !GiNaC::ex_to<GiNaC::numeric>(value).is_real() || value + absolute_zero <= 0)
      refuse(token, "'" + token.text + "' is no temperature", "write degrees Celsius, as a number above -273.15");
    return value;
  };
  const auto state = [&](const NetlistToken& token) {
    if (stated_) refuse(token, "the temperature is stated twice", "leave one of " + to_string(*stated_) + " and this");
    celsius_ = number(token);
    stated_ = token.where;
    moves_ = true;
  };
  if (lower_case(statement[0].text) == ".temp") {
    if (statement.size() < 2) refuse(statement[0], "statement '.temp' is not complete", "write .temp 85");
    state(statement[1]);
    if (statement.size() > 2)
      notes.push_back({statement[2].where, "of several temperatures the first one counts",
                       std::string("--sweep ") + temperature_parameter + "=LO:HI goes through a range", Severity::warning});
    return true;
  }
  bool alone = statement.size() > 1;
  for (std::size_t i = 1; i < statement.size(); ++i) {
    const std::string key = lower_case(statement[i].text);
    const bool valued = i + 2 < statement.size() && statement[i + 1].is('=');
    if (valued && key == "temp") {
      state(statement[i + 2]);
    } else if (valued && key == "tnom") {
      nominal_ = number(statement[i + 2]);
      moves_ = true;
    } else {
      alone = false;
    }
    if (valued) i += 2;
  }
  return alone;
}

bool NetlistTemperature::is_model(const NetlistStatement& statement) {
  static const std::set<std::string> kinds{"r", "res", "c", "cap", "l", "ind"};
  return statement.size() > 2 && kinds.contains(lower_case(statement[2].text));
}

void NetlistTemperature::model(const NetlistStatement& statement, std::vector<Diagnostic>& notes) {
  const NetlistToken& name = statement[1];
  Model model;
  std::vector<NetlistToken> rest;
  for (const NetlistToken& token : NetlistTokens(statement).subspan(3))
    if (!token.is('(') && !token.is(')')) rest.push_back(token);
  for (const auto& [key, value] : assignments(rest)) {
    const std::string lower = lower_case(key.text);
    if (lower == "tc1" || lower == "tc2")
      (lower == "tc1" ? model.first : model.second) = values_.value(value, NetlistScope{}, key.text + "_" + name.text);
    else
      notes.push_back({key.where, "parameter '" + key.text + "' of the model '" + name.text + "' is left out",
                       "of R, C and L it has TC1 and TC2: write the value at the element", Severity::warning});
  }
  if (!models_.emplace(lower_case(name.text), std::move(model)).second)
    refuse(name, "there are two models '" + name.text + "'", "give one another name");
}

void NetlistTemperature::declare() {
  if (names_temp_ && !own_temp_) {
    values_.call("temp", temperature_parameter);
    moves_ = true;
  }
  if (!moves_) return;
  const GiNaC::ex celsius = values_.derived(temperature_parameter, celsius_, stated_.value_or(SourceSpan{}));
  symbols_.find(temperature_parameter)->text = "temperature of the circuit, degrees Celsius";
  symbols_.add({.name = noise_temperature, .value = celsius + absolute_zero, .text = meaning_of_kelvin});
}

bool NetlistTemperature::follows(const NetlistToken& element, const ElementEntries::Temperature& entries,
                                 const std::optional<NetlistToken>& model) const {
  if (!model) return entries.first || entries.second;
  const auto known = models_.find(lower_case(model->text));
  if (known == models_.end())
    refuse(*model, "there is no model '" + model->text + "' of '" + element.text + "'",
           "add a line .model " + model->text + " " + element.text.substr(0, 1) + "(TC1=1m)");
  return entries.first || entries.second || known->second.first || known->second.second;
}

GiNaC::ex NetlistTemperature::followed(const std::string& own, const GiNaC::ex& value, const ElementEntries::Temperature& entries,
                                       const std::optional<NetlistToken>& model, const NetlistScope& scope,
                                       const SourceSpan& where) {
  std::optional<GiNaC::ex> first, second;
  if (model) first = models_.at(lower_case(model->text)).first, second = models_.at(lower_case(model->text)).second;
  if (entries.first) first = values_.value(*entries.first, scope, "TC1_" + own);
  if (entries.second) second = values_.value(*entries.second, scope, "TC2_" + own);
  GiNaC::ex there = celsius();
  if (entries.own) there = values_.plain_value(*entries.own, scope);
  if (entries.beside) there += values_.plain_value(*entries.beside, scope);
  follows_ = true;
  const GiNaC::ex above = there - nominal_;
  const GiNaC::ex there_too = value * (1 + first.value_or(0) * above + second.value_or(0) * above * above);
  const Symbol* known = symbols_.find(own);  // R1 a b R1 stands for itself
  return known && value.has(known->expr) ? there_too : values_.derived(own, there_too, where);
}

void NetlistTemperature::tell(const SourceSpan& circuit, std::vector<Diagnostic>& notes) {
  if ((asked_ || stated_) && !follows_ && !symbols_.find("V_T") && kept_.empty())
    notes.push_back(
        {stated_.value_or(circuit), nothing_follows_temperature, "state TC1= and TC2= of R, L and C", Severity::warning});
  if (!moves_ || kept_.empty() || (!asked_ && celsius_.is_equal(nominal_))) return;
  std::string list;
  constexpr std::size_t most = 8;
  std::size_t count = 0;
  for (const std::string& what : kept_)
    if (count++ < most) list += (list.empty() ? "" : ", ") + what;
  if (count > most) list += " and " + std::to_string(count - most) + " more";
  notes.push_back({stated_.value_or(circuit), "the temperature does not move " + list, "state its values at that temperature",
                   Severity::warning});
}

}  // namespace sfg
