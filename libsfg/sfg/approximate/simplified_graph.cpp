#include "sfg/approximate/simplified_graph.hpp"

#include <algorithm>

#include "sfg/graph/from_equations.hpp"

namespace sfg {

AskedEquations asked_equations(const SignalFlowGraph& graph, const Question& question) {
  SignalFlowGraph asked = graph;
  asked.inputs = {driver(question)};
  asked.outputs = {question.output};
  if (question.reference) asked.outputs.push_back(question.input);
  AskedEquations result{to_equations(asked), {}};
  const EquationSystem& system = result.system;
  const auto unknown = [&](NodeId node) {
    const auto found = std::ranges::find(system.unknowns, graph[node].name, &EquationSystem::Unknown::name);
    return static_cast<std::size_t>(found - system.unknowns.begin());
  };
  const auto source = std::ranges::find(system.sources, system.inputs.front(), &EquationSystem::Source::name);
  result.question = {static_cast<std::size_t>(source - system.sources.begin()), unknown(question.output), {}};
  if (question.reference) result.question.reference = unknown(question.input);
  return result;
}

SimplifiedGraph simplified(const SignalFlowGraph& graph, const Question& question, const GiNaC::exmap& values,
                           std::span<const TrueValue> truth, const ErrorLimit& limit, const Budget& budget) {
  const AskedEquations asked = asked_equations(graph, question);
  PrunedEquations simple = pruned(asked.system, asked.question, values, truth, limit, budget);
  SimplifiedGraph result{from_equations(simple.system).graph, question, simple.kept, simple.of};
  const NodeId driven = result.graph.find(asked.system.inputs.front()).value();
  result.question.output = result.graph.find(graph[question.output].name).value();
  result.question.input = question.reference ? result.graph.find(graph[question.input].name).value() : driven;
  if (question.reference) result.question.reference = driven;
  result.question.mode = question.reference ? Question::Mode::ratio : Question::Mode::source;
  return result;
}

}  // namespace sfg
