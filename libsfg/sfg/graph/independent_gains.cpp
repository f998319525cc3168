#include "sfg/graph/independent_gains.hpp"

namespace sfg {

namespace {

bool is_between(const Branch& branch, const std::vector<bool>& nodes) {
  return branch.linear() && (nodes.empty() || (nodes[branch.from.index] && nodes[branch.to.index]));
}

}  // namespace

std::vector<GiNaC::ex> gains_between(const SignalFlowGraph& graph, const std::vector<bool>& nodes) {
  std::vector<GiNaC::ex> gains;
  for (const Branch& branch : graph.branches())
    if (is_between(branch, nodes)) gains.push_back(branch.gain());
  return gains;
}

SignalFlowGraph with_independent_gains(const SignalFlowGraph& graph, IndependentFunctions& functions,
                                       const std::vector<bool>& nodes) {
  SignalFlowGraph result = SignalFlowGraph::like_with_nodes(graph);
  for (Branch branch : graph.branches()) {
    if (is_between(branch, nodes)) branch.law = functions(branch.gain());
    result.add_branch(std::move(branch));
  }
  result.inputs = graph.inputs;
  result.outputs = graph.outputs;
  return result;
}

}  // namespace sfg
