#include "sfg/response/simulation.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/inspect.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/driven_response.hpp"
#include "sfg/response/time_function.hpp"
#include "sfg/transfer/state_space.hpp"

namespace sfg {

namespace {

std::vector<std::vector<ExactTransfer>> initial_transfers(const SignalFlowGraph& graph, std::span<const InitialValue> values,
                                                          std::span<const NodeId> outputs, const Budget& budget) {
  std::vector<std::string> states;
  for (const InitialValue& value : values) states.push_back(value.name);
  const ReleasedGraph released = released_graph(graph.substituted(graph.parameter_values()), states, outputs, budget);
  std::vector<std::vector<ExactTransfer>> result;
  for (const std::vector<Question>& questions : released.questions)
    result.push_back(exact_transfers(released.graph, questions, {.budget = budget}));
  return result;
}

TimeResponse superposed(std::span<const TimeResponse> parts) {
  TimeResponse sum;
  for (const TimeResponse& part : parts) {
    if (sum.time.empty()) {
      sum.time = part.time;
      sum.value.assign(part.time.size(), 0.0);
    }
    for (std::size_t i = 0; i < part.value.size(); ++i) sum.value[i] += part.value[i];
    sum.impulses.insert(sum.impulses.end(), part.impulses.begin(), part.impulses.end());
    for (const std::string& note : part.notes)
      if (std::find(sum.notes.begin(), sum.notes.end(), note) == sum.notes.end()) sum.notes.push_back(note);
    if (!part.method.empty() && sum.method.find(part.method) == std::string::npos)
      sum.method += (sum.method.empty() ? "" : "; ") + part.method;
  }
  sum.impulses = added(std::move(sum.impulses));
  return sum;
}

/// The signal between its points.
double value_at(const SampledSignal& signal, double t) {
  const auto after = std::upper_bound(signal.time.begin(), signal.time.end(), t);
  if (after == signal.time.begin()) return 0;
  const auto i = static_cast<std::size_t>(after - signal.time.begin());
  if (i == signal.time.size()) return signal.value.back();
  const double part = (t - signal.time[i - 1]) / (signal.time[i] - signal.time[i - 1]);
  return signal.value[i - 1] + part * (signal.value[i] - signal.value[i - 1]);
}

std::vector<double> samples_of(const Drive& drive, const GiNaC::ex& time, std::span<const double> times) {
  std::vector<double> samples;
  if (const auto* points = std::get_if<SampledSignal>(&drive.signal)) {
    for (const double t : times) samples.push_back(value_at(*points, t));
    return samples;
  }
  const GiNaC::ex& expression = std::get<GiNaC::ex>(drive.signal);
  const numeric::Tape tape = compile(std::span(&expression, 1), std::span(&time, 1));
  for (const double t : times) {
    samples.push_back(tape.values(std::span<const double>(&t, 1)).front());
    if (!std::isfinite(samples.back()))
      throw NoAnswer("the input has no finite real value at t = " + print(t), "state an input that is finite");
  }
  return samples;
}

}  // namespace

ReleasedGraph released_graph(const SignalFlowGraph& graph, std::span<const std::string> states, std::span<const NodeId> outputs,
                             const Budget& budget) {
  SignalFlowGraph still = graph;
  std::string idle = "no input";
  while (still.find(idle)) idle += '_';
  const NodeId none = still.add_node({idle, {}, {}});  // without an input no state is shifted by one
  const StateSpace model =
      state_space(still, {.inputs = {none}, .outputs = {outputs.begin(), outputs.end()}, .minimal = false, .budget = budget});
  for (const std::string& name : states) {
    if (std::find(model.states.begin(), model.states.end(), name) != model.states.end()) continue;
    std::string names;
    for (const std::string& state : model.states) names += (names.empty() ? "" : ", ") + state;
    throw Error({}, "signal '" + name + "' is no state, so that it has no initial value of its own",
                names.empty() ? "there are no states" : "the states are " + names);
  }
  StateSpace driven = model;  // ẋ = A x, x(0) = x0 is x driven by x0·δ(t) at its integrator
  driven.inputs.clear();
  driven.B.assign(model.states.size(), std::vector<GiNaC::ex>(states.size(), 0));
  driven.D.assign(model.outputs.size(), std::vector<GiNaC::ex>(states.size(), 0));
  driven.outputs.clear();
  for (std::size_t i = 0; i < model.outputs.size(); ++i) driven.outputs.push_back("output " + std::to_string(i + 1));
  for (std::size_t i = 0; i < states.size(); ++i) {
    driven.inputs.push_back("initial " + states[i]);
    const auto state = std::find(model.states.begin(), model.states.end(), states[i]) - model.states.begin();
    driven.B[static_cast<std::size_t>(state)][i] = 1;
  }
  ReleasedGraph released{state_space_graph(driven), {}};
  for (const std::string& output : driven.outputs) {
    released.questions.emplace_back();
    for (const std::string& input : driven.inputs)
      released.questions.back().push_back(
          {*released.graph.find(input), *released.graph.find(output), Question::Mode::source, {}});
  }
  return released;
}

TimeResponse driven_response(const ExactTransfer& T, const Drive& drive, const GiNaC::ex& time, std::span<const double> times,
                             const ForcedOptions& options) {
  if (T.op.discrete()) {
    TimeResponse result;
    result.time.assign(times.begin(), times.end());
    result.value = discrete_response(T, samples_of(drive, time, times));
    result.method = "difference equation";
    return result;
  }
  if (const auto* points = std::get_if<SampledSignal>(&drive.signal))
    return sampled_response(T, points->time, points->value, times, options);
  return forced_response(T, std::get<GiNaC::ex>(drive.signal), time, times, options);
}

TimeResponse released_response(const ExactTransfer& T, double value, std::span<const double> times,
                               const ForcedOptions& options) {
  if (!T.op.discrete())
    return impulse_response(T, times, {.amplitude = value, .pade_order = options.pade_order, .budget = options.budget});
  TimeResponse result;  // an impulse at the next value arrives one sample late
  result.time.assign(times.begin(), times.end());
  const std::vector<double> y = discrete_response(T, times.size() + 1, Excitation::impulse);
  for (std::size_t k = 0; k < times.size(); ++k) result.value.push_back(value * y[k + 1]);
  return result;
}

Simulation simulation(const SignalFlowGraph& graph, SimulationQuestion question, const Budget& budget) {
  Simulation result;
  result.op = graph.op;
  result.time = question.time;
  const auto mode = question.inject ? Question::Mode::inject : Question::Mode::source;
  std::vector<Question> questions;
  for (const NodeId output : question.outputs) {
    result.outputs.push_back(graph[output].name);
    for (const Drive& drive : question.drives) {
      questions.push_back({drive.node, output, mode, {}});
      require_linear(graph, relevant_nodes(graph, questions.back()),
                     ", so that responses do not add up: the transient of the whole is needed");
    }
  }
  std::vector<ExactTransfer> transfers = exact_transfers(graph, questions, {.budget = budget});
  auto next = std::make_move_iterator(transfers.begin());
  for (std::size_t k = 0; k < question.outputs.size(); ++k, next += static_cast<std::ptrdiff_t>(question.drives.size()))
    result.forced.emplace_back(next, next + static_cast<std::ptrdiff_t>(question.drives.size()));
  if (!question.initial.empty()) result.free = initial_transfers(graph, question.initial, question.outputs, budget);
  result.drives = std::move(question.drives);
  result.initial = std::move(question.initial);
  return result;
}

namespace {

/// The response as a time function, where every part has one.
std::optional<ClosedForm> closed_form_of(const Simulation& simulation, std::size_t output) {
  if (simulation.op.discrete()) return {};
  ClosedForm sum{0, {}};
  const auto add = [&](const ExactTransfer& T, const std::optional<InputSignal>& signal) {
    const auto part = signal ? time_function(T, *signal, simulation.time) : std::nullopt;
    if (!part) return false;
    sum.value += part->value;
    sum.impulses.insert(sum.impulses.end(), part->impulses.begin(), part->impulses.end());
    return true;
  };
  for (std::size_t i = 0; i < simulation.drives.size(); ++i) {
    const auto* u = std::get_if<GiNaC::ex>(&simulation.drives[i].signal);
    if (!u || !add(simulation.forced[output][i], input_signal(*u, simulation.time))) return {};
  }
  for (std::size_t i = 0; i < simulation.initial.size(); ++i)
    if (!add(simulation.free[output][i], impulse_signal(decimal_rational(simulation.initial[i].value)))) return {};
  sum.impulses = added(std::move(sum.impulses));
  return sum;
}

}  // namespace

double settling_range(const Simulation& simulation) {
  double range = 0, event = 0;
  for (const auto* transfers : {&simulation.forced, &simulation.free})
    for (const auto& row : *transfers)
      for (const ExactTransfer& transfer : row) range = std::max(range, settling_range(transfer));
  for (const Drive& drive : simulation.drives) {
    if (const auto* points = std::get_if<SampledSignal>(&drive.signal)) {
      event = std::max(event, points->time.back());
      continue;
    }
    event = std::max(event, last_switch(std::get<GiNaC::ex>(drive.signal), simulation.time));
  }
  return range + event;
}

std::vector<NamedResponse> responses(const Simulation& simulation, std::span<const double> times, const ForcedOptions& options) {
  std::vector<NamedResponse> result;
  for (std::size_t k = 0; k < simulation.outputs.size(); ++k) {
    std::vector<TimeResponse> parts;
    for (std::size_t i = 0; i < simulation.drives.size(); ++i) {
      options.budget.check("the time response");
      parts.push_back(driven_response(simulation.forced[k][i], simulation.drives[i], simulation.time, times, options));
    }
    for (std::size_t i = 0; i < simulation.initial.size(); ++i)
      parts.push_back(released_response(simulation.free[k][i], simulation.initial[i].value, times, options));
    result.push_back({simulation.outputs[k], superposed(parts), {}, closed_form_of(simulation, k)});
  }
  return result;
}

}  // namespace sfg
