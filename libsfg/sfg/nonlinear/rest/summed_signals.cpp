#include "sfg/nonlinear/rest/summed_signals.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

/// The nodes that laws depend on.
std::vector<NodeId> arguments_of(const SignalFlowGraph& graph) {
  std::vector<NodeId> nodes;
  for (const Branch& branch : graph.branches())
    if (const auto* law = std::get_if<Nonlinearity>(&branch.law)) {
      nodes.push_back(branch.from);
      for (const auto& argument : law->arguments) nodes.push_back(argument.node);
    }
  return nodes;
}

/// Σ gain · signal with gains that are numbers.
std::optional<std::vector<std::pair<std::string, exact::Rational>>> signals_summed(const SignalFlowGraph& graph, NodeId node) {
  std::vector<std::pair<std::string, exact::Rational>> terms;
  const GiNaC::exmap numbers = graph.parameter_values();
  for (const BranchId id : graph.entering(node)) {
    if (!graph[id].linear() || graph[id].from == node) return {};
    const auto gain = rational_value(graph[id].gain().subs(numbers, GiNaC::subs_options::no_pattern));
    if (!gain) return {};
    terms.emplace_back(graph[graph[id].from].name, *gain);
  }
  if (terms.empty()) return {};
  return terms;
}

}  // namespace

LinearizationPoint with_sums(const SignalFlowGraph& graph, LinearizationPoint point, const LinearizationPoint& stated) {
  for (const NodeId node : arguments_of(graph)) {
    const auto terms = signals_summed(graph, node);
    if (!terms) continue;
    for (const bool rate : {false, true}) {
      const auto name = [&](const std::string& signal) { return rate ? graph.op.name_of_rate(signal) : signal; };
      const std::string own = name(graph[node].name);
      const auto of = [&](const auto& term) { return name(term.first); };
      const bool moved = std::ranges::any_of(*terms, [&](const auto& term) { return stated.contains(of(term)); });
      const auto known = [&](const auto& term) { return rate || point.contains(of(term)); };  // a rate is 0 unless it is stated
      if (stated.contains(own) || (point.contains(own) && !moved) || !std::ranges::all_of(*terms, known)) continue;
      exact::Rational sum;
      for (const auto& term : *terms)
        if (const auto value = point.find(of(term)); value != point.end()) sum += term.second * value->second;
      point.insert_or_assign(own, sum);
    }
  }
  return point;
}

}  // namespace sfg
