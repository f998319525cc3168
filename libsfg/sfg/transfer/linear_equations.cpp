#include "sfg/transfer/certificate.hpp"

#include <ginac/operators.h>

#include <map>
#include <set>

#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

/// The nodes of the equations: all, or those that matter where the rest is nonlinear.
std::vector<bool> stated_nodes(const SignalFlowGraph& graph, std::span<const Question> questions) {
  if (graph.linear()) return std::vector<bool>(graph.nodes().size(), true);
  require_answers(graph, questions);
  std::vector<bool> matter = relevant_nodes(graph, questions);
  for (const Question& question : questions)
    for (const NodeId end : {question.input, question.output, driver(question)}) matter[end.index] = true;
  return matter;
}

/// Coefficients that add up to nothing are left out.
LinearEquations::Equation equation(std::string of, const std::map<std::size_t, GiNaC::ex>& coefficients,
                                   const std::vector<std::string>& signals) {
  LinearEquations::Equation result{.of = std::move(of)};
  for (const auto& [signal, coefficient] : coefficients)
    if (!coefficient.is_zero()) result.terms.emplace_back(signals[signal], coefficient);
  return result;
}

}  // namespace

LinearEquations linear_equations(const SignalFlowGraph& graph, std::span<const Question> questions) {
  const std::vector<bool> stated = stated_nodes(graph, questions);
  LinearEquations result;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(node.name);
  for (const NodeId node : graph.node_ids()) {
    if (!stated[node.index]) {
      result.left_out.push_back(graph[node].name);
      continue;
    }
    std::map<std::size_t, GiNaC::ex> coefficients{{node.index, 1}};
    for (const BranchId branch : graph.entering(node))
      if (stated[graph[branch].from.index]) coefficients[graph[branch].from.index] -= graph[branch].gain();
    result.signals.push_back(graph[node].name);
    result.equations.push_back(equation(graph[node].name, coefficients, names));
  }
  return result;
}

std::optional<LinearEquations> linear_equations(const EquationSystem& system, const SignalFlowGraph& graph,
                                                std::span<const Question> questions) {
  if (!system.laws.empty()) return {};
  LinearEquations result;
  std::map<std::string, std::size_t> place;
  const auto add_signal = [&](const std::string& name) {
    result.signals.push_back(name);
    return place.emplace(name, place.size()).second;
  };
  bool distinct = true;
  for (const auto& source : system.sources) distinct &= add_signal(source.name);
  for (const auto& unknown : system.unknowns) distinct &= add_signal(unknown.name);
  for (const auto& definition : system.definitions) distinct &= add_signal(definition.name);
  if (!distinct) return {};
  for (const Question& question : questions) {
    const auto known = [&](NodeId end) { return place.contains(graph[end].name); };
    if (!known(question.input) || !known(question.output) || !known(driver(question))) return {};
    if (place.at(graph[driver(question)].name) >= system.sources.size()) return {};
  }

  std::set<std::string> taken;
  const auto add = [&](const std::string& of, const std::map<std::size_t, GiNaC::ex>& coefficients) {
    result.equations.push_back(equation(of, coefficients, result.signals));
    return taken.insert(of).second;
  };
  for (const auto& source : system.sources) distinct &= add(source.name, {{place.at(source.name), 1}});
  for (const auto& stated : system.equations) {
    std::map<std::size_t, GiNaC::ex> coefficients;
    for (const auto& [unknown, entry] : stated.left) coefficients[system.sources.size() + unknown] += entry;
    for (const auto& [source, entry] : stated.right) coefficients[source] -= entry;
    distinct &= add(stated.name, coefficients);
  }
  for (const auto& definition : system.definitions) {
    std::map<std::size_t, GiNaC::ex> coefficients{{place.at(definition.name), 1}};
    for (const auto& [signal, coefficient] : definition.terms) {
      if (!place.contains(signal)) return {};
      coefficients[place.at(signal)] -= coefficient;
    }
    distinct &= add(definition.name, coefficients);
  }
  return distinct ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace sfg
