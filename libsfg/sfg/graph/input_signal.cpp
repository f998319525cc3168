#include "sfg/graph/input_signal.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/rational.hpp"
#include "sfg/model/signal_sum.hpp"

namespace sfg {

bool is_sum_of_inputs(std::string_view text) {
  std::size_t depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (depth == 0 && std::string_view("+-*/").find(c) != std::string_view::npos) return true;
  }
  return false;
}

InputSum input_sum(const SignalFlowGraph& graph, std::string_view expression) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(node.name);
  InputSum sum{std::string(expression), {}};
  for (const SignalSum::Term& term : signal_sum(expression, graph.symbols, names).terms) {
    const NodeId node = graph.at(term.signal);
    if (term.derivatives > 0)
      throw Error({}, "'D" + term.signal + "' is a rate, and inputs are driven by their values", "leave the D out");
    if (!graph.entering(node).empty())
      throw Error({}, "'" + term.signal + "' has entering branches and is no input", "add up sources");
    const auto known = std::ranges::find(sum.weights, node, [](const auto& entry) { return entry.first; });
    if (known == sum.weights.end())
      sum.weights.emplace_back(node, term.coefficient);
    else
      known->second += term.coefficient;
  }
  std::erase_if(sum.weights, [](const auto& entry) { return vanishes(entry.second); });
  if (sum.weights.empty()) throw Error({}, "'" + sum.name + "' is 0 whatever the inputs are", "name an input");
  return sum;
}

NodeId add_input(SignalFlowGraph& graph, const InputSum& sum) {
  GiNaC::ex square = 0;
  for (const auto& [node, weight] : sum.weights) square += weight * weight;
  const NodeId input = graph.add_node({sum.name, graph.where, {}});
  for (const auto& [node, weight] : sum.weights) graph.add_branch(input, node, weight / square, graph.where);
  return input;
}

}  // namespace sfg
