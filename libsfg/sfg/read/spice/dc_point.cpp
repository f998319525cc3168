#include "sfg/read/spice/dc_point.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/model/rest_value.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Of = Circuit::Kind;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

constexpr const char* what_to_try = "take the point that a simulator finds, or state it beside the devices: ID=, VDS=, IC=, VCE=";

/// Node equations with a current for every element that states a voltage.
class DcCircuit {
 public:
  DcCircuit(const Circuit& circuit, const std::vector<DcDevice>& devices) : circuit_(circuit), devices_(devices) {
    for (const Circuit::Element& element : circuit.elements)
      for (const std::string& node : element.nodes) node_of(node);
    for (const DcDevice& device : devices) {
      std::vector<Index> outer, inner;
      for (const std::string& node : device.nodes) outer.push_back(node_of(node));
      inner = outer;
      for (const auto& [end, ohms] : dc_series(device)) {
        inner[end] = node_of(device.name + " inside " + std::to_string(end));
        series_.push_back({outer[end], inner[end], 1 / ohms});
      }
      places_.push_back(std::move(inner));
    }
    nodes_count_ = static_cast<Index>(names_.size());
    unknowns_ = nodes_count_;
    for (const Circuit::Element& element : circuit.elements)
      if (has_current(element)) currents_.emplace(element.name, unknowns_++);
    find_values();
  }

  /// By device: what it is there.
  std::vector<DcStamp> solved() {
    Vector start = Vector::Zero(unknowns_);
    last_ = places(start);
    if (auto found = newton(start, 0, 1)) return stamps(*found);
    if (const auto found = with_conductances()) return stamps(*found);
    if (const auto found = with_growing_sources()) return stamps(*found);
    throw Error(circuit_.where, "no operating point was found: v(" + moving_ + ") does not settle", what_to_try);
  }

 private:
  struct Conductance {
    Index plus, minus;
    double siemens;
  };
  using Voltages = std::vector<std::vector<double>>;  ///< by device and node

  static bool has_current(const Circuit::Element& element) {
    return element.kind == Of::voltage_source || element.kind == Of::inductor || element.kind == Of::vcvs ||
           element.kind == Of::ccvs || element.kind == Of::nullor;
  }

  Index node_of(const std::string& name) {
    if (name == "0") return -1;
    const auto [entry, is_new] = index_.try_emplace(name, static_cast<Index>(names_.size()));
    if (is_new) names_.push_back(name);
    return entry->second;
  }

  /// With the stated values, at rest.
  double number(const GiNaC::ex& value, const Circuit::Element& element) const {
    GiNaC::exmap put = circuit_.symbols.values();
    put[circuit_.op.in(circuit_.symbols)] = 0;
    const auto found = double_value(value.subs(put).subs(put));
    if (!found)
      throw Error(element.where, "'" + element.name + "' has no value for the operating point", "give its names values");
    return *found;
  }

  void find_values() {
    for (const Circuit::Element& element : circuit_.elements) {
      double value = 0;
      if (element.kind == Of::law_current || element.kind == Of::law_voltage)
        throw Error(element.where, "'" + element.name + "' is no part of an operating point that is found here", what_to_try);
      if (element.kind == Of::voltage_source || element.kind == Of::current_source) {
        const auto rest = stated_rest(circuit_.symbols, element.name);
        value = rest ? number(rest->value, element) : 0;
      } else if (element.kind != Of::capacitor && element.kind != Of::inductor && element.kind != Of::coupling &&
                 element.kind != Of::nullor) {
        value = number(element.value, element);
      }
      values_.push_back(value);
    }
  }

  static void add(Matrix& M, Index row, Index column, double value) {
    if (row >= 0 && column >= 0) M(row, column) += value;
  }
  static void add_conductance(Matrix& M, const Conductance& g) {
    add(M, g.plus, g.plus, g.siemens);
    add(M, g.minus, g.minus, g.siemens);
    add(M, g.plus, g.minus, -g.siemens);
    add(M, g.minus, g.plus, -g.siemens);
  }

  /// The current of an element as a sum of unknowns.
  void add_current_of(Matrix& M, Index row, const std::string& control, double gain) const {
    if (const auto current = currents_.find(control); current != currents_.end()) return add(M, row, current->second, gain);
    const auto found = std::ranges::find(circuit_.elements, control, &Circuit::Element::name);
    if (found == circuit_.elements.end() || found->kind != Of::resistor)
      throw Error(found == circuit_.elements.end() ? circuit_.where : found->where,
                  "the current of '" + control + "' controls a source: it is not known in an operating point",
                  "put a source of 0 V in series and name it");
    const double ohms = values_[static_cast<std::size_t>(found - circuit_.elements.begin())];
    add(M, row, index_at(found->nodes[0]), gain / ohms);
    add(M, row, index_at(found->nodes[1]), -gain / ohms);
  }
  Index index_at(const std::string& node) const { return node == "0" ? -1 : index_.at(node); }

  void add_element(const Circuit::Element& element, double value, double scale, Matrix& M, Vector& r) const {
    std::vector<Index> at;
    for (const std::string& node : element.nodes) at.push_back(index_at(node));
    const auto current = currents_.find(element.name);
    const auto into = [&](Index node, double amperes) {
      if (node >= 0) r(node) += amperes;
    };
    if (current != currents_.end() && element.kind != Of::nullor) {
      add(M, at[0], current->second, 1);
      add(M, at[1], current->second, -1);
    }
    if (current != currents_.end()) {
      add(M, current->second, at[0], 1);
      add(M, current->second, at[1], -1);
    }
    switch (element.kind) {
      case Of::resistor: add_conductance(M, {at[0], at[1], 1 / value}); break;
      case Of::voltage_source: r(current->second) = value * scale; break;
      case Of::current_source:
        into(at[0], -value * scale);
        into(at[1], value * scale);
        break;
      case Of::vcvs:
        add(M, current->second, at[2], -value);
        add(M, current->second, at[3], value);
        break;
      case Of::ccvs: add_current_of(M, current->second, element.controls[0], -value); break;
      case Of::cccs:
        if (at[0] >= 0) add_current_of(M, at[0], element.controls[0], value);
        if (at[1] >= 0) add_current_of(M, at[1], element.controls[0], -value);
        break;
      case Of::vccs:
        for (const auto& [row, sign] : {std::pair(at[0], 1.0), std::pair(at[1], -1.0)}) {
          add(M, row, at[2], sign * value);
          add(M, row, at[3], -sign * value);
        }
        break;
      case Of::nullor:
        add(M, at[2], current->second, 1);
        add(M, at[3], current->second, -1);
        break;
      default: break;
    }
  }

  std::vector<double> voltages_at(const std::vector<Index>& places, const Vector& x) const {
    std::vector<double> result;
    for (const Index place : places) result.push_back(place < 0 ? 0 : x(place));
    return result;
  }
  Voltages places(const Vector& x) const {
    Voltages result;
    for (const auto& each : places_) result.push_back(voltages_at(each, x));
    return result;
  }
  std::vector<DcStamp> stamps(const Vector& x) const {
    std::vector<DcStamp> result;
    for (std::size_t i = 0; i < devices_.size(); ++i) result.push_back(dc_stamp(devices_[i], voltages_at(places_[i], x)));
    return result;
  }

  /// One step; true where nothing was limited.
  bool step(Vector& x, double conductance, double scale) {
    Matrix M = Matrix::Zero(unknowns_, unknowns_);
    Vector r = Vector::Zero(unknowns_);
    for (std::size_t i = 0; i < circuit_.elements.size(); ++i) add_element(circuit_.elements[i], values_[i], scale, M, r);
    for (const Conductance& each : series_) add_conductance(M, each);
    for (Index i = 0; i < nodes_count_; ++i) M(i, i) += conductance;
    bool free = true;
    for (std::size_t k = 0; k < devices_.size(); ++k) {
      const std::vector<double> wanted = voltages_at(places_[k], x);
      const std::vector<double> at = dc_limited(devices_[k], wanted, last_[k]);
      for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t j = 0; j < at.size(); ++j) free = free && std::abs((at[i] - at[j]) - (wanted[i] - wanted[j])) < 1e-9;
      const DcStamp stamp = dc_stamp(devices_[k], at);
      last_[k] = at;
      for (std::size_t i = 0; i < at.size(); ++i) {
        double constant = stamp.currents[i];
        for (std::size_t j = 0; j < at.size(); ++j) {
          add(M, places_[k][i], places_[k][j], stamp.conductances[i][j]);
          constant -= stamp.conductances[i][j] * at[j];
        }
        if (places_[k][i] >= 0) r(places_[k][i]) -= constant;
      }
    }
    check_held(M);
    x = M.partialPivLu().solve(r);
    return free;
  }

  void check_held(const Matrix& M) const {
    for (Index i = 0; i < nodes_count_; ++i)
      if (M.row(i).isZero(0))
        throw Error(circuit_.where, "node '" + names_[static_cast<std::size_t>(i)] + "' has no path for direct current",
                    "connect it with a resistance, however large");
  }

  std::optional<Vector> newton(Vector x, double conductance, double scale) {
    constexpr int most_steps = 200;
    for (int i = 0; i < most_steps; ++i) {
      const Vector before = x;
      const bool free = step(x, conductance, scale);
      if (!x.allFinite()) return std::nullopt;
      Index most = 0;
      const double change = nodes_count_ == 0 ? 0 : (x - before).head(nodes_count_).cwiseAbs().maxCoeff(&most);
      moving_ = nodes_count_ == 0 ? "" : names_[static_cast<std::size_t>(most)];
      if (i > 0 && free && change < 1e-11 * (1 + x.head(nodes_count_).cwiseAbs().maxCoeff())) return x;
    }
    return std::nullopt;
  }

  std::optional<Vector> with_conductances() {
    Vector x = Vector::Zero(unknowns_);
    last_ = places(x);
    for (double g = 1e-2; g > 1e-13; g /= 10) {
      const auto found = newton(x, g, 1);
      if (!found) return std::nullopt;
      x = *found;
    }
    return newton(x, 0, 1);
  }
  std::optional<Vector> with_growing_sources() {
    Vector x = Vector::Zero(unknowns_);
    last_ = places(x);
    for (int i = 1; i <= 100; ++i) {
      const auto found = newton(x, 0, i / 100.0);
      if (!found) return std::nullopt;
      x = *found;
    }
    return x;
  }

  const Circuit& circuit_;
  const std::vector<DcDevice>& devices_;
  std::map<std::string, Index> index_;
  std::vector<std::string> names_;
  std::map<std::string, Index> currents_;
  std::vector<std::vector<Index>> places_;  ///< of the nodes of each device
  std::vector<Conductance> series_;
  std::vector<double> values_;  ///< by element
  Index nodes_count_ = 0, unknowns_ = 0;
  Voltages last_;
  std::string moving_;
};

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
  for (std::size_t i = 4; i + 1 < statement.size(); ++i) {
    if (!statement[i].is('=')) continue;
    const std::string key = lower_case(statement[i - 1].text);
    static const std::set<std::string> unusual{"ikf", "ikr", "nsub", "rbm", "rsh", "bv", "level", "jf", "itf"};
    const NetlistToken& value = statement[i + 1];
    const auto number = double_value(values.with_stated_values(values.plain_value(value, NetlistScope{}), value.where));
    if (!number) continue;  // a word
    const bool plain = key == "level" ? *number == 1 : *number == 0;
    if (unusual.contains(key) && !plain) model.unusual = statement[i - 1];
    model.entries[key] = *number;
  }
  const std::map<std::string, std::string> others{{"va", "vaf"}, {"pe", "vje"},  {"me", "mje"}, {"pc", "vjc"},
                                                  {"mc", "mjc"}, {"ccs", "cjs"}, {"bfm", "bf"}};
  for (const auto& [other, usual] : others)
    if (const auto found = model.entries.find(other); found != model.entries.end()) model.entries.emplace(usual, found->second);
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
  const bool substrate = device.letter == 'q' && positional > 4 && models_.contains(lower_case(rest[4].text));
  const std::size_t at_model = fewest + (substrate ? 1 : 0);
  for (std::size_t i = 0; i < at_model; ++i) device.nodes.push_back(node(rest[i]));
  if (device.letter == 'q' && !substrate) device.nodes.emplace_back("0");
  const auto model = models_.find(lower_case(rest[at_model].text));
  if (model == models_.end())
    refuse(rest[at_model], "there is no model '" + rest[at_model].text + "' of this kind of device", "add a line .model");
  if (const auto& unusual = model->second.unusual)
    refuse(*unusual, "an operating point with " + unusual->text + " in the model of '" + name.text + "' is not found here",
           "take the one that a simulator finds, or state it beside the devices: ID=, VDS=, IC=, VCE=");
  device.model = model->second.entries;
  device.polarity = model->second.kind[0] == 'p' ? -1 : 1;
  const auto number = [&](const NetlistToken& token) {
    const auto found = double_value(values.with_stated_values(values.plain_value(token, scope), token.where));
    if (!found) refuse(token, "'" + token.text + "' has no value", "give it one by .param");
    return *found;
  };
  if (positional > at_model + 1 && device.letter != 'm') device.units = number(rest[at_model + 1]);
  for (const auto& [key, value] : assignments(rest.subspan(positional))) {
    const std::string what = lower_case(key.text);
    what == "m" || what == "area" ? device.units *= number(value) : device.own[what] = number(value);
  }
  devices_.push_back(std::move(device));
}

SimulatorPoint DcPoint::solved(const Circuit& linear) const {
  SimulatorPoint point;
  point.file = "the operating point that was found";
  point.complete = true;
  DcCircuit circuit(linear, devices_);
  const std::vector<DcStamp> found = circuit.solved();
  for (std::size_t i = 0; i < devices_.size(); ++i)
    for (const auto& [what, value] : found[i].small_signal) {
      const bool part = what[0] == 'c' && value == 0;  // a capacitance that is none
      if (part) continue;
      const std::string text = fmt::format("{:.15g}", std::abs(value));
      const GiNaC::numeric size = parse_number(text);
      point.devices[lower_case(devices_[i].name)][what] = {value < 0 ? -size : size, text, devices_[i].where};
    }
  return point;
}

}  // namespace sfg
