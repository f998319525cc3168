#include "sfg/ask/measured.hpp"

#include "sfg/derive/circuit.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/nonlinear/run/transient.hpp"

namespace sfg {

namespace {

/// The subject with these values; what is to be said of it was said of the stated ones.
Subject with_values(const Subject& subject, std::span<const std::string> names, std::span<const double> values) {
  SweepSet set;
  for (std::size_t k = 0; k < names.size(); ++k) set.values.push_back({names[k], exact::Rational::of(values[k]), ""});
  return subject.quiet().at(set);
}

/// As of a linear model: the change from where the step found it.
TimeResponse from_start(TimeResponse response) {
  if (response.value.empty()) return response;
  const double start = response.value.front();
  for (double& value : response.value) value -= start;
  return response;
}

/// The response of a graph with its laws to a step of this height at the input of the question, from rest.
TimeResponse simulated_step(Subject& subject, const SystemOf& system_of, double height, std::span<const double> times,
                            const Budget& budget) {
  const MeasuredSystem system = system_of(subject.graph());
  const GiNaC::symbol time("t");
  SimulationQuestion question{
      .drives = {{system.question.input, GiNaC::ex(height)}}, .outputs = {system.question.output}, .time = time};
  if (!system.graph.linear())
    for (const auto& [name, value] : subject.rest().value_or(std::map<std::string, double>()))
      if (value != 0 && system.graph.find(name)) question.initial.push_back({name, value});
  const ForcedOptions options{.budget = budget};
  return from_start(depends_on_laws(system.graph, question)
                        ? transient(system.graph, question, times, options).front().value
                        : responses(simulation(system.graph, question, budget), times, options).front().value);
}

/// The same of a mechanism, with all that is nonlinear in it.
TimeResponse simulated_step(const Multibody& model, const MeasuredSystem& system, double height, std::span<const double> times,
                            const Budget& budget) {
  const MechanismQuestion question{.inputs = {{system.graph[system.question.input].name, GiNaC::ex(height)}},
                                   .time = GiNaC::symbol("t"),
                                   .outputs = {system.graph[system.question.output].name}};
  const MechanismRun run = mechanism_run(model, question, times, {.budget = budget});
  if (run.time.size() < times.size()) throw NoAnswer("the motion ends before the last time", "lower the last time");
  return from_start(run.signals.front().value);
}

/// The signal that is asked for, with the noise of all elements.
NoisyOutput noisy_signal(const Subject& subject, const SystemOf& system_of, double temperature) {
  if (subject.at_port() || subject.about_part())
    throw NoAnswer("the measure 'noise' is of a signal of the circuit, not of a port, a loop or a ratio",
                   "ask for the signal alone");
  const NoisyCircuit noisy = subject.noisy_circuit();
  const Subject asked = subject.with(noisy.circuit);
  MeasuredSystem system = system_of(asked.graph());
  if (system.graph.op.discrete())
    throw NoAnswer("the measure 'noise' is of the circuit in continuous time", "ask for it without a sample time");
  if (system.question.mode != Question::Mode::source)
    throw NoAnswer("the measure 'noise' is of the output with its independent sources",
                   "leave the ratio or the injected signal out");
  std::vector<NoiseSource> sources = asked.point().empty() ? noisy.sources : at_point(noisy, asked.point(), system.graph.symbols);
  return {std::move(system.graph), std::move(sources), system.question.output, temperature};
}

}  // namespace

SystemOf between(std::string input, std::string output) {
  return [input = std::move(input), output = std::move(output)](SignalFlowGraph graph) {
    const Question asked = question(graph, input, output);
    return MeasuredSystem{.graph = std::move(graph), .question = asked};
  };
}

MeasuredSystem measured(Subject subject, const SystemOf& system_of, double temperature) {
  MeasuredSystem system = system_of(subject.regular_graph());
  system.infinite = subject.infinite_with_values();
  if (subject.circuit())
    system.noisy = [subject, system_of, temperature](std::span<const std::string> names, std::span<const double> values) {
      return noisy_signal(names.empty() ? subject.quiet() : with_values(subject, names, values), system_of, temperature);
    };
  if (subject.point_searched() && subject.terms().rest == Rest::moves)
    system.anew = [subject, system_of](std::span<const std::string> names, std::span<const double> values) {
      return system_of(with_values(subject, names, values).graph());
    };
  return system;
}

MeasuredSystem simulated(Subject subject, const SystemOf& system_of, double height, double until) {
  // A mechanism needs no graph of its laws: that of its linearisation names input and output.
  if (subject.bodies()) subject = subject.taking(NonlinearTerms::linearized);
  MeasuredSystem system = system_of(subject.graph());
  const auto response = [subject, system_of, height, stated = system](
                            std::span<const std::string> names, std::span<const double> values, std::span<const double> times) {
    Subject there = with_values(subject, names, values);
    if (const Multibody* bodies = there.bodies()) return simulated_step(*bodies, stated, height, times, there.budget());
    return simulated_step(there, system_of, height, times, there.budget());
  };
  system.simulated = SimulatedStep{.response = response, .until = until};
  return system;
}

}  // namespace sfg
