#include "sfg/read/spice/netlist_point.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>

#include "sfg/model/noise.hpp"
#include "sfg/text/printable.hpp"

namespace sfg {

namespace {

/// A small-signal element: the value, and the terminals between which it is, of a source those that control it behind them.
struct PointPart {
  const char* what;
  const char* ends;
  bool needed = false;
};

// Terminals: d g s b of M (p, n: where the channel begins and ends), c b e of Q, x its base outside of rb, t its substrate, j
// what lies on that.
constexpr PointPart mos_parts[] = {{"gm", "pngn", true}, {"gds", "pnpn", true}, {"gmbs", "pnbn"}, {"cgs", "gs"},
                                   {"cgd", "gd"},        {"cgb", "gb"},         {"cdb", "db"},    {"csb", "sb"}};
constexpr PointPart bipolar_parts[] = {{"gm", "cebe", true}, {"gpi", "bebe", true}, {"go", "cece", true}, {"gmu", "bcbc"},
                                       {"cpi", "be"},        {"cmu", "bc"},         {"ccs", "jt"}};
constexpr PointPart diode_parts[] = {{"gd", "acac", true}, {"cd", "ac"}};
constexpr PointPart junction_parts[] = {{"gm", "dsgs", true}, {"gds", "dsds", true}, {"cgs", "gs"}, {"cgd", "gd"}};

std::span<const PointPart> parts_of(char letter) {
  switch (letter) {
    case 'm': return mos_parts;
    case 'q': return bipolar_parts;
    case 'd': return diode_parts;
    default: return junction_parts;
  }
}

const SimulatorPoint::Value* first_of(const SimulatorPoint::Device& found, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto value = found.find(name); value != found.end()) return &value->second;
  return nullptr;
}

/// Whether the line of the device has KEY=….
bool states_entry(NetlistTokens rest, std::string_view key) {
  for (std::size_t i = 1; i < rest.size(); ++i)
    if (rest[i].is('=') && lower_case(rest[i - 1].text) == key) return true;
  return false;
}

std::string capital(std::string text) {
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text == "Gm" ? "Ggm" : text == "Gmbs" ? "Ggmbs" : text;
}

}  // namespace

struct NetlistPoint::Device {
  NetlistToken name;
  char letter = 'm';
  std::string own;  ///< the full name
  Terminals at;
  std::string model_name;
  const Model* model = nullptr;
  GiNaC::ex units = 1;  ///< so many in parallel, of which the model states the resistance of one
  GiNaC::ex count = 1;  ///< of them those by m alone: SPICE's flicker noise is that of each, whatever its area
  std::map<std::string, SimulatorPoint::Value> values;
  SimulatorPoint::Device beside;                          ///< all that was found
  GiNaC::ex width = default_size, length = default_size;  ///< of M, m

  static inline const GiNaC::ex default_size = GiNaC::numeric(1, 10000);
};

bool NetlistPoint::is_device(char letter) { return letter == 'm' || letter == 'q' || letter == 'd' || letter == 'j'; }

bool NetlistPoint::is_model(const NetlistStatement& statement) {
  static const std::set<std::string> kinds{"npn", "pnp", "nmos", "pmos", "vdmos", "njf", "pjf", "d"};
  return statement.size() > 2 && kinds.contains(lower_case(statement[2].text));
}

void NetlistPoint::model(const NetlistStatement& statement) {
  Model model{.kind = lower_case(statement[2].text), .entries = {}};
  for (std::size_t i = 4; i + 1 < statement.size(); ++i)
    if (statement[i].is('=')) {
      const auto known = model.entries.emplace(lower_case(statement[i - 1].text), statement[i + 1]).first;
      if (known->second.text != statement[i + 1].text) refuse_twice(statement[i - 1]);
    }
  const NetlistToken& name = statement[1];
  if (!models_.emplace(lower_case(name.text), std::move(model)).second)
    refuse(name, "there are two models '" + name.text + "'", "give one another name");
}

const NetlistPoint::Model* NetlistPoint::model_of(std::string_view name) const {
  const auto found = models_.find(lower_case(name));
  return found == models_.end() ? nullptr : &found->second;
}

/// Which entries are nodes and which is the model; of transistors the model is known where a fourth node may be left out.
NetlistPoint::Device NetlistPoint::placed(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope) const {
  Device device;
  device.name = name;
  device.letter = lower_case(name.text)[0];
  device.own = scope.full(name.text);
  const std::size_t positional = std::min(positional_count(rest), rest.size());
  const std::string terminals = device.letter == 'm'   ? "dgsb"
                                : device.letter == 'q' ? "cbet"
                                : device.letter == 'd' ? "ac"
                                                       : "dgs";
  const bool may_lack = device.letter == 'm' || device.letter == 'q';
  const std::size_t fewest = terminals.size() - (may_lack ? 1 : 0);
  if (positional < fewest + 1)
    refuse(name, "element '" + name.text + "' needs " + std::to_string(fewest) + " nodes and a model",
           device.letter == 'm' ? "write NAME drain gate source bulk MODEL" : "write its nodes, then the name of its model");
  std::size_t nodes = fewest;
  const auto is_model = [&](const std::string& lower) { return model_of(lower) != nullptr; };
  if (may_lack && positional > terminals.size() && !model_of(rest[fewest].text))
    nodes = starts_number(rest[fewest + 1].text) ? model_place(rest.first(positional), is_model) : fewest + 1;
  for (std::size_t i = 0; i < nodes; ++i) device.at[terminals[i]] = rest[i].text;
  if (device.letter == 'm' && nodes == fewest) device.at['b'] = device.at['s'];
  if (device.letter == 'q' && nodes == fewest) device.at['t'] = "0";
  device.model_name = rest[nodes].text;
  device.model = model_of(device.model_name);
  const bool sized = device.letter != 'm' && positional > nodes + 1 && starts_number(rest[nodes + 1].text);
  if (sized) device.units = netlist_number(rest[nodes + 1].text, rest[nodes + 1].where);
  for (const auto& [key, value] : assignments(rest.subspan(positional))) {
    const std::string what = lower_case(key.text);
    if (what == "area" && sized) refuse_twice(key);
    if (what == "m") device.count = values_.plain_value(value, scope);
    if (what == "m" || what == "area") device.units *= values_.plain_value(value, scope);
    if (device.letter == 'm' && what == "w") device.width = values_.plain_value(value, scope);
    if (device.letter == 'm' && what == "l") device.length = values_.plain_value(value, scope);
  }
  return device;
}

/// Whether it is the base that lies on the substrate: SUBS=-1, which is usual of PNP.
bool NetlistPoint::is_lateral(const Model* model) {
  if (!model) return false;
  const auto stated = model->entries.find("subs");
  return stated != model->entries.end() ? stated->second.text.starts_with('-') : model->kind == "pnp";
}

/// Whether the capacitances are derivatives of charges, as BSIM has them, and not those of Meyer.
bool NetlistPoint::is_of_charges(const Device& device) const {
  if (first_of(device.beside, {"capbd", "capbs"})) return true;
  for (const char* name : {"cgs", "cgd", "cgb", "cdb", "csb", "cbd", "cbs"})
    if (const auto* value = first_of(device.beside, {name}); value && value->number.is_negative()) return true;
  if (!device.model) return false;
  static const std::set<std::string> of_meyer{"1", "2", "3", "6", "9"};
  const auto level = device.model->entries.find("level");
  return level != device.model->entries.end() && !of_meyer.contains(level->second.text);
}

/// Shichman's and Hodges' transistor, which is meant where no level is stated.
bool NetlistPoint::is_of_first_level(const Device& device) {
  if (!device.model || device.model->kind == "vdmos") return false;
  const auto level = device.model->entries.find("level");
  return level == device.model->entries.end() || level->second.text == "1";
}

/// Under the names of the netlist, whatever the simulator calls them.
void NetlistPoint::find_values(Device& device) const {
  const auto found = point_.devices.find(lower_case(device.own));
  if (found != point_.devices.end()) device.beside = found->second;
  const bool charges = device.letter == 'm' && is_of_charges(device);
  const auto state = [&](const char* what, std::initializer_list<const char*> names) {
    if (const auto* value = first_of(device.beside, names)) device.values.emplace(what, *value);
  };
  for (const char* what : {"gm", "gds", "gpi", "go", "gmu", "cpi", "cmu", "cbx", "gd", "cd", "cgs", "cgd", "cgb"})
    state(what, {what});
  for (const char* what : {"cgs", "cgd", "cgb"})
    if (const auto value = device.values.find(what); value != device.values.end())
      value->second.number = abs(value->second.number);
  state("gmbs", {"gmbs", "gmb"});
  if (!charges) state("cds", {"cds"});
  charges ? state("cdb", {"capbd"}) : state("cdb", {"cdb", "cbd"});
  charges ? state("csb", {"capbs"}) : state("csb", {"csb", "cbs"});
  for (const char* what : {"ctf", "gbd", "gbs"}) state(what, {what});
  state("ccs", {"ccs", "csub"});
  state("rb", {"rb", "gx"});
  if (const auto rb = device.values.find("rb"); rb != device.values.end() && !device.beside.contains("rb"))
    if (!rb->second.number.is_zero()) rb->second.number = rb->second.number.inverse();
}

void NetlistPoint::note_lack(const std::string& what, const Device& device) {
  Lack& lack = lacks_.try_emplace(what, Lack{device.name.where, ""}).first->second;
  lack.devices += (lack.devices.empty() ? "'" : ", '") + device.own + "'";
}

/// What small-signal values of their kind do not say.
void NetlistPoint::note_limits(const Device& device) {
  const auto states = [&](const char* what) { return device.model && device.model->entries.contains(what); };
  if (device.letter == 'm' && is_of_charges(device))
    note_lack("has derivatives of charges of DEVICES: their sizes are taken as capacitances, which is rough at high frequencies",
              device);
  if (device.letter == 'm' && states("kf") && !(is_of_first_level(device) && device.beside.contains("id")))
    note_lack("says nothing of the flicker noise (KF) of DEVICES: none is taken", device);
  if (device.letter == 'q' && states("tf") && states("vaf") && !point_.complete)
    note_lack("does not say how the base charge (TF) of DEVICES follows V_CE: left out, which matters at high frequencies",
              device);
}

/// The resistances in series are outside of what was found: the device is between their inner ends.
void NetlistPoint::add_series(Device& device, std::vector<NetlistPart>& parts) {
  const auto put = [&](char terminal, const std::string& what, const GiNaC::ex& ohms, const SourceSpan& where) {
    if (values_.with_stated_values(ohms, where).is_zero()) return;
    const std::string symbol = GiNaC::ex_to<GiNaC::symbol>(values_.derived(what + "_" + device.own, ohms, where)).get_name();
    const std::string inner = device.name.text + "_" + terminal;
    parts.push_back(netlist_part(device.name, capital(what) + "_" + device.name.text, {device.at.at(terminal), inner}, symbol));
    device.at[terminal] = inner;
  };
  const auto of_model = [&](char terminal, const char* what) {
    if (!device.model) return;
    const auto ohms = device.model->entries.find(what);
    if (ohms != device.model->entries.end())
      put(terminal, what, values_.plain_value(ohms->second, NetlistScope{}) / device.units, ohms->second.where);
  };
  const auto found_or_of_model = [&](char terminal, const char* what) {
    const auto found = device.beside.find(what);
    found != device.beside.end() ? put(terminal, what, found->second.number, found->second.where) : of_model(terminal, what);
  };
  if (device.letter == 'q') {
    device.at['x'] = device.at['b'];
    of_model('c', "rc");
    if (const auto rb = device.values.find("rb"); rb != device.values.end()) put('b', "rb", rb->second.number, rb->second.where);
    of_model('e', "re");
    device.at['j'] = device.at[is_lateral(device.model) ? 'b' : 'c'];
  } else if (device.letter == 'd') {
    of_model('a', "rs");
  } else if (device.letter == 'j' || !is_of_charges(device)) {
    found_or_of_model('d', "rd");
    found_or_of_model('s', "rs");
  }
}

GiNaC::ex NetlistPoint::current_noise(const Device& device, const char* current, bool shot, bool flicker) {
  const auto found = device.beside.find(current);
  if (found == device.beside.end()) return 0;
  const GiNaC::ex amperes = abs(found->second.number);
  GiNaC::ex density = shot ? values_.shot_noise(amperes) : GiNaC::ex(0);
  if (!flicker || !device.model || !device.model->entries.contains("kf")) return density;
  const auto exponent = device.model->entries.find("af");
  const GiNaC::ex factor = values_.plain_value(device.model->entries.at("kf"), NetlistScope{});
  return density + values_.flicker_noise(factor,
                                         exponent == device.model->entries.end()
                                             ? GiNaC::ex(1)
                                             : values_.plain_value(exponent->second, NetlistScope{}),
                                         amperes, device.name.where, device.letter == 'm' ? GiNaC::ex(1) : device.count);
}

/// Of channels 4 k T 2/3 gm, of junctions 2 q I.
GiNaC::ex NetlistPoint::noise_of(const Device& device, std::string_view what, const GiNaC::ex& value) {
  switch (device.letter) {
    case 'q':
      return what == "gm"    ? current_noise(device, "ic", true, false)
             : what == "gpi" ? current_noise(device, "ib", true, true)
                             : 0;
    case 'd': return what == "gd" ? current_noise(device, "id", true, true) : 0;
    default: break;
  }
  if (what != "gm") return 0;
  const GiNaC::ex channel = 4 * values_.of_noise(boltzmann) * values_.of_noise(noise_temperature) * GiNaC::numeric(2, 3) * value;
  if (device.letter == 'j') return channel + current_noise(device, "id", false, true);
  return is_of_first_level(device) ? channel + channel_flicker(device) : channel;
}

/// KF I_D^AF/(f W L C_ox²), with the oxide that SPICE takes where none is stated.
GiNaC::ex NetlistPoint::channel_flicker(const Device& device) {
  const GiNaC::ex current = current_noise(device, "id", false, true);
  if (current.is_zero()) return 0;
  const auto of = [&](const char* name, const GiNaC::ex& otherwise) {
    const auto stated = device.model->entries.find(name);
    return stated == device.model->entries.end() ? otherwise : values_.plain_value(stated->second, NetlistScope{});
  };
  const GiNaC::ex oxide = oxide_permittivity() / of("tox", GiNaC::numeric(1, 10000000));
  const GiNaC::ex area = device.width * device.units * (device.length - 2 * of("ld", 0));
  return current / (area * GiNaC::pow(values_.derived("cox_" + device.own, oxide, device.name.where), 2));
}

void NetlistPoint::add_part(const Device& device, const char* what, const char* ends, std::vector<NetlistPart>& parts) {
  const auto found = device.values.find(what);
  if (found == device.values.end()) return;
  const GiNaC::ex symbol = values_.derived(what + ("_" + device.own), found->second.number, found->second.where);
  std::vector<std::string> nodes;
  for (const char* end = ends; *end; ++end) nodes.push_back(device.at.at(*end));
  parts.push_back(netlist_part(device.name, capital(what) + "_" + device.name.text, nodes,
                               GiNaC::ex_to<GiNaC::symbol>(symbol).get_name(), noise_of(device, what, symbol)));
}

std::vector<NetlistPart> NetlistPoint::device(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope) {
  Device device = placed(name, rest, scope);
  placed_.insert(lower_case(device.own));
  find_values(device);
  std::string needed, lacking;
  const auto list = [](std::string& text, const char* what) { text += (text.empty() ? "" : ", ") + std::string(what); };
  for (const PointPart& part : parts_of(device.letter))
    if (!device.values.contains(part.what)) list(part.needed ? needed : lacking, part.what);
  if (device.letter == 'q' && !device.values.contains("rb")) list(lacking, "rb");
  if (!needed.empty())
    refuse(name, "'" + device.own + "' has no values of " + needed + " in '" + printable(point_.file) + "'",
           scope.suffix.empty() ? "let ngspice write them: show " + lower_case(name.text) + ", or print @" +
                                      lower_case(name.text) + "[" + needed.substr(0, needed.find(',')) + "], behind op"
                                : "let ngspice write them: show all, behind op");
  for (const char* current : {"ic", "id"})
    if ((device.letter == 'q') == (current[1] == 'c') && states_entry(rest, current))
      note_lack("counts, and the point that the netlist states of DEVICES is left out", device);
  if (!lacking.empty() && !point_.complete) note_lack("has no " + lacking + " of DEVICES: taken as 0", device);
  if (device.letter == 'q' && !(device.beside.contains("ic") && device.beside.contains("ib")))
    note_lack("has no ic, ib of DEVICES: no shot noise", device);
  if (device.letter == 'd' && !device.beside.contains("id")) note_lack("has no id of DEVICES: no shot noise", device);
  note_limits(device);
  std::vector<NetlistPart> parts;
  add_series(device, parts);
  if (device.letter == 'm') {
    // Where the current runs the other way, source and drain change places, but for the capacitances.
    const auto across = device.beside.find("vds");
    const bool reversed = across != device.beside.end() && across->second.number.is_negative();
    device.at['p'] = device.at[reversed ? 's' : 'd'];
    device.at['n'] = device.at[reversed ? 'd' : 's'];
  }
  for (const PointPart& part : parts_of(device.letter)) add_part(device, part.what, part.ends, parts);
  if (const auto narrowed = device.values.find("ctf"); narrowed != device.values.end()) {  // by the Early effect, the base
    const GiNaC::ex symbol = values_.derived("ctf_" + device.own, narrowed->second.number, narrowed->second.where);
    parts.push_back(netlist_part(device.name, "Gtf_" + device.name.text,
                                 {device.at.at('b'), device.at.at('e'), device.at.at('b'), device.at.at('c')},
                                 "-s*" + GiNaC::ex_to<GiNaC::symbol>(symbol).get_name()));
  }
  for (const auto& [what, ends] : {std::pair("cbx", "xc"), std::pair("cds", "ds"), std::pair("gbd", "bdbd"),
                                   std::pair("gbs", "bsbs")})  // of some models alone
    if (const auto more = device.values.find(what); more != device.values.end() && !more->second.number.is_zero())
      add_part(device, what, ends, parts);
  return parts;
}

void NetlistPoint::tell(const NetlistDevices::Points& stated, std::vector<Diagnostic>& notes) const {
  if (point_.complete && !point_.devices.empty())
    notes.push_back({point_.devices.begin()->second.begin()->second.where, point_.said, "", Severity::note});
  for (const auto& [name, entries] : stated)
    if (placed_.contains(name) && !entries.empty())
      notes.push_back({entries.front().first.where,
                       "the point that the netlist states of '" + name + "' is left out: '" + printable(point_.file) + "' counts",
                       "", Severity::remark});
  for (const auto& [what, lack] : lacks_) {
    std::string said = what;
    said.replace(said.find("DEVICES"), 7, lack.devices);
    const bool is_zero = what.ends_with("taken as 0");
    notes.push_back({lack.where, "'" + printable(point_.file) + "' " + said,
                     is_zero ? Remedy("state it in an element beside the device where it matters") : Remedy(),
                     is_zero ? Severity::warning : Severity::remark});
  }
  for (const auto& [name, values] : point_.devices)
    if (!placed_.contains(name))
      notes.push_back({values.begin()->second.where,
                       "the netlist has no device '" + printable(name) + "': its values are left out",
                       "check that the file is of this netlist", Severity::warning});
}

}  // namespace sfg
