#include "sfg/nonlinear/coupled_system.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Index index(std::size_t i) { return static_cast<Index>(i); }

}  // namespace

std::vector<NodeId> driven_nodes(const SimulationQuestion& question) {
  std::vector<NodeId> nodes;
  for (const Drive& drive : question.drives)
    if (std::ranges::find(nodes, drive.node) == nodes.end()) nodes.push_back(drive.node);
  return nodes;
}

CoupledSystem::CoupledSystem(const SignalFlowGraph& graph, PrincipalForm form, const SimulationQuestion& question,
                             const Budget& budget)
    : form_(std::move(form)),
      laws_(form_, graph.parameter_values()),
      linear_(dynamics(form_.linear, form_.inputs(), form_.outputs(), budget)),
      drives_(question, graph.op, linear_.D.size() - 1),
      loop_(laws_, through(form_, linear_)) {
  refuse_rates(graph);
  find_contacts();
  input_ = VectorXd::Zero(linear_.B.cols());
  reach_ = VectorXd::Zero(index(form_.arguments.size()));
  start_ = initial_state(graph, question);
}

/// Solves for the laws' outputs at that state; false where there is no solution.
bool CoupledSystem::settle(double t, const VectorXd& x) {
  const Index sources = index(form_.sources.size()), laws = index(form_.laws.size()), arguments = index(form_.arguments.size());
  drives_.values(t, 0, input_);
  for (std::size_t i = 0; i < linear_.delays.size(); ++i)
    input_[index(linear_.delays[i].input)] = past_.value(i, drives_.within(t) - linear_.delays[i].time);
  input_.segment(sources, laws).setZero();
  VectorXd known = linear_.C.topRows(arguments) * x + linear_.D[0].topRows(arguments) * input_;
  for (std::size_t d = 1; d < linear_.D.size(); ++d) known += linear_.D[d].topRows(arguments) * drive_rates(t, d);
  if (!loop_.solve(t, known)) return false;
  reach_ = reach_.cwiseMax(loop_.arguments.cwiseAbs());
  input_.segment(sources, laws) = loop_.outputs;
  return true;
}

bool CoupledSystem::rate(double t, const VectorXd& x, VectorXd& rate) {
  if (!settle(t, x)) return false;
  rate = linear_.A * x + linear_.B * input_;
  return true;
}

MatrixXd CoupledSystem::jacobian(double t, const VectorXd& x) {
  if (!settle(t, x)) return MatrixXd::Constant(size(), size(), NAN);
  return closed(form_, linear_, loop_.sensitivity(t));
}

VectorXd CoupledSystem::outputs(double t, const VectorXd& x) {
  if (!settle(t, x))
    throw NoAnswer("the laws have no solution at t = " + print(t) + ": they depend on each other without delay",
                   "put a mass, a capacitor or another lag between them");
  VectorXd y = linear_.C * x + linear_.D[0] * input_;
  for (std::size_t d = 1; d < linear_.D.size(); ++d) y += linear_.D[d] * drive_rates(t, d);
  return y;
}

void CoupledSystem::switching(double t, const VectorXd& x, double* g) {
  if (!settle(t, x)) {
    std::fill_n(g, laws_.switches(), NAN);
    return;
  }
  laws_.switching(loop_.point(t), {g, laws_.switches()});
  for (const std::size_t i : contacts_) g[i] = 1;
}

void CoupledSystem::find_contacts() {
  std::vector<double> before(laws_.switches()), after(before);
  std::vector<double> arguments(form_.arguments.size(), 0.618), memory = loop_.memory;
  laws_.switching({arguments, 0, {}, memory}, before);
  for (double& z : memory) z += 0.414;
  laws_.switching({arguments, 0, {}, memory}, after);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i] != after[i] && !laws_.jumps(i)) contacts_.push_back(i);
}

std::vector<double> CoupledSystem::followed(double t, const VectorXd& x) {
  std::vector<double> signals(laws_.memories().size(), NAN);
  if (settle(t, x)) laws_.followed(loop_.point(t), signals);
  return signals;
}

void CoupledSystem::latch(double t, const VectorXd& x) {
  if (laws_.memories().empty() || !settle(t, x)) return;
  std::vector<double> next(loop_.memory.size());
  laws_.remember(loop_.point(t), next);
  loop_.memory = std::move(next);
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

VectorXd CoupledSystem::initial_state(const SignalFlowGraph& graph, const SimulationQuestion& question) const {
  VectorXd x = VectorXd::Zero(size());
  for (const InitialValue& initial : question.initial) {
    const auto plain = [](const std::string& state) { return state.starts_with("z_") ? state.substr(2) : state; };
    const auto known = std::ranges::find_if(linear_.states, [&](const auto& state) { return plain(state) == initial.name; });
    if (known == linear_.states.end()) {
      std::string names;
      for (const std::string& state : linear_.states) names += " " + plain(state);
      throw Error(graph.where, "'" + initial.name + "' is no state, so that it has no initial value",
                  "the states are" + (names.empty() ? std::string(": none") : names));
    }
    x[known - linear_.states.begin()] = initial.value;
  }
  return x;
}

}  // namespace sfg
