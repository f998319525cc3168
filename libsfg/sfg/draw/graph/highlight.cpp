#include "sfg/draw/graph/layout.hpp"

namespace sfg {

void Highlight::add(const Highlight& other) {
  for (const NodeId node : other.nodes)
    if (!has(node)) nodes.push_back(node);
  for (const BranchId branch : other.branches)
    if (!has(branch)) branches.push_back(branch);
}

Highlight highlighted_branches(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  Highlight made;
  for (const BranchId branch : graph.leaving(from))
    if (graph[branch].to == to) made.branches.push_back(branch);
  return made;
}

Highlight highlighted_path(const SignalFlowGraph& graph, const Path& path) {
  Highlight made{.nodes = path.nodes};
  for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i) made.add(highlighted_branches(graph, path.nodes[i], path.nodes[i + 1]));
  return made;
}

Highlight highlighted_loop(const SignalFlowGraph& graph, const Path& loop) {
  Highlight made = highlighted_path(graph, loop);
  if (!loop.nodes.empty()) made.add(highlighted_branches(graph, loop.nodes.back(), loop.nodes.front()));
  return made;
}

}  // namespace sfg
