#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/nonlinear/run/transient.hpp"

namespace sfg {

namespace {

/// The constants of the inputs from t = 0 on; nothing where one of them changes.
std::optional<std::map<NodeId, double>> constants(const SimulationQuestion& question) {
  std::map<NodeId, double> result;
  for (const Drive& drive : question.drives) {
    const auto* signal = std::get_if<GiNaC::ex>(&drive.signal);
    if (!signal) return {};
    const auto value = double_value(signal->subs(unit_step(question.time) == 1));
    if (!value) return {};
    result[drive.node] += *value;
  }
  return result;
}

PhasePortrait::Trajectory trajectory(const SignalFlowGraph& graph, const SimulationQuestion& question,
                                     std::span<const double> times, const ForcedOptions& options) {
  const std::vector<NamedResponse> found = depends_on_laws(graph, question)
                                               ? transient(graph, question, times, options)
                                               : responses(simulation(graph, question, options.budget), times, options);
  return {question.initial, found.front().value.value, found.back().value.value};
}

/// What comes later replaces what is stated for the same signal.
std::vector<InitialValue> joined(std::vector<InitialValue> values, const std::vector<InitialValue>& later) {
  for (const InitialValue& value : later) {
    const auto same = std::ranges::find(values, value.name, &InitialValue::name);
    if (same != values.end())
      same->value = value.value;
    else
      values.push_back(value);
  }
  return values;
}

/// From the least to the largest value, and half as far again on both sides.
std::pair<double, double> around(const PhasePortrait& portrait, std::vector<double> PhasePortrait::Trajectory::*signal) {
  double low = 0, high = 0;
  bool first = true;
  for (const auto& trajectory : portrait.trajectories)
    for (const double value : trajectory.*signal) {
      low = first ? value : std::min(low, value);
      high = first ? value : std::max(high, value);
      first = false;
    }
  const double more = low < high ? (high - low) / 2 : std::max(1.0, std::abs(low));
  return {low - more, high + more};
}

void add_rest(PhasePortrait& portrait, const SignalFlowGraph& graph, const PhaseQuestion& question, const Budget& budget) {
  const auto inputs = constants(question.motion);
  if (!inputs || question.motion.inject) {
    portrait.no_rest = inputs ? "a signal is added within the graph" : "an input changes with time";
    return;
  }
  RestQuestion rest{.inputs = *inputs, .box = question.box, .outputs = question.motion.outputs, .budget = budget};
  rest.box.try_emplace(portrait.x, around(portrait, &PhasePortrait::Trajectory::x));
  rest.box.try_emplace(portrait.y, around(portrait, &PhasePortrait::Trajectory::y));
  try {
    portrait.rest = operating_points(graph, rest);
  } catch (const NoAnswer& none) {
    portrait.no_rest = none.what();
  }
}

}  // namespace

PhasePortrait phase_portrait(const SignalFlowGraph& graph, const PhaseQuestion& question, std::span<const double> times,
                             const ForcedOptions& options) {
  if (question.motion.outputs.size() != 2) throw std::invalid_argument("phase_portrait: the outputs are not two signals");
  PhasePortrait portrait;
  portrait.x = graph[question.motion.outputs[0]].name;
  portrait.y = graph[question.motion.outputs[1]].name;
  portrait.samples = graph.op.discrete();
  SimulationQuestion motion = question.motion;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, question.starts.size()); ++i) {
    if (!question.starts.empty()) motion.initial = joined(question.motion.initial, question.starts[i]);
    portrait.trajectories.push_back(trajectory(graph, motion, times, options));
  }
  add_rest(portrait, graph, question, options.budget);
  return portrait;
}

}  // namespace sfg
