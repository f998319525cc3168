#include "sfg/read/spice/dc_circuit.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/expr/constant.hpp"
#include "sfg/graph/rest_inputs.hpp"

namespace sfg {

namespace {

using Of = Circuit::Kind;
using Matrix = Eigen::MatrixXd;

double value_of(double x, double) { return x; }
/// A number that was stated in decimals.
ring::Interval value_of(double x, const ring::Interval&) { return ring::Interval::rounded(x); }

}  // namespace

std::string certain_volts(const DcSolution& solution) {
  int power = -9;
  while (solution.within.value_or(1) > std::pow(10.0, power)) ++power;
  return "1e" + std::to_string(power) + " V";
}

DcCircuit::DcCircuit(const Circuit& circuit, const std::vector<DcDevice>& devices) : circuit_(circuit), devices_(devices) {
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

DcSolution DcCircuit::solved() {
  const Vector start = Vector::Zero(unknowns_);
  last_ = places(start);
  if (const auto found = newton(start, 0, 1)) return solution(*found);
  if (const auto found = with_conductances()) return solution(*found);
  if (const auto found = with_growing_sources()) return solution(*found);
  throw Error(circuit_.where, "no operating point was found: v(" + moving_ + ") does not settle", dc_what_to_try);
}

DcSolution DcCircuit::solution(const Vector& x) const {
  DcSolution result;
  for (const auto& [node, index] : index_)
    if (node.find(" inside ") == std::string::npos) result.voltages[node] = x(index);
  for (std::size_t i = 0; i < devices_.size(); ++i)
    result.small_signal.push_back(dc_small_signal(devices_[i], voltages_at(places_[i], x)));
  prove(x, result);
  return result;
}

bool DcCircuit::has_current(const Circuit::Element& element) {
  return element.kind == Of::voltage_source || element.kind == Of::inductor || element.kind == Of::vcvs ||
         element.kind == Of::ccvs || element.kind == Of::nullor;
}

DcCircuit::Index DcCircuit::node_of(const std::string& name) {
  if (name == "0") return -1;
  const auto [entry, is_new] = index_.try_emplace(name, static_cast<Index>(names_.size()));
  if (is_new) names_.push_back(name);
  return entry->second;
}

/// With the stated values, at rest.
double DcCircuit::number(const GiNaC::ex& value, const Circuit::Element& element, const GiNaC::exmap& stated) {
  constexpr unsigned as_they_are = GiNaC::subs_options::no_pattern;
  const auto found = double_value(value.subs(stated, as_they_are).subs(stated, as_they_are));
  if (!found) throw Error(element.where, "'" + element.name + "' has no value for the operating point", "give its names values");
  return *found;
}

void DcCircuit::find_values() {
  GiNaC::exmap stated = circuit_.symbols.values();
  stated[circuit_.op.in(circuit_.symbols)] = 0;
  for (const Circuit::Element& element : circuit_.elements) {
    double value = 0;
    if (element.kind == Of::law_current || element.kind == Of::law_voltage)
      throw Error(element.where, "'" + element.name + "' is no part of an operating point that is found here", dc_what_to_try);
    if (element.kind == Of::voltage_source || element.kind == Of::current_source) {
      const auto rest = stated_rest(circuit_.symbols, element.name);
      value = rest ? number(rest->value, element, stated) : 0;
    } else if (element.kind != Of::capacitor && element.kind != Of::inductor && element.kind != Of::coupling &&
               element.kind != Of::nullor) {
      value = number(element.value, element, stated);
    }
    values_.push_back(value);
  }
}

template <class T>
void DcCircuit::add_conductance(DcEquations<T>& M, Index plus, Index minus, const T& siemens) const {
  M.add(plus, plus, siemens);
  M.add(minus, minus, siemens);
  M.add(plus, minus, -siemens);
  M.add(minus, plus, -siemens);
}

/// The current of an element, which is an unknown.
template <class T>
void DcCircuit::add_current_of(DcEquations<T>& M, Index row, const std::string& control, const T& gain) const {
  if (const auto current = currents_.find(control); current != currents_.end()) return M.add(row, current->second, gain);
  const auto found = std::ranges::find(circuit_.elements, control, &Circuit::Element::name);
  throw Error(found == circuit_.elements.end() ? circuit_.where : found->where,
              "the current of '" + control + "' controls a source: it is not known in an operating point",
              "put a source of 0 V in series and name it");
}

template <class T>
void DcCircuit::add_element(DcEquations<T>& M, const Circuit::Element& element, const T& value, double scale) const {
  std::vector<Index> at;
  for (const std::string& node : element.nodes) at.push_back(index_at(node));
  const auto current = currents_.find(element.name);
  if (current != currents_.end() && element.kind != Of::nullor) {
    M.add(at[0], current->second, T(1));
    M.add(at[1], current->second, T(-1));
  }
  if (current != currents_.end()) {
    M.add(current->second, at[0], T(1));
    M.add(current->second, at[1], T(-1));
  }
  switch (element.kind) {
    case Of::resistor: add_conductance(M, at[0], at[1], T(1) / value); break;
    case Of::voltage_source: M.add_right(current->second, value * T(scale)); break;
    case Of::current_source:
      M.add_right(at[0], -value * T(scale));
      M.add_right(at[1], value * T(scale));
      break;
    case Of::vcvs:
      M.add(current->second, at[2], -value);
      M.add(current->second, at[3], value);
      break;
    case Of::ccvs: add_current_of(M, current->second, element.controls[0], -value); break;
    case Of::cccs:
      if (at[0] >= 0) add_current_of(M, at[0], element.controls[0], value);
      if (at[1] >= 0) add_current_of(M, at[1], element.controls[0], -value);
      break;
    case Of::vccs:
      for (const auto& [row, sign] : {std::pair(at[0], 1.0), std::pair(at[1], -1.0)}) {
        M.add(row, at[2], T(sign) * value);
        M.add(row, at[3], -(T(sign) * value));
      }
      break;
    case Of::nullor:
      M.add(at[2], current->second, T(1));
      M.add(at[3], current->second, T(-1));
      break;
    default: break;
  }
}

template <class T>
DcEquations<T> DcCircuit::linear(double scale) const {
  DcEquations<T> M(static_cast<std::size_t>(unknowns_));
  for (std::size_t i = 0; i < circuit_.elements.size(); ++i)
    add_element(M, circuit_.elements[i], value_of(values_[i], T(0)), scale);
  for (const Conductance& each : series_) add_conductance(M, each.plus, each.minus, value_of(each.siemens, T(0)));
  return M;
}

std::vector<double> DcCircuit::voltages_at(const std::vector<Index>& places, const Vector& x) const {
  std::vector<double> result;
  for (const Index place : places) result.push_back(place < 0 ? 0 : x(place));
  return result;
}

DcCircuit::Voltages DcCircuit::places(const Vector& x) const {
  Voltages result;
  for (const auto& each : places_) result.push_back(voltages_at(each, x));
  return result;
}

/// One step; true where nothing was limited and every equation is met.
bool DcCircuit::step(Vector& x, double conductance, double scale) {
  DcEquations<double> M = linear<double>(scale);
  for (Index i = 0; i < nodes_count_; ++i) M.add(i, i, conductance);
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
        M.add(places_[k][i], places_[k][j], stamp.conductances[i][j]);
        constant -= stamp.conductances[i][j] * at[j];
      }
      M.add_right(places_[k][i], -constant);
    }
  }
  check_held(M);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> matrix(M.matrix.data(), unknowns_, unknowns_);
  const Eigen::Map<const Vector> right(M.right.data(), unknowns_);
  x = matrix.partialPivLu().solve(right);
  // Beside 1e70 A in a junction the other equations are roundings; so are those of what is 0 V and 0 A.
  constexpr double lost = 1e-6, nothing = 1e-9;
  const Vector terms = matrix.cwiseAbs() * (x.array().abs() + nothing).matrix() + right.cwiseAbs();
  return free && ((matrix * x - right).array().abs() <= lost * terms.array()).all();
}

void DcCircuit::check_held(DcEquations<double>& M) const {
  for (Index i = 0; i < nodes_count_; ++i)
    if (std::all_of(M.matrix.begin() + i * unknowns_, M.matrix.begin() + (i + 1) * unknowns_, [](double x) { return x == 0; }))
      throw Error(circuit_.where, "node '" + names_[static_cast<std::size_t>(i)] + "' has no path for direct current",
                  "connect it with a resistance, however large");
}

std::optional<Eigen::VectorXd> DcCircuit::newton(Vector x, double conductance, double scale) {
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

std::optional<Eigen::VectorXd> DcCircuit::with_conductances() {
  Vector x = Vector::Zero(unknowns_);
  last_ = places(x);
  for (double g = 1e-2; g > 1e-13; g /= 10) {
    const auto found = newton(x, g, 1);
    if (!found) return std::nullopt;
    x = *found;
  }
  return newton(x, 0, 1);
}

std::optional<Eigen::VectorXd> DcCircuit::with_growing_sources() {
  Vector x = Vector::Zero(unknowns_);
  last_ = places(x);
  for (int i = 1; i <= 100; ++i) {
    const auto found = newton(x, 0, i / 100.0);
    if (!found) return std::nullopt;
    x = *found;
  }
  return x;
}

/// The matrix of slopes at the middle, and by how much it may differ within so much of it; what the equations lack at the middle,
/// at most.
Eigen::MatrixXd DcCircuit::slopes(const Vector& x, const Vector& within, Matrix* radii, Vector* residual) const {
  using ring::Interval;
  DcEquations<Interval> M = linear<Interval>(1);
  if (residual) {
    std::vector<Interval> lack(static_cast<std::size_t>(unknowns_));
    for (Index i = 0; i < unknowns_; ++i) {
      Interval sum = -M.right[static_cast<std::size_t>(i)];
      for (Index j = 0; j < unknowns_; ++j)
        if (!M.at(i, j).zero()) sum = sum + M.at(i, j) * Interval(x(j));
      lack[static_cast<std::size_t>(i)] = sum;
    }
    for (std::size_t k = 0; k < devices_.size(); ++k) {
      std::vector<Interval> at;
      for (const Index place : places_[k]) at.emplace_back(place < 0 ? 0 : x(place));
      const auto stamp = dc_stamp(devices_[k], at);
      for (std::size_t i = 0; i < at.size(); ++i)
        if (const Index row = places_[k][i]; row >= 0)
          lack[static_cast<std::size_t>(row)] = lack[static_cast<std::size_t>(row)] + stamp.currents[i];
    }
    for (Index i = 0; i < unknowns_; ++i) (*residual)(i) = lack[static_cast<std::size_t>(i)].greatest();
  }
  for (std::size_t k = 0; k < devices_.size(); ++k) {
    std::vector<Interval> at;
    for (const Index place : places_[k])
      at.push_back(place < 0 ? Interval(0) : Interval(x(place)) + Interval(-within(place), within(place)));
    const auto stamp = dc_stamp(devices_[k], at);
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t j = 0; j < at.size(); ++j) M.add(places_[k][i], places_[k][j], stamp.conductances[i][j]);
  }
  Matrix middle(unknowns_, unknowns_);
  for (Index i = 0; i < unknowns_; ++i)
    for (Index j = 0; j < unknowns_; ++j) {
      const Interval& each = M.at(i, j);
      middle(i, j) = each.middle();
      if (radii) (*radii)(i, j) = std::max(Interval::above(each.high - middle(i, j)), Interval::above(middle(i, j) - each.low));
    }
  return middle;
}

/// Krawczyk's test around x, with bounds of what products in doubles lose (Rump, Acta Numerica 19, 2010, §2, §13): C an
/// approximate inverse, |C F(x)| + |I − C J(x ± e)| e < e in every unknown.
void DcCircuit::prove(const Vector& x, DcSolution& result) const {
  constexpr Index most = 1000;
  if (unknowns_ > most) {
    result.unproven = "the circuit has more than 1000 unknowns";
    return;
  }
  result.unproven = "intervals do not decide it";
  const double n = static_cast<double>(unknowns_), unit = (n + 8) * std::numeric_limits<double>::epsilon(), up = 1 + 4 * unit;
  Vector lack(unknowns_);
  Matrix radii(unknowns_, unknowns_);
  const Matrix C = slopes(x, Vector::Zero(unknowns_), nullptr, &lack).inverse();
  if (!C.allFinite() || !lack.allFinite()) return;
  const Matrix size = C.cwiseAbs();
  const Vector first = up * (size * lack);
  Vector e = 1.5 * first + Vector::Constant(unknowns_, 1e-300);
  for (int i = 0; i < 12; ++i) {
    const Matrix J = slopes(x, e, &radii, nullptr);
    if (!J.allFinite() || !radii.allFinite()) return;
    const Matrix left = (Matrix::Identity(unknowns_, unknowns_) - C * J).cwiseAbs() + size * (unit * J.cwiseAbs() + radii) +
                        unit * Matrix::Identity(unknowns_, unknowns_);
    const Vector image = up * up * (first + left * e);
    if (!image.allFinite()) return;
    if ((image.array() < e.array()).all()) {
      result.within = nodes_count_ == 0 ? 0 : image.head(nodes_count_).maxCoeff();
      result.unproven.clear();
      return;
    }
    e = image * 1.5 + Vector::Constant(unknowns_, 1e-300);
  }
}

}  // namespace sfg
