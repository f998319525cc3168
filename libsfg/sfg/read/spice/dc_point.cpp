#include "sfg/read/spice/dc_point.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/model/temperature.hpp"
#include "sfg/read/spice/dc_temperature.hpp"

namespace sfg {

namespace {

bool is_transistor(const NetlistStatement& statement) {
  const char letter = lower_case(statement[0].text)[0];
  return letter == 'm' || letter == 'q';
}

/// ID=, IC=, GM= on its line.
bool states_point(const NetlistStatement& statement) {
  for (std::size_t i = 1; i + 1 < statement.size(); ++i) {
    const std::string key = lower_case(statement[i].text);
    if (statement[i + 1].is('=') && (key == "id" || key == "ic" || key == "gm")) return true;
  }
  return false;
}

bool has_dc_value(const NetlistStatement& statement) {
  const char letter = lower_case(statement[0].text)[0];
  if ((letter != 'v' && letter != 'i') || statement.size() < 4) return false;
  std::vector<NetlistToken> rest;
  for (const NetlistToken& token : NetlistTokens(statement).subspan(1))
    if (!follows_ac_or_dc(token, rest)) rest.push_back(token);
  if (rest.size() < 3) return false;
  const NetlistTokens entries = NetlistTokens(rest).subspan(2);
  refuse_decimal_commas(statement);
  const StatedSource stated = stated_source(entries.first(positional_count(entries)));
  return stated.rest && !is_zero(*stated.rest);
}

/// Whether an entry of a model is part of the equations here, or says nothing of the circuit.
bool is_known(const std::string& key, const std::string& kind) {
  static const std::set<std::string> described{"mfg", "vceo", "icrating", "iave", "vpk", "type", "tnom", "kf", "af", "eg"};
  static const std::set<std::string> diode{"is", "n", "rs", "tt", "cjo", "cj0", "vj", "m", "fc", "xti", "ibv"};
  static const std::set<std::string> bipolar{"is",  "bf",   "br",  "nf",  "nr",  "vaf", "va",  "var",  "vb",   "ise",
                                             "ne",  "isc",  "nc",  "rb",  "rc",  "re",  "cje", "vje",  "pe",   "mje",
                                             "me",  "tf",   "tr",  "cjc", "vjc", "pc",  "mjc", "mc",   "xcjc", "cjs",
                                             "ccs", "csub", "vjs", "ps",  "mjs", "ms",  "fc",  "subs", "xti",  "xtb"};
  static const std::set<std::string> mos{"vto",  "vt0", "kp",  "gamma", "phi",  "lambda", "rd", "rs",  "cbd",
                                         "cbs",  "is",  "pb",  "cgso",  "cgdo", "cgbo",   "cj", "mj",  "cjsw",
                                         "mjsw", "js",  "tox", "ld",    "uo",   "u0",     "fc", "nss", "tpg"};
  return described.contains(key) || (kind == "d" ? diode : kind.ends_with("mos") ? mos : bipolar).contains(key);
}

}  // namespace

bool DcPoint::is_wanted(const NetlistText& text) {
  if (std::ranges::none_of(text.statements, is_transistor)) return false;
  for (const NetlistStatement& statement : text.statements)
    if (statement[0].text == ".sfg" || (is_transistor(statement) && states_point(statement))) return false;
  return std::ranges::any_of(text.statements, has_dc_value);
}

bool DcPoint::is_model(const NetlistStatement& statement) {
  static const std::set<std::string> kinds{"npn", "pnp", "nmos", "pmos", "d"};
  return statement.size() > 2 && kinds.contains(lower_case(statement[2].text));
}

void DcPoint::model(const NetlistStatement& statement, NetlistValues& values) {
  Model model{lower_case(statement[2].text), {}, {}};
  std::map<std::string, NetlistStatement> given;  // the name as it is written, and the value
  for (std::size_t i = 4; i + 1 < statement.size(); ++i) {
    if (!statement[i].is('=')) continue;
    const std::string key = lower_case(statement[i - 1].text);
    const NetlistToken& value = statement[i + 1];
    const auto number = double_value(values.with_stated_values(values.plain_value(value, NetlistScope{}), value.where));
    if (!number) continue;  // a word
    const bool plain = key == "level" ? *number == 1 : *number == 0;
    if (!plain && !model.unusual && !is_known(key, model.kind)) model.unusual = statement[i - 1];
    const auto known = given.emplace(key, NetlistStatement{statement[i - 1], value}).first;
    if (known->second[1].text != value.text) refuse_twice(statement[i - 1]);
    model.entries.emplace(key, *number);
  }
  const std::map<std::string, std::string> others{{"va", "vaf"}, {"pe", "vje"},  {"me", "mje"},   {"pc", "vjc"},
                                                  {"mc", "mjc"}, {"ccs", "cjs"}, {"csub", "cjs"}, {"ps", "vjs"},
                                                  {"ms", "mjs"}, {"vb", "var"},  {"vt0", "vto"}};
  for (const auto& [other, usual] : others)
    if (const auto found = given.find(other); found != given.end()) {
      const auto known = given.emplace(usual, found->second).first;
      if (known->second[1].text != found->second[1].text) refuse_twice(found->second[0]);
      model.entries.emplace(usual, model.entries.at(other));
    }
  models_.emplace(lower_case(statement[1].text), std::move(model));
}

void DcPoint::device(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope, NetlistValues& values,
                     const std::function<std::string(const NetlistToken&)>& node) {
  DcDevice device;
  device.letter = lower_case(name.text)[0];
  device.name = scope.full(name.text);
  device.where = name.where;
  const std::size_t fewest = device.letter == 'm' ? 4 : device.letter == 'q' ? 3 : 2;
  const std::size_t positional = std::min(positional_count(rest), rest.size());
  require(name, rest.first(positional), fewest + 1, "NAME nodes MODEL");
  const auto is_model = [&](const std::string& lower) { return models_.contains(lower); };
  const std::size_t at_model = device.letter == 'q' ? model_place(rest.first(positional), is_model) : fewest;
  for (std::size_t i = 0; i < at_model; ++i) device.nodes.push_back(node(rest[i]));
  if (device.letter == 'q' && at_model == 3) device.nodes.emplace_back("0");
  const auto model = models_.find(lower_case(rest[at_model].text));
  if (model == models_.end())
    refuse(rest[at_model], "there is no model '" + rest[at_model].text + "' of this kind of device",
           "add its line .model, from the library that the netlist names (LTspice's own are not read)");
  if (const auto& unusual = model->second.unusual)
    refuse(*unusual, "an operating point with " + unusual->text + " in the model of '" + name.text + "' is not found here",
           dc_what_to_try);
  device.model = model->second.entries;
  device.polarity = model->second.kind[0] == 'p' ? -1 : 1;
  const auto number = [&](const NetlistToken& token) {
    const auto found = double_value(values.with_stated_values(values.plain_value(token, scope), token.where));
    if (!found) refuse(token, "'" + token.text + "' has no value", "give it one by .param");
    return *found;
  };
  const bool sized = positional > at_model + 1 && device.letter != 'm';
  if (sized) device.units = number(rest[at_model + 1]);
  for (const auto& [key, value] : assignments(rest.subspan(positional))) {
    const std::string what = lower_case(key.text);
    if (what == "area" && sized) refuse_twice(key);
    what == "m" || what == "area" ? device.units *= number(value) : device.own[what] = number(value);
  }
  OwnTemperature own;
  if (const auto stated = device.own.find("temp"); stated != device.own.end()) own.celsius = stated->second;
  if (const auto above = device.own.find("dtemp"); above != device.own.end()) own.above = above->second;
  temperatures_.push_back(own);
  devices_.push_back(std::move(device));
}

void DcPoint::options(const NetlistText& text, NetlistValues& values) {
  for (const NetlistStatement& statement : text.statements) {
    if (!lower_case(statement[0].text).starts_with(".option")) continue;
    for (std::size_t i = 1; i + 2 < statement.size(); ++i) {
      const std::string key = lower_case(statement[i].text);
      if (!statement[i + 1].is('=') || (key != "gmin" && key != "tnom")) continue;
      const NetlistToken& stated = statement[i + 2];
      const auto number = double_value(values.plain_value(stated, NetlistScope{}));
      if (!number || (key == "gmin" && !(*number >= 0)))
        refuse(stated, "'" + stated.text + "' is no value of " + key, "write a number, as " + key + "=1e-12");
      (key == "gmin" ? least_ : nominal_) = *number;
    }
  }
}

bool DcPoint::takes(const NetlistStatement& statement, std::vector<Diagnostic>& notes) {
  static const std::set<std::string> here{"gmin", "temp", "tnom"},
      solver{"reltol", "abstol", "vntol", "itl1", "itl2", "itl6", "gminsteps", "srcsteps", "pivtol", "pivrel"};
  const NetlistToken* needless = nullptr;
  for (std::size_t i = 1; i < statement.size(); ++i) {
    const std::string key = lower_case(statement[i].text);
    if (!here.contains(key) && !solver.contains(key)) return false;
    if (solver.contains(key) && !needless) needless = &statement[i];
    if (i + 1 < statement.size() && statement[i + 1].is('=')) i += 2;
  }
  if (needless)
    notes.push_back({needless->where,
                     "'" + needless->text + "' makes no difference: the operating point is found to the last digits", "",
                     Severity::note});
  return true;
}

DcPoint::Found DcPoint::solved(const Circuit& linear) const {
  constexpr double zero_celsius = 273.15;
  Found result;
  if (const Symbol* celsius = linear.symbols.find(temperature_parameter)) {
    const GiNaC::exmap values = linear.symbols.values();
    if (const auto known = values.find(celsius->expr); known != values.end())
      result.celsius = double_value(known->second).value_or(result.celsius);
  }
  std::vector<DcDevice> devices = devices_;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto stated = devices[i].model.find("tnom");
    const double nominal = (stated == devices[i].model.end() ? nominal_ : stated->second) + zero_celsius;
    devices[i].kelvin = temperatures_[i].celsius.value_or(result.celsius + temperatures_[i].above) + zero_celsius;
    devices[i].least = least_;
    if (devices[i].kelvin != nominal) move_to_temperature(devices[i], nominal);
  }
  result.solution = DcCircuit(linear, devices).solved();
  SimulatorPoint& point = result.point;
  point.file = "the operating point that was found";
  point.complete = true;
  for (std::size_t i = 0; i < devices.size(); ++i)
    for (const auto& [what, value] : result.solution.small_signal[i]) {
      const bool part = what[0] == 'c' && value == 0;  // a capacitance that is none
      if (part) continue;
      const std::string text = fmt::format("{:.15g}", std::abs(value));
      const GiNaC::numeric size = parse_number(text);
      point.devices[lower_case(devices[i].name)][what] = {value < 0 ? -size : size, text, devices[i].where};
    }
  point.said =
      fmt::format("{}, at {} degrees Celsius; {}", point_is_found, result.celsius,
                  result.solution.within ? "intervals prove a solution, and one alone, within " + certain_volts(result.solution)
                                         : "that it is a solution is not proven: " + result.solution.unproven);
  return result;
}

}  // namespace sfg
