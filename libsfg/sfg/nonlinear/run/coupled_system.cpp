#include "sfg/nonlinear/run/coupled_system.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index index(std::size_t i) { return static_cast<Index>(i); }

std::vector<Jump> take_jumps(PrincipalForm& form) {
  JumpsReplaced replaced;
  if (form.linear.op.discrete()) return {};
  for (auto& law : form.laws) law.law = replaced.in(law.law);
  return std::move(replaced.jumps);
}

/// s, then the levels of floors.
std::vector<GiNaC::ex> numbers_of_jumps(const std::vector<Jump>& jumps) {
  std::vector<GiNaC::ex> numbers;
  for (const Jump& jump : jumps) numbers.push_back(jump.sign);
  for (const Jump& jump : jumps)
    if (jump.has_level()) numbers.push_back(jump.level);
  return numbers;
}

}  // namespace

std::vector<NodeId> driven_nodes(const SimulationQuestion& question) {
  std::vector<NodeId> nodes;
  for (const Drive& drive : question.drives)
    if (std::ranges::find(nodes, drive.node) == nodes.end()) nodes.push_back(drive.node);
  return nodes;
}

CoupledSystem::CoupledSystem(const SignalFlowGraph& graph, PrincipalForm form, const SimulationQuestion& question, double until,
                             const Budget& budget)
    : form_(std::move(form)),
      stated_(form_.laws),
      jumps_(take_jumps(form_)),
      laws_(form_, graph.parameter_values(), numbers_of_jumps(jumps_)),
      linear_(dynamics(form_.linear, form_.inputs(), form_.outputs(), budget)),
      drives_(question, graph.op, linear_.D.size() - (jumps_.empty() ? 1 : 0)),
      loop_(laws_, through(form_, linear_)),
      modes_(
          kinds(jumps_),
          [this](double t, const VectorXd& x, const VectorXd& s, const VectorXd& levels, SlidingModes::Contact& found) {
            take_modes(s, levels);
            return contact(t, x, found);
          },
          until),
      second_(until > 0 ? std::min(1.0, until) : 1) {
  refuse_rates(graph);
  const GiNaC::exmap values = graph.parameter_values();
  compile_jumps(values);
  if (!graph.op.discrete()) {
    collect_functions_of_time(question, values);
    scales_ = TimeScales(of_time_, question.time, until, budget);
  }
  find_contacts();
  input_ = VectorXd::Zero(linear_.B.cols());
  start_ = initial_state(graph, question);
}

void CoupledSystem::reset() {
  loop_.memory = laws_.initial_memory();
  loop_.arguments.setZero();
  past_ = Past();
  modes_.reset();
  drives_.piece(0, 0);
}

void CoupledSystem::compile_jumps(const GiNaC::exmap& values) {
  std::vector<GiNaC::ex> inputs, functions;
  for (const auto& argument : form_.arguments) inputs.push_back(argument.symbol);
  inputs.push_back(form_.time);
  for (const GiNaC::ex& number : numbers_of_jumps(jumps_)) inputs.push_back(number);
  GiNaC::exmap renamed, others = values;
  for (GiNaC::ex& input : inputs) {  // a signal may be called like a parameter
    const GiNaC::ex other = GiNaC::symbol("#" + std::to_string(renamed.size()));
    others.erase(input);
    renamed[input] = other;
    input = other;
  }
  for (const Jump& jump : jumps_) functions.push_back(jump.function.subs(renamed, GiNaC::subs_options::no_pattern));
  jump_functions_ = numeric::with_jacobian(compile(functions, inputs, others));
}

/// What is known of the time alone before the first step: the drives, and the laws of them and of the time.
void CoupledSystem::collect_functions_of_time(const SimulationQuestion& question, const GiNaC::exmap& values) {
  const std::vector<NodeId> nodes = driven_nodes(question);
  std::vector<GiNaC::ex> signals(nodes.size(), 0);
  std::vector<bool> known(nodes.size(), true);
  for (const Drive& drive : question.drives) {
    const auto place = static_cast<std::size_t>(std::ranges::find(nodes, drive.node) - nodes.begin());
    if (const auto* signal = std::get_if<GiNaC::ex>(&drive.signal)) {
      signals[place] += *signal;
      add_parts_of_time(*signal, question.time, of_time_);
    } else {
      known[place] = false;
    }
  }
  GiNaC::exmap meaning = values;
  meaning[form_.time] = question.time;
  for (std::size_t i = 0; i < form_.arguments.size(); ++i)
    if (const auto signal = argument_of_time(i, signals, known)) meaning[form_.arguments[i].symbol] = *signal;
  for (const auto& law : stated_)
    add_parts_of_time(law.law.subs(meaning, GiNaC::subs_options::no_pattern), question.time, of_time_);
  own_time_ = question.time;
}

/// An argument that the drives make without delay.
std::optional<GiNaC::ex> CoupledSystem::argument_of_time(std::size_t argument, const std::vector<GiNaC::ex>& signals,
                                                         const std::vector<bool>& known) const {
  const auto row = index(argument);
  const auto empty = [row](const Dynamics::Matrix& matrix) { return !Dynamics::Matrix::InnerIterator(matrix, row); };
  if (!empty(linear_.C)) return {};
  for (std::size_t d = 1; d < linear_.D.size(); ++d)
    if (!empty(linear_.D[d])) return {};
  GiNaC::ex sum = 0;
  for (Dynamics::Matrix::InnerIterator entry(linear_.D[0], row); entry; ++entry) {
    const auto source = static_cast<std::size_t>(entry.col());
    if (source >= signals.size() || !known[source]) return {};
    sum += GiNaC::numeric(entry.value()) * signals[source];
  }
  return sum;
}

std::vector<double> CoupledSystem::corners(double until, const Budget& budget) const {
  std::vector<double> found = drives_.corners(until, budget);
  for (const GiNaC::ex& function : of_time_)
    for (const double t : switching_times(function, own_time_, until, budget).times) found.push_back(t);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Solves for the laws' outputs at that state; false where there is no solution.
bool CoupledSystem::settle(double t, const VectorXd& x) {
  const Index sources = index(form_.sources.size()), laws = index(form_.laws.size()), arguments = index(form_.arguments.size());
  drives_.values(t, 0, input_);
  for (std::size_t i = 0; i < linear_.delays.size(); ++i)
    input_[index(linear_.delays[i].input)] = past_.value(i, drives_.within(t) - linear_.delays[i].time);
  input_.segment(sources, laws).setZero();
  VectorXd known = linear_.C.topRows(arguments) * x + linear_.D[0].topRows(arguments) * input_;
  known += by_rates(t, arguments);
  if (!loop_.solve(t, known)) return false;
  input_.segment(sources, laws) = loop_.outputs;
  return true;
}

/// Solves for the laws' outputs with the jumps that slide as they must be there.
bool CoupledSystem::settle_all(double t, const VectorXd& x) {
  if (modes_.size() > 0) {
    if (!modes_.settle(t, x)) return false;
    take_modes(modes_.signs(), modes_.levels());
  }
  return settle(t, x);
}

void CoupledSystem::take_modes(const VectorXd& s, const VectorXd& levels) {
  std::size_t place = 0;
  for (Index k = 0; k < s.size(); ++k) loop_.parameters[place++] = s[k];
  for (Index k = 0; k < s.size(); ++k)
    if (jumps_[static_cast<std::size_t>(k)].has_level()) loop_.parameters[place++] = levels[k];
}

/// g, its rate along the motion and what s does to both, at the modes of the laws.
bool CoupledSystem::contact(double t, const VectorXd& x, SlidingModes::Contact& found) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (!settle(t, x)) return false;
  const Index arguments = index(form_.arguments.size()), laws = index(form_.laws.size()), jumps = modes_.size(),
              numbers = index(loop_.parameters.size()), sources = index(form_.sources.size());
  Rows by_arguments(laws, arguments), by_numbers(laws, numbers);
  VectorXd f(laws);
  const auto span = [](auto& values) { return std::span<double>(values.data(), static_cast<std::size_t>(values.size())); };
  laws_.sensitivities(loop_.point(t), span(f), span(by_arguments), span(by_numbers));
  by_arguments = by_arguments.unaryExpr([](double slope) { return std::isfinite(slope) ? slope : 0; });
  std::vector<double> point(loop_.arguments.begin(), loop_.arguments.end());
  point.push_back(t);
  point.insert(point.end(), loop_.parameters.begin(), loop_.parameters.end());
  const std::vector<double> values = jump_functions_.values(std::span<const double>(point));
  const Eigen::Map<const Rows> slopes(values.data() + jumps, jumps, arguments + 1 + numbers);
  found.g = Eigen::Map<const VectorXd>(values.data(), jumps);
  found.xdot = linear_.A * x + linear_.B * input_;
  // An argument is as exact as the terms of which it is the sum.
  VectorXd sizes = Eigen::Map<const VectorXd>(point.data(), index(point.size())).cwiseAbs();
  const VectorXd terms = Dynamics::Matrix(linear_.C.topRows(arguments).cwiseAbs()) * x.cwiseAbs();
  sizes.head(arguments) = sizes.head(arguments).cwiseMax(terms);
  found.rounding = 4 * std::numeric_limits<double>::epsilon() * (slopes.cwiseAbs() * sizes);
  // a = a_0 + L f(a): with W = (1 − L ∂f/∂a)^-1 what a_0 does to the arguments.
  const MatrixXd& L = loop_.through();
  const bool direct = L.isZero(0);
  MatrixXd g_by_known = slopes.leftCols(arguments), f_by_s = by_numbers.leftCols(jumps);
  found.g_by_s = slopes.middleCols(arguments + 1, jumps);
  found.own = found.g_by_s.diagonal();
  VectorXd known_rate = argument_rates(t, found.xdot);
  if (!direct) {
    const Eigen::PartialPivLU<MatrixXd> loop(MatrixXd::Identity(arguments, arguments) - L * by_arguments);
    found.g_by_s += g_by_known * loop.solve(L * f_by_s);
    f_by_s += by_arguments * loop.solve(L * f_by_s);
    known_rate += L * law_rates(t, f);
    g_by_known = g_by_known * loop.inverse();
  }
  found.rate = g_by_known * known_rate + slopes.col(arguments);
  const MatrixXd g_by_x = g_by_known * linear_.C.topRows(arguments);
  found.rate_by_s = g_by_x * (linear_.B.middleCols(sources, laws) * f_by_s);
  surface_ = g_by_x;
  return found.g.allFinite() && found.rate.allFinite();
}

/// The laws' outputs by time alone, by a difference.
VectorXd CoupledSystem::law_rates(double t, const VectorXd& now) {
  constexpr double part = 1e-7;
  const double dt = part * std::max(second_, std::abs(t));
  VectorXd later(now.size());
  laws_.values(loop_.point(t + dt), {later.data(), static_cast<std::size_t>(later.size())});
  return (later - now) / dt;
}

/// Rates of the arguments with the laws' outputs as they are.
VectorXd CoupledSystem::argument_rates(double t, const VectorXd& xdot) const {
  const Index arguments = index(form_.arguments.size());
  VectorXd rates = linear_.C.topRows(arguments) * xdot;
  for (std::size_t d = 0; d < linear_.D.size(); ++d) {
    VectorXd inputs = drive_rates(t, d + 1);
    if (d == 0)
      for (std::size_t i = 0; i < linear_.delays.size(); ++i) {
        const double at = drives_.within(t) - linear_.delays[i].time, dt = 1e-6 * linear_.delays[i].time;
        inputs[index(linear_.delays[i].input)] = (past_.value(i, at) - past_.value(i, at - dt)) / dt;
      }
    rates += linear_.D[d].topRows(arguments) * inputs;
  }
  return rates;
}

VectorXd CoupledSystem::decided(double t, const VectorXd& x, std::span<const int> changes) {
  modes_.decide(t, x, changes);
  VectorXd moved = on_surface(t, x);
  modes_.decide_resting(t, moved);
  return moved;
}

VectorXd CoupledSystem::on_surface(double t, const VectorXd& x) {
  const std::vector<Index> sliding = modes_.sliding();
  SlidingModes::Contact found;
  VectorXd moved = x;
  if (sliding.empty() || size() == 0) return moved;
  take_modes(modes_.signs(), modes_.levels());
  constexpr int most = 3;
  for (int i = 0; i < most && contact(t, moved, found); ++i)
    moved -= MatrixXd(surface_(sliding, Eigen::all)).completeOrthogonalDecomposition().solve(VectorXd(found.g(sliding)));
  return moved.allFinite() ? moved : x;
}

bool CoupledSystem::rate(double t, const VectorXd& x, VectorXd& rate) {
  if (!settle_all(t, x)) return false;
  rate = linear_.A * x + linear_.B * input_;
  return true;
}

Dynamics::Matrix CoupledSystem::jacobian(double t, const VectorXd& x) {
  const Index laws = index(form_.laws.size()), arguments = index(form_.arguments.size());
  const bool settled = settle_all(t, x), direct = loop_.through().isZero(0);
  const MatrixXd slopes = settled ? loop_.sensitivity(t) : MatrixXd::Constant(laws, arguments, NAN);
  std::vector<Eigen::Triplet<double>> places;
  for (Index law = 0; law < laws; ++law)
    for (Index argument = 0; argument < arguments; ++argument)
      if (!direct || std::ranges::find(form_.laws[static_cast<std::size_t>(law)].arguments, static_cast<std::size_t>(argument)) !=
                         form_.laws[static_cast<std::size_t>(law)].arguments.end())
        places.emplace_back(static_cast<int>(law), static_cast<int>(argument), slopes(law, argument));
  Dynamics::Matrix by_arguments(laws, arguments), diagonal(size(), size());
  by_arguments.setFromTriplets(places.begin(), places.end());
  diagonal.setIdentity();
  const Dynamics::Matrix from_laws = linear_.B.middleCols(index(form_.sources.size()), laws);
  const Dynamics::Matrix to_arguments = linear_.C.topRows(arguments);
  const Dynamics::Matrix by_states = by_arguments * to_arguments;
  const Dynamics::Matrix by_laws = from_laws * by_states;
  const Dynamics::Matrix linear = linear_.A + 0.0 * diagonal;
  return linear + by_laws;
}

VectorXd CoupledSystem::outputs(double t, const VectorXd& x) {
  constexpr double immense = 1e60;  // laws of it are beyond all numbers
  const bool settled = settle_all(t, x);
  if (!settled && x.size() > 0 && !(x.cwiseAbs().maxCoeff() <= immense))
    throw NoAnswer("the motion grows beyond all bounds by t = " + print(t), "ask for times before that, or look at the laws");
  if (!settled)
    throw NoAnswer("the laws have no solution at t = " + print(t) + ": they depend on each other without delay",
                   "put a mass, a capacitor or another lag between them");
  VectorXd y = linear_.C * x + linear_.D[0] * input_;
  return y + by_rates(t, y.size());
}

void CoupledSystem::switching(double t, const VectorXd& x, double* g) {
  if (!settle_all(t, x)) {
    std::fill_n(g, laws_.switches(), NAN);
    return;
  }
  laws_.switching(loop_.point(t), {g, laws_.switches()});
  for (const std::size_t i : contacts_) g[i] = 1;
}

void CoupledSystem::find_contacts() {
  std::vector<double> before(laws_.switches()), after(before);
  std::vector<double> arguments(form_.arguments.size(), 0.618), memory = loop_.memory;
  laws_.switching({arguments, 0, loop_.parameters, memory}, before);
  for (double& z : memory) z += 0.414;
  laws_.switching({arguments, 0, loop_.parameters, memory}, after);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != after[i] && !laws_.jumps(i)) contacts_.push_back(i);
}

std::vector<double> CoupledSystem::followed(double t, const VectorXd& x) {
  std::vector<double> signals(laws_.memories().size(), NAN);
  if (settle_all(t, x)) laws_.followed(loop_.point(t), signals);
  return signals;
}

void CoupledSystem::latch(double t, const VectorXd& x) {
  if (laws_.memories().empty() || !settle_all(t, x)) return;
  std::vector<double> next(loop_.memory.size());
  laws_.remember(loop_.point(t), next);
  loop_.memory = std::move(next);
}

void CoupledSystem::pack(Packer& packer) const {
  packer.add(loop_.memory);
  sfg::pack(packer, loop_.arguments);
  past_.pack(packer);
  modes_.pack(packer);
}

void CoupledSystem::unpack(Unpacker& from) {
  loop_.memory = from.list<double>();
  loop_.arguments = unpacked_vector(from);
  past_.unpack(from);
  modes_.unpack(from);
  if (modes_.size() > 0) take_modes(modes_.signs(), modes_.levels());
}

VectorXd CoupledSystem::law_outputs(double t, const VectorXd& x) {
  return settle_all(t, x) ? loop_.outputs : VectorXd::Constant(index(form_.laws.size()), NAN).eval();
}

VectorXd CoupledSystem::next(double t, const VectorXd& x) {
  VectorXd found;
  if (!rate(t, x, found)) outputs(t, x);
  return found;
}

/// Rates of the inputs; those of the laws' outputs and of delayed signals do not occur.
VectorXd CoupledSystem::drive_rates(double t, std::size_t order) const {
  VectorXd rates = VectorXd::Zero(linear_.B.cols());
  drives_.values(t, order, rates);
  return rates;
}

/// What rates of the inputs add to the first signals.
VectorXd CoupledSystem::by_rates(double t, Index signals) const {
  VectorXd sum = VectorXd::Zero(signals);
  for (std::size_t d = 1; d < linear_.D.size(); ++d) sum += linear_.D[d].topRows(signals) * drive_rates(t, d);
  if (!sum.allFinite())
    throw NoAnswer("the input has no finite rate at t = " + print(t) + ", and the model differentiates it",
                   "state an input with a finite rate");
  return sum;
}

void CoupledSystem::refuse_rates(const SignalFlowGraph& graph) const {
  const Index sources = index(form_.sources.size());
  for (std::size_t d = 1; d < linear_.D.size(); ++d)
    for (Index row = 0; row < linear_.D[d].rows(); ++row)
      for (Dynamics::Matrix::InnerIterator entry(linear_.D[d], row); entry; ++entry) {
        if (entry.col() < sources) continue;
        const Index law = entry.col() - sources;
        if (law >= index(form_.laws.size()))
          throw NoAnswer("a signal depends on the rate of a delayed one, which may jump",
                         "add a lag before or behind the dead time");
        const Branch& branch = graph[form_.laws[static_cast<std::size_t>(law)].branch];
        throw Error(branch.where,
                    "'" + graph[branch.to].name + "' is the output of a law, and its rate is needed: the way from it is improper",
                    "let a mass, a capacitor or another lag lie behind the law");
      }
}

std::string CoupledSystem::plain_state(std::size_t i) const {
  const std::string& state = linear_.states[i];
  if (!state.starts_with("z_")) return state;
  const Index sources = index(form_.sources.size()), laws = index(form_.laws.size());
  for (Dynamics::Matrix::InnerIterator shift(linear_.shifts, index(i)); shift; ++shift)
    if (shift.col() >= sources && shift.col() < sources + laws) return state;
  return state.substr(2);
}

VectorXd CoupledSystem::initial_state(const SignalFlowGraph& graph, const SimulationQuestion& question) const {
  VectorXd x = VectorXd::Zero(size());
  std::vector<Index> signals;  // that laws act on at once
  for (const InitialValue& initial : question.initial) {
    const auto known = static_cast<std::size_t>(
        std::ranges::find_if(linear_.states,
                             [&](const std::string& state) { return state == initial.name || state == "z_" + initial.name; }) -
        linear_.states.begin());
    if (known == linear_.states.size()) {
      std::string names;
      for (std::size_t i = 0; i < linear_.states.size(); ++i) names += " " + plain_state(i);
      throw Error(graph.where, "'" + initial.name + "' is no state, so that it has no initial value",
                  "the states are" + (names.empty() ? std::string(": none") : names));
    }
    x[index(known)] = initial.value;
    if (linear_.states[known] != initial.name && plain_state(known) != initial.name) signals.push_back(index(known));
  }
  return signals.empty() ? x : without_laws(graph, x, signals);
}

/// States of signals that are given before t = 0, when there are no inputs, with what laws add to them then.
VectorXd CoupledSystem::without_laws(const SignalFlowGraph& graph, const VectorXd& given, std::span<const Index> signals) const {
  PrincipalForm stated = form_;
  stated.laws = stated_;
  const CompiledLaws laws(stated, graph.parameter_values());
  const Index sources = index(form_.sources.size());
  MatrixXd added = MatrixXd::Zero(size(), index(form_.laws.size()));  // to a state before it is the signal of its name
  for (const Index i : signals)
    for (Dynamics::Matrix::InnerIterator shift(linear_.shifts, i); shift; ++shift)
      if (shift.col() >= sources && shift.col() < sources + added.cols()) added(i, shift.col() - sources) = shift.value();
  const Dynamics::Matrix to_arguments = linear_.C.topRows(index(form_.arguments.size()));
  LawLoop before(laws, through(form_, linear_) - to_arguments * added);
  if (!before.solve(0, to_arguments * given))
    throw NoAnswer("the laws have no solution at the initial values", "give others; z_NAME is what integrates behind a law");
  return given - added * before.outputs;
}

}  // namespace sfg
