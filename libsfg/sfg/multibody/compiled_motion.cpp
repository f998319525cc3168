#include "sfg/multibody/compiled_motion.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>

#include "sfg/derive/multibody/vanishing_entries.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/multibody/state_names.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using GiNaC::ex;
using GiNaC::ex_to;

ex derivative(const ex& e, const ex& symbol) { return e.diff(ex_to<GiNaC::symbol>(symbol)); }

ex time_of(const SymbolTable& symbols) {
  const Symbol* known = symbols.find("t");
  return known ? known->expr : ex(GiNaC::symbol("t"));
}

/// Values of parameters that are numbers; whatever else an expression has is missed there.
GiNaC::exmap numbers(const SymbolTable& symbols) {
  GiNaC::exmap found;
  for (const auto& [symbol, value] : symbols.values())
    if (const ex number = value.evalf(); GiNaC::is_a<GiNaC::numeric>(number)) found[symbol] = value;
  return found;
}

void append(std::vector<double>& point, const VectorXd& values) {
  point.insert(point.end(), values.data(), values.data() + values.size());
}

std::vector<double> point_of(const VectorXd& q, const VectorXd& v, const VectorXd& u, double t) {
  std::vector<double> point;
  point.reserve(static_cast<std::size_t>(2 * q.size() + 2 * v.size() + u.size() + 1));
  append(point, q);
  append(point, v);
  append(point, u);
  point.push_back(t);
  return point;
}

}  // namespace

CompiledMotion::CompiledMotion(const MultibodyEquations& equations, std::span<const ex> stops)
    : equations_(equations), values_(numbers(equations.motion.symbols)), time_(time_of(equations.motion.symbols)) {
  const EquationsOfMotion& motion = equations_.motion;
  coordinates_ = static_cast<Index>(motion.coordinates.size());
  speeds_ = static_cast<Index>(motion.speeds.size());
  constraints_ = static_cast<Index>(motion.constraints.size());
  holonomic_ = static_cast<Index>(motion.holonomic());
  stops_ = static_cast<Index>(stops.size());
  inputs_ = static_cast<Index>(motion.inputs.size());
  for (const auto& constraint : motion.constraints) names_.push_back(constraint.name);
  name_inputs(stops_ > 0 || std::ranges::any_of(motion.constraints, [](const auto& each) { return each.row.empty(); }));
  for (const auto& coordinate : motion.coordinates) point_.push_back(coordinate.q);
  for (const auto& speed : motion.speeds) point_.push_back(speed.symbol);
  point_.insert(point_.end(), input_symbols_.begin(), input_symbols_.end());
  point_.push_back(time_);

  std::vector<ex> outputs;
  for (const auto& coordinate : motion.coordinates) outputs.push_back(coordinate.rate);
  rate_ = tape(outputs, point_);
  for (std::size_t i = 0; i < motion.speeds.size(); ++i)
    for (std::size_t j = i; j < motion.speeds.size(); ++j) outputs.push_back(motion.M[i][j]);
  outputs.insert(outputs.end(), motion.F.begin(), motion.F.end());
  const std::size_t first_row = outputs.size();
  for (const Row& each : rows(stops)) {
    outputs.push_back(each.value);
    outputs.push_back(each.drive);
    outputs.push_back(each.gamma);
    outputs.insert(outputs.end(), each.J.begin(), each.J.end());
  }
  terms_ = tape(outputs, point_);
  if (first_row < outputs.size()) leave_out_vanishing(std::move(outputs), first_row);
}

/// Entries of J that rounding alone keeps from being 0 are 0.
void CompiledMotion::leave_out_vanishing(std::vector<ex> outputs, std::size_t first_row) {
  const std::vector<bool> vanishing = vanishing_outputs(terms_, equations_.quaternions);
  const auto speeds = static_cast<std::size_t>(speeds_);
  bool changed = false;
  for (std::size_t row = first_row; row < outputs.size(); row += 3 + speeds)
    for (std::size_t entry = row + 3; entry < row + 3 + speeds; ++entry)
      if (vanishing[entry] && !outputs[entry].is_zero()) {
        outputs[entry] = 0;
        changed = true;
      }
  if (changed) terms_ = tape(outputs, point_);
}

/// Rates of inputs beyond those that occur get symbols of their own, where constraints are differentiated.
void CompiledMotion::name_inputs(bool second_rates) {
  for (const auto& input : equations_.motion.inputs) orders_ = std::max(orders_, input.derivatives.size() - 1);
  if (second_rates && inputs_ > 0) orders_ = 2;
  for (std::size_t order = 0; order <= orders_; ++order)
    for (const auto& input : equations_.motion.inputs)
      input_symbols_.push_back(order < input.derivatives.size()
                                   ? input.derivatives[order]
                                   : ex(GiNaC::symbol(std::string(order, 'D') + "(" + input.name + ")")));
}

/// The derivative by time on the way of the motion, speeds held.
ex CompiledMotion::along_motion(const ex& e) const {
  ex result = derivative(e, time_);
  for (const auto& coordinate : equations_.motion.coordinates) result += derivative(e, coordinate.q) * coordinate.rate;
  const auto inputs = static_cast<std::size_t>(inputs_);
  for (std::size_t i = 0; i + inputs < input_symbols_.size(); ++i)
    result += derivative(e, input_symbols_[i]) * input_symbols_[i + inputs];
  return result;
}

CompiledMotion::Row CompiledMotion::row(const ex& value) const {
  Row made{value, along_motion(value), 0, {}};
  GiNaC::exmap at_rest;
  for (const auto& speed : equations_.motion.speeds) {
    made.J.push_back(derivative(made.drive, speed.symbol));
    at_rest[speed.symbol] = 0;
  }
  made.gamma = -along_motion(made.drive);
  made.drive = made.drive.subs(at_rest, GiNaC::subs_options::no_pattern);
  return made;
}

std::vector<CompiledMotion::Row> CompiledMotion::rows(std::span<const ex> stops) const {
  const EquationsOfMotion& motion = equations_.motion;
  const bool differentiated =
      stops_ > 0 || std::ranges::any_of(motion.constraints, [](const auto& each) { return each.row.empty(); });
  const EquationsOfMotion whole = differentiated ? motion.without_definitions() : motion;
  std::vector<Row> found;
  for (const auto& each : whole.constraints) {
    found.push_back(each.row.empty() ? row(each.value) : Row{each.value, each.rate, each.gamma, each.row});
  }
  for (const ex& stop : stops) found.push_back(row(stop));
  return found;
}

numeric::Tape CompiledMotion::tape(std::span<const ex> outputs, std::span<const ex> inputs) const {
  numeric::TapeBuilder builder;
  for (const ex& input : inputs) builder.input(ex_to<GiNaC::symbol>(input).get_name());
  GiNaC::exmap known = values_;
  for (const ex& input : inputs) known.erase(input);
  ExpressionCompiler compiler(builder, known);
  for (const auto& definition : equations_.motion.definitions) compiler.define(definition.symbol, definition.value);
  for (const auto& definition : equations_.definitions) compiler.define(definition.symbol, definition.value);
  std::vector<numeric::TapeBuilder::Value> results;
  for (const ex& output : outputs) results.push_back(compiler(output));
  numeric::Tape made = builder.tape(results);
  if (made.inputs().size() > inputs.size()) {
    const auto missing = made.inputs().subspan(inputs.size());
    throw missing_values(std::set<std::string>(missing.begin(), missing.end()), equations_.motion.symbols);
  }
  return made;
}

void CompiledMotion::terms(const VectorXd& q, const VectorXd& v, const VectorXd& u, double t, Terms& into) const {
  at_.clear();
  append(at_, q);
  append(at_, v);
  append(at_, u);
  at_.push_back(t);
  into.values.resize(terms_.outputs().size());
  slots_.resize(std::max(slots_.size(), terms_.slot_count()));
  terms_.run<double>(at_, into.values, slots_);
  const std::vector<double>& values = into.values;
  const double* next = values.data();
  const auto take = [&](VectorXd& vector, Index size) {
    vector = Eigen::Map<const VectorXd>(next, size);
    next += size;
  };
  take(into.rate, coordinates_);
  into.M.resize(speeds_, speeds_);
  for (Index i = 0; i < speeds_; ++i)
    for (Index j = i; j < speeds_; ++j) into.M(i, j) = into.M(j, i) = *next++;
  take(into.F, speeds_);
  const Index rows = constraints_ + stops_;
  for (VectorXd* column : {&into.phi, &into.drive, &into.gamma}) column->resize(rows);
  into.J.resize(rows, speeds_);
  for (Index i = 0; i < rows; ++i) {
    into.phi[i] = *next++;
    into.drive[i] = *next++;
    into.gamma[i] = *next++;
    for (Index j = 0; j < speeds_; ++j) into.J(i, j) = *next++;
  }
}

std::span<const double> CompiledMotion::values(std::span<const double> qv, const VectorXd& u, double t) const {
  at_.assign(qv.begin(), qv.end());
  append(at_, u);
  at_.push_back(t);
  results_.resize(terms_.outputs().size());
  slots_.resize(std::max(slots_.size(), terms_.slot_count()));
  terms_.run<double>(at_, results_, slots_);
  return results_;
}

VectorXd CompiledMotion::rate(const VectorXd& q, const VectorXd& v) const {
  const std::vector<double> point = point_of(q, v, VectorXd::Zero(input_values()), 0);
  const std::vector<double> values = rate_.values(std::span<const double>(point));
  return Eigen::Map<const VectorXd>(values.data(), coordinates_);
}

CompiledMotion::Outputs CompiledMotion::outputs(std::span<const ex> expressions) const {
  std::vector<ex> inputs = point_;
  const auto add = [&](const ex& symbol, const char* name, std::size_t i) {
    inputs.push_back(GiNaC::is_a<GiNaC::symbol>(symbol) ? symbol : ex(GiNaC::symbol(name + std::to_string(i))));
  };
  for (std::size_t i = 0; i < equations_.motion.speeds.size(); ++i)
    add(i < equations_.accelerations.size() ? equations_.accelerations[i] : ex(0), "acceleration ", i);
  for (std::size_t i = 0; i < equations_.motion.constraints.size(); ++i)
    add(equations_.motion.constraints[i].multiplier, "multiplier ", i);
  Outputs made;
  made.tape_ = tape(expressions, inputs);
  return made;
}

VectorXd CompiledMotion::Outputs::operator()(const VectorXd& q, const VectorXd& v, const VectorXd& u, double t, const VectorXd& a,
                                             const VectorXd& lambda) const {
  std::vector<double> point = point_of(q, v, u, t);
  append(point, a);
  append(point, lambda);
  const std::vector<double> values = tape_.values(std::span<const double>(point));
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

VectorXd CompiledMotion::Outputs::sizes(const VectorXd& q, const VectorXd& v, const VectorXd& u, double t) const {
  using Complex = std::complex<double>;
  const double once = std::ldexp(1, -53);
  const std::vector<double> at = point_of(q, v, u, t);
  std::vector<Complex> point(at.begin(), at.end()), values(tape_.outputs().size());
  point.resize(tape_.inputs().size());
  std::vector<std::span<const Complex>> feeds;
  for (const Complex& value : point) feeds.emplace_back(&value, 1);
  VectorXd errors(static_cast<Index>(values.size()));
  tape_.run_bounded(1, feeds, std::vector<double>(point.size(), once), values, {errors.data(), values.size()}, 1);
  return errors / once;
}

VectorXd CompiledMotion::Outputs::gradient(const VectorXd& q, const VectorXd& v, const VectorXd& u, double t) const {
  std::vector<double> point = point_of(q, v, u, t);
  point.resize(tape_.inputs().size(), 0);
  std::vector<double> seeds(tape_.outputs().size(), 0), values(seeds.size()), derivatives(point.size()),
      workspace(2 * tape_.instructions().size());
  if (seeds.empty()) return VectorXd::Zero(static_cast<Index>(point.size()));
  seeds.front() = 1;
  tape_.gradient<double>(point, seeds, values, derivatives, workspace);
  return Eigen::Map<const VectorXd>(derivatives.data(), static_cast<Index>(derivatives.size()));
}

void CompiledMotion::normalize(VectorXd& q) const {
  for (const auto& quaternion : equations_.quaternions) {
    double square = 0;
    for (const std::size_t i : quaternion) square += q[static_cast<Index>(i)] * q[static_cast<Index>(i)];
    const double length = std::sqrt(square);
    for (const std::size_t i : quaternion)
      if (length > 0)
        q[static_cast<Index>(i)] /= length;
      else
        q[static_cast<Index>(i)] = i == quaternion.front() ? 1 : 0;
  }
}

NoAnswer no_inertia(const EquationsOfMotion& motion, const NoInertia& none) {
  const auto row = static_cast<std::size_t>(none.row);
  return NoAnswer("the mass matrix is singular here: '" + name_of_speed(motion, row) + "' can move without inertia",
                  "give a mass or an inertia to what moves with it", motion.speeds[row].where);
}

}  // namespace sfg
