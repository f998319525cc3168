#include "sfg/read/spice/netlist_devices.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sfg/expr/parse.hpp"
#include "sfg/model/noise.hpp"

namespace sfg {

namespace {

constexpr const char* how_to_state =
    "state it: IC=1m VCE=5 or GM=40m (Q), ID=1m VDS=5 (M) behind the model, or in a line  * sfg: Q1 IC=1m VCE=5; or write its "
    "small-signal "
    "model as a subcircuit (.subckt)";

bool contains(const std::string& words, const std::string& word) {
  return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

/// Parameters that make something of small signals, and those that are of other effects.
const std::string of_bipolar = "bf vaf nf tf cje vje mje fc cjc vjc mjc cjs rb rc re kf af";
const std::string beside_bipolar = "is br nr var tr eg xti xtb isc nc rbm irb xtf vtf itf ptf tnom level type";
const std::string of_mos = "kp lambda gamma phi cgso cgdo cgbo tox ld rd rs kf af";
const std::string beside_mos = "vto is js tnom level nsub nss tpg uo u0 fc pb mj mjsw";

std::string usual_name(const std::string& key) {
  static const std::map<std::string, std::string> others{{"va", "vaf"}, {"pe", "vje"},  {"me", "mje"}, {"pc", "vjc"},
                                                         {"mc", "mjc"}, {"ccs", "cjs"}, {"bfm", "bf"}};
  const auto known = others.find(key);
  return known == others.end() ? key : known->second;
}

std::string name_of(const GiNaC::ex& symbol) { return GiNaC::ex_to<GiNaC::symbol>(symbol).get_name(); }

/// What conducts in a device is no resistor and has no thermal noise: a current that its own voltage controls.
NetlistPart conductance(const NetlistToken& device, const std::string& name, const std::string& plus, const std::string& minus,
                        const std::string& ohms, const GiNaC::ex& noise = 0) {
  return netlist_part(device, name, {plus, minus, plus, minus}, "1/" + ohms, noise);
}

GiNaC::ex value_or(const std::map<std::string, GiNaC::ex>& values, const char* key, const GiNaC::ex& otherwise) {
  const auto found = values.find(key);
  return found == values.end() ? otherwise : found->second;
}

}  // namespace

NetlistPart netlist_part(const NetlistToken& device, const std::string& name, const std::vector<std::string>& nodes,
                         const std::string& value, const GiNaC::ex& noise) {
  NetlistStatement statement{{NetlistToken::Kind::word, name, device.where}};
  for (const std::string& node : nodes) statement.push_back({NetlistToken::Kind::word, node, device.where});
  statement.push_back({NetlistToken::Kind::expression, value, device.where});
  return {std::move(statement), noise};
}

bool NetlistDevices::is_model(const NetlistStatement& statement) {
  static const std::set<std::string> kinds{"npn", "pnp", "nmos", "pmos"};
  return statement.size() > 2 && kinds.contains(lower_case(statement[2].text));
}

void NetlistDevices::model(const NetlistStatement& statement, std::vector<Diagnostic>& notes) {
  const NetlistToken& name = statement[1];
  Transistor model;
  model.name = name.text;
  model.bipolar = lower_case(statement[2].text).ends_with('p') || lower_case(statement[2].text) == "npn";
  std::vector<NetlistToken> rest;
  for (const NetlistToken& token : NetlistTokens(statement).subspan(3))
    if (!token.is('(') && !token.is(')')) rest.push_back(token);
  for (const auto& [key, value] : assignments(rest)) {
    const std::string what = usual_name(lower_case(key.text));
    if (model.values.contains(what)) refuse_twice(key);
    if (contains(model.bipolar ? of_bipolar : of_mos, what))
      model.values[what] = values_.value(value, NetlistScope{}, key.text + "_" + name.text);
    else if (what == "level" && value.text != "1")
      refuse(
          value, "a transistor of level " + value.text,
          "level 1 is read; of another take the values that a simulator finds at its operating point, or write its small-signal "
          "model as a subcircuit");
    else if (!contains(model.bipolar ? beside_bipolar : beside_mos, what))
      notes.push_back({key.where, "parameter '" + key.text + "' of the transistor is left out",
                       "its effect is not in the small-signal model", Severity::warning});
  }
  if (!models_.emplace(lower_case(name.text), std::move(model)).second)
    refuse(name, "there are two models '" + name.text + "'", "give one another name");
}

void NetlistDevices::operating_point(const NetlistStatement& statement, const NetlistScope& scope) {
  if (statement.size() < 2) return;
  const NetlistTokens tokens(statement);
  const std::string own = lower_case(scope.full(tokens[1].text));
  std::vector<NetlistAssignment>& entries = points_[own];
  for (NetlistAssignment& entry : assignments(tokens.subspan(2))) entries.push_back(std::move(entry));
}

NetlistDevices::Values NetlistDevices::stated(const NetlistToken& name, NetlistTokens entries, const NetlistScope& scope,
                                              const std::string& known) {
  const std::string own = scope.full(name.text);
  std::vector<NetlistAssignment> all = assignments(entries);
  if (const auto beside = points_.find(lower_case(own)); beside != points_.end())
    all.insert(all.end(), beside->second.begin(), beside->second.end());
  Values result;
  for (const auto& [key, value] : all) {
    const std::string what = lower_case(key.text);
    if (!contains(known, what)) refuse(key, "entry '" + key.text + "' of '" + name.text + "' is not known", "known are " + known);
    if (result.contains(what)) refuse(key, "the entry '" + key.text + "' is there twice", "keep one");
    std::string upper = what;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    result[what] = values_.value(value, scope, upper + "_" + own);
  }
  return result;
}

const NetlistDevices::Transistor& NetlistDevices::model_of(const NetlistToken& model, bool bipolar) const {
  const auto found = models_.find(lower_case(model.text));
  if (found != models_.end() && found->second.bipolar == bipolar) return found->second;
  refuse(model, "there is no model '" + model.text + "' of this kind of transistor",
         "add a line .model " + model.text + (bipolar ? " NPN(BF=100 VAF=50)" : " NMOS(KP=100u LAMBDA=0.02)") +
             "; LTspice's own libraries are not read");
}

double NetlistDevices::number(const GiNaC::ex& value, const NetlistToken& at) const {
  const GiNaC::ex result = values_.with_stated_values(value, at.where).evalf();
  if (!GiNaC::is_a<GiNaC::numeric>(result) || !GiNaC::ex_to<GiNaC::numeric>(result).is_real())
    refuse(at, "the operating point of '" + at.text + "' has no numbers", "give the names in it values by .param");
  return GiNaC::ex_to<GiNaC::numeric>(result).to_double();
}

GiNaC::ex NetlistDevices::current(const NetlistToken& name, const Values& point, const char* key) const {
  const auto found = point.find(key);
  if (found == point.end()) refuse(name, "the transistor '" + name.text + "' has no operating point", how_to_state);
  const double amperes = number(found->second, name);
  if (amperes == 0) refuse(name, "the transistor '" + name.text + "' carries no current", "leave it out");
  return amperes < 0 ? -found->second : found->second;
}

GiNaC::ex NetlistDevices::derived(const std::string& what, const std::string& own, const GiNaC::ex& value,
                                  const SourceSpan& where) {
  return values_.derived(what + "_" + own, value, where);
}

/// IC, or of gm alone the current that has this slope.
GiNaC::ex NetlistDevices::stated_collector_current(const NetlistToken& name, const Values& point, const GiNaC::ex& heat,
                                                   std::vector<Diagnostic>& notes) const {
  const auto slope = point.find("gm");
  if (slope == point.end()) return current(name, point, "ic");
  if (point.contains("ic")) refuse(name, "the transistor '" + name.text + "' states IC and GM", "keep one: GM is IC/(n V_T)");
  notes.push_back(
      {name.where, "the current of '" + name.text + "' is taken from its transconductance: IC = GM n V_T", "", Severity::note});
  return slope->second * heat;
}

/// The node behind a resistance in series with one end of a transistor; that end itself where there is none.
std::string NetlistDevices::behind(const NetlistToken& name, const std::string& own, const Transistor& model, const char* key,
                                   const std::string& node, const GiNaC::ex& units, std::vector<NetlistPart>& elements) {
  const auto ohms = model.values.find(key);
  if (ohms == model.values.end() || number(ohms->second, name) == 0) return node;
  const std::string what = std::string("R") + key[1], inner = name.text + "_" + key[1];
  elements.push_back(
      netlist_part(name, what + "_" + name.text, {node, inner}, name_of(derived(what, own, ohms->second / units, name.where))));
  return inner;
}

/// C(V) = C0 (1 - V/P)^(-M), its tangent in forward direction from FC P on; a factor of a dozen digits, since M is no whole
/// number.
GiNaC::ex NetlistDevices::depletion(const NetlistToken& name, const Transistor& model, const char* zero, const char* potential,
                                    const char* exponent, const std::optional<GiNaC::ex>& across) const {
  const auto capacitance = model.values.find(zero);
  if (capacitance == model.values.end()) return 0;
  if (!across)
    refuse(name, std::string("the capacitance '") + zero + "' of '" + name.text + "' depends on a voltage that is not stated",
           "state VBE and VCE, or VCB");
  const double v = number(*across, name), p = number(value_or(model.values, potential, GiNaC::numeric(3, 4)), name),
               m = number(value_or(model.values, exponent, GiNaC::numeric(33, 100)), name),
               fc = number(value_or(model.values, "fc", GiNaC::numeric(1, 2)), name);
  const double factor = v < fc * p ? std::pow(1 - v / p, -m) : std::pow(1 - fc, -1 - m) * (1 - fc * (1 + m) + m * v / p);
  return capacitance->second * parse_number(fmt::format("{:.12g}", factor));
}

std::vector<NetlistPart> NetlistDevices::bipolar(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope,
                                                 std::vector<Diagnostic>& notes) {
  const std::size_t positional = positional_count(rest);
  const std::string own = scope.full(name.text);
  const Values point = stated(name, rest.subspan(std::min(positional, rest.size())), scope, "ic gm vbe vce vcb");
  if (!point.contains("gm")) current(name, point, "ic");  // first of all
  if (positional < 4) refuse(name, "element '" + name.text + "' needs more entries", "write NAME collector base emitter MODEL");
  const std::size_t at_model =
      model_place(rest.first(positional), [&](const std::string& lower) { return models_.contains(lower); });
  const Transistor& model = model_of(rest[at_model], true);
  if (positional > at_model + 2)
    refuse(rest[at_model + 2], "entry '" + rest[at_model + 2].text + "' is not expected here", "remove it");
  const GiNaC::ex area = positional > at_model + 1 ? values_.plain_value(rest[at_model + 1], scope) : GiNaC::ex(1);
  const auto parameter = [&](const char* key, const GiNaC::ex& otherwise) { return value_or(model.values, key, otherwise); };
  const auto forward = [&](const char* key) -> std::optional<GiNaC::ex> {  // a voltage, above 0 in the active region
    const auto found = point.find(key);
    if (found == point.end()) return {};
    return number(found->second, name) < 0 ? -found->second : found->second;
  };
  const std::optional<GiNaC::ex> vbe = forward("vbe"), vce = forward("vce");
  std::optional<GiNaC::ex> vcb = forward("vcb");
  if (!vcb && vce) vcb = vbe ? *vce - *vbe : *vce;  // V_BE is small beside V_A where it is not stated

  const GiNaC::ex heat = parameter("nf", 1) * thermal_voltage_(name.where);
  const GiNaC::ex collector_current = stated_collector_current(name, point, heat, notes);
  const GiNaC::ex transfer = collector_current / heat;
  GiNaC::ex output = 0, input = transfer;  // input: I_F/(n V_T)
  if (model.values.contains("vaf")) {
    const GiNaC::ex early = model.values.at("vaf") + vcb.value_or(0);
    output = collector_current / early;
    input = transfer * model.values.at("vaf") / early;
  }
  const GiNaC::ex cpi = parameter("tf", 0) * transfer + area * depletion(name, model, "cje", "vje", "mje", vbe);
  const GiNaC::ex cmu = area * depletion(name, model, "cjc", "vjc", "mjc", vcb ? std::optional(-*vcb) : vcb);

  std::vector<NetlistPart> result;
  std::string c = rest[0].text, b = rest[1].text, e = rest[2].text;
  c = behind(name, own, model, "rc", c, area, result);
  b = behind(name, own, model, "rb", b, area, result);
  e = behind(name, own, model, "re", e, area, result);
  const auto part = [&](const char* what, const std::vector<std::string>& nodes, const GiNaC::ex& value) {
    result.push_back(
        netlist_part(name, what + ("_" + name.text), nodes, name_of(derived(lower_case(what), own, value, name.where))));
  };
  const GiNaC::ex gm = point.contains("gm") ? point.at("gm") : derived("gm", own, transfer - output, name.where);
  result.push_back(netlist_part(name, "Ggm_" + name.text, {c, e, b, e}, name_of(gm), values_.shot_noise(collector_current)));
  if (!model.values.contains("bf")) refuse(rest[at_model], "the model '" + model.name + "' has no current gain", "state BF=100");
  const GiNaC::ex rpi = derived("rpi", own, model.values.at("bf") / input, name.where), base_current = heat / rpi;
  const GiNaC::ex flicker = values_.flicker_noise(parameter("kf", 0), parameter("af", 1), base_current, name.where);
  result.push_back(conductance(name, "Gpi_" + name.text, b, e, name_of(rpi), values_.shot_noise(base_current) + flicker));
  if (!output.is_zero())
    result.push_back(conductance(name, "Go_" + name.text, c, e, name_of(derived("ro", own, 1 / output, name.where))));
  if (!cpi.is_zero()) part("Cpi", {b, e}, cpi);
  if (!cmu.is_zero()) part("Cmu", {b, c}, cmu);
  if (model.values.contains("tf") && !output.is_zero())  // the charge of the base is less where the Early effect narrows it
    result.push_back(netlist_part(name, "Gtf_" + name.text, {b, e, b, c},
                                  "-s*" + name_of(derived("ctf", own, model.values.at("tf") * output, name.where))));
  if (model.values.contains("cjs")) part("Cs", {c, at_model == 4 ? rest[3].text : "0"}, model.values.at("cjs") * area);
  return result;
}

std::vector<NetlistPart> NetlistDevices::mos(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope) {
  const std::size_t positional = positional_count(rest);
  const std::string own = scope.full(name.text);
  const Values point =
      stated(name, rest.subspan(std::min(positional, rest.size())), scope, "id vgs vds vbs l w ad as pd ps nrd nrs m");
  const GiNaC::ex drain_current = current(name, point, "id");
  if (positional != 5)
    refuse(name, "element '" + name.text + "' needs four nodes and a model",
           "write NAME drain gate source bulk MODEL L=1u W=10u");
  const Transistor& model = model_of(rest[4], false);
  const auto parameter = [&](const char* key, const GiNaC::ex& otherwise) { return value_or(model.values, key, otherwise); };
  const GiNaC::ex usual(GiNaC::numeric(1, 10000)), units = value_or(point, "m", 1);
  const GiNaC::ex width = value_or(point, "w", usual), length = value_or(point, "l", usual) - 2 * parameter("ld", 0);
  const auto forward = [&](const char* key) -> GiNaC::ex {
    const GiNaC::ex volts = value_or(point, key, 0);
    return number(volts, name) < 0 ? -volts : volts;
  };
  const GiNaC::ex one = drain_current / units;
  GiNaC::ex modulation = 1;
  if (model.values.contains("lambda")) {
    if (!point.contains("vds"))
      refuse(name, "the transistor '" + name.text + "' has LAMBDA, and VDS is not stated", "state VDS=5");
    modulation += model.values.at("lambda") * forward("vds");
  }
  const GiNaC::ex gm = units * GiNaC::sqrt(2 * parameter("kp", GiNaC::numeric(2, 100000)) * width / length * one * modulation);
  std::vector<NetlistPart> result;
  std::string d = rest[0].text, s = rest[2].text;
  const std::string g = rest[1].text, bulk = rest[3].text;
  d = behind(name, own, model, "rd", d, units, result);
  s = behind(name, own, model, "rs", s, units, result);
  const auto part = [&](const char* what, const std::vector<std::string>& nodes, const GiNaC::ex& value) {
    result.push_back(
        netlist_part(name, what + ("_" + name.text), nodes, name_of(derived(lower_case(what), own, value, name.where))));
  };
  const GiNaC::ex slope = derived("gm", own, gm, name.where);
  // SPICE takes 0.1 um for its noise where none is stated
  const GiNaC::ex per_area = oxide_permittivity() / parameter("tox", GiNaC::numeric(1, 10000000));
  const GiNaC::ex channel = 4 * values_.of_noise(boltzmann) * values_.of_noise(noise_temperature) * GiNaC::numeric(2, 3) * slope;
  GiNaC::ex flicker = values_.flicker_noise(parameter("kf", 0), parameter("af", 1), drain_current, name.where);
  if (!flicker.is_zero()) flicker /= width * units * length * GiNaC::pow(derived("cox", own, per_area, name.where), 2);
  result.push_back(netlist_part(name, "Ggm_" + name.text, {d, s, g, s}, name_of(slope), channel + flicker));
  if (model.values.contains("lambda"))
    result.push_back(
        conductance(name, "Gds_" + name.text, d, s,
                    name_of(derived("rds", own, modulation / (model.values.at("lambda") * drain_current), name.where))));
  if (model.values.contains("gamma")) {
    const GiNaC::ex barrier = parameter("phi", GiNaC::numeric(6, 10)) + forward("vbs");
    result.push_back(
        netlist_part(name, "Ggmb_" + name.text, {d, s, bulk, s},
                     name_of(derived("gmb", own, gm * model.values.at("gamma") / (2 * GiNaC::sqrt(barrier)), name.where))));
  }
  GiNaC::ex cgs = parameter("cgso", 0) * width;
  if (model.values.contains("tox")) cgs += GiNaC::numeric(2, 3) * width * length * per_area;  // in saturation (Meyer)
  const GiNaC::ex cgd = parameter("cgdo", 0) * width, cgb = parameter("cgbo", 0) * length;
  if (!cgs.is_zero()) part("Cgs", {g, s}, units * cgs);
  if (!cgd.is_zero()) part("Cgd", {g, d}, units * cgd);
  if (!cgb.is_zero()) part("Cgb", {g, bulk}, units * cgb);
  return result;
}

GiNaC::ex oxide_permittivity() { return GiNaC::numeric(39, 10) * GiNaC::numeric("8854214871") / GiNaC::numeric(10).power(21); }

std::vector<NetlistPart> NetlistDevices::line(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope) {
  if (positional_count(rest) != 4)
    refuse(name, "the line '" + name.text + "' needs four nodes", "write NAME in+ in- out+ out- Z0=50 TD=1n");
  const std::string own = scope.full(name.text);
  const Values entries = stated(name, rest.subspan(4), scope, "z0 td f nl ic");
  if (!entries.contains("z0")) refuse(name, "the line '" + name.text + "' has no impedance", "state Z0=50");
  if (!entries.contains("td") && !entries.contains("f"))
    refuse(name, "the line '" + name.text + "' has no delay", "state TD=1n, or F and NL");
  const GiNaC::ex delay =
      entries.contains("td") ? entries.at("td") : value_or(entries, "nl", GiNaC::numeric(1, 4)) / entries.at("f");
  const auto named = [&](const char* what, const GiNaC::ex& value) {
    if (GiNaC::is_a<GiNaC::symbol>(value)) return name_of(value);
    return name_of(derived(what, own, value, name.where));
  };
  const std::string z0 = named("Zc", entries.at("z0")), td = named("Td", delay);
  const std::string wave = "exp(-s*" + td + ")", a = name.text + "_a", b = name.text + "_b", c = name.text + "_c",
                    d = name.text + "_d";
  const std::string &in = rest[0].text, &in_return = rest[1].text, &out = rest[2].text, &out_return = rest[3].text;
  // Behind Z0 stands what the other end sent: e1 = e^(-sT) (2 v2 - e2), and likewise e2.
  return {conductance(name, "Gz1_" + name.text, in, a, z0),
          netlist_part(name, "Ev1_" + name.text, {a, b, out, out_return}, "2*" + wave),
          netlist_part(name, "Ee1_" + name.text, {b, in_return, c, out_return}, "-" + wave),
          conductance(name, "Gz2_" + name.text, out, c, z0),
          netlist_part(name, "Ev2_" + name.text, {c, d, in, in_return}, "2*" + wave),
          netlist_part(name, "Ee2_" + name.text, {d, out_return, a, in_return}, "-" + wave)};
}

}  // namespace sfg
