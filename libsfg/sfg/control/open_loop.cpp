#include "sfg/control/open_loop.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {

OpenLoop open_loop(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  OpenLoop result;
  SignalFlowGraph& open = result.graph = SignalFlowGraph::like_with_nodes(graph);
  GiNaC::ex gain = 0;
  SourceSpan where;
  bool found = false;
  for (const Branch& branch : graph.branches()) {
    if (branch.from != from || branch.to != to) {
      open.add_branch(branch);
      continue;
    }
    if (!branch.linear()) throw Error(nonlinear(graph, branch, " and cannot be cut", "cut the loop at a branch with a gain"));
    gain += branch.gain();
    where = branch.where;
    found = true;
  }
  if (!found)
    throw Error(graph.where, "there is no branch '" + graph[from].name + "' -> '" + graph[to].name + "'", Advice::list_loops);
  std::string name = "loop at " + graph[to].name;
  while (open.find(name)) name += "_";
  const NodeId source = open.add_node({name, where, {}});
  open.add_branch(source, to, -gain, where);
  open.inputs = {source};
  open.outputs = {from};
  result.question = {source, from, Question::Mode::source, {}};
  return result;
}

OpenLoop open_loop(const SignalFlowGraph& graph, NodeId at) {
  const auto entering = graph.entering(at), leaving = graph.leaving(at);
  if (entering.size() == 1) return open_loop(graph, graph[entering.front()].from, at);
  if (leaving.size() == 1) return open_loop(graph, at, graph[leaving.front()].to);
  const std::string& name = graph[at].name;
  throw Error(graph[at].where,
              "node '" + name + "' has " + std::to_string(entering.size()) + " entering and " + std::to_string(leaving.size()) +
                  " leaving branches: where the loop is opened is not clear",
              Remedy("name a branch by its two ends") | Advice::list_loops);
}

namespace {

/// Nodes that are reached from one along branches, or against them.
std::vector<bool> reached(const SignalFlowGraph& graph, NodeId start, bool forward) {
  std::vector<bool> seen(graph.nodes().size());
  std::vector<NodeId> open{start};
  seen[start.index] = true;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const BranchId id : forward ? graph.leaving(node) : graph.entering(node)) {
      const NodeId next = forward ? graph[id].to : graph[id].from;
      if (!seen[next.index]) open.push_back(next);
      seen[next.index] = true;
    }
  }
  return seen;
}

}  // namespace

bool passes_through_loop(const SignalFlowGraph& graph, const Question& question) {
  const std::vector<bool> after = reached(graph, question.input, true), before = reached(graph, question.output, false);
  const auto between = [&](NodeId node) { return after[node.index] && before[node.index]; };
  std::vector<std::size_t> entering(graph.nodes().size());  // branches between nodes on the way; what can be taken away from
  std::size_t left = 0;                                     // the front, node by node, is free of loops
  std::vector<NodeId> front;
  for (const Branch& branch : graph.branches())
    if (between(branch.from) && between(branch.to)) ++entering[branch.to.index];
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId node{i};
    if (!between(node)) continue;
    ++left;
    if (entering[i] == 0) front.push_back(node);
  }
  while (!front.empty()) {
    const NodeId node = front.back();
    front.pop_back();
    --left;
    for (const BranchId id : graph.leaving(node))
      if (between(graph[id].to) && --entering[graph[id].to.index] == 0) front.push_back(graph[id].to);
  }
  return left > 0;
}

}  // namespace sfg
