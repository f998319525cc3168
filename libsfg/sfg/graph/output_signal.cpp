#include "sfg/graph/from_equations.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sfg/expr/rational.hpp"
#include "sfg/model/signal_sum.hpp"

namespace sfg {

namespace {

using Definition = EquationSystem::Definition;

/// Nodes with what each contributes, in the order in which they are met.
class Contributions {
 public:
  void add(NodeId node, const GiNaC::ex& gain) {
    const auto known = std::ranges::find_if(list_, [&](const auto& entry) { return entry.first == node; });
    if (known == list_.end())
      list_.emplace_back(node, gain);
    else
      known->second += gain;
  }
  const auto& list() const { return list_; }

 private:
  std::vector<std::pair<NodeId, GiNaC::ex>> list_;
};

}  // namespace

NodeId output_signal(SignalFlowGraph& graph, std::string_view expression, std::span<const Definition> definitions,
                     const SourceSpan& where) {
  if (const auto node = graph.find(expression)) return *node;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(node.name);
  for (const Definition& definition : definitions) names.push_back(definition.name);
  const SignalSum sum = signal_sum(expression, graph.symbols, names, where);
  const GiNaC::ex p = graph.op.declare(graph.symbols);
  Contributions contributions;
  for (const SignalSum::Term& term : sum.terms) {
    if (term.derivatives > 0 && graph.op.discrete())
      throw Error(where, "a signal of samples has no rate, so that 'D" + term.signal + "' means nothing here",
                  "write differences as branches with 1/z");
    const GiNaC::ex gain = term.coefficient * GiNaC::power(p, GiNaC::numeric(static_cast<unsigned long>(term.derivatives)));
    if (const auto node = graph.find(term.signal)) {
      contributions.add(*node, gain);
      continue;
    }
    const auto definition = std::ranges::find_if(definitions, [&](const Definition& d) { return d.name == term.signal; });
    for (const auto& [signal, coefficient] : definition->terms) contributions.add(graph.at(signal), gain * coefficient);
  }
  const NodeId output = graph.add_node({std::string(expression), where, {}});
  for (const auto& [node, gain] : contributions.list())
    if (!vanishes(gain)) graph.add_branch(node, output, gain, where);
  return output;
}

}  // namespace sfg
