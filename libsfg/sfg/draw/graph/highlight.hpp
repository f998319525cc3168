#pragma once
#include <algorithm>
#include <vector>

#include "sfg/graph/loops.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Nodes and branches of a graph that a picture makes stand out: those of a forward path, a loop, a set of loops.
struct Highlight {
  std::vector<NodeId> nodes = {};
  std::vector<BranchId> branches = {};

  bool has(NodeId node) const { return std::ranges::find(nodes, node) != nodes.end(); }
  bool has(BranchId branch) const { return std::ranges::find(branches, branch) != branches.end(); }
  /// What the other has, too.
  void add(const Highlight& other);
};

/// A forward path: its nodes and every branch from each of them to the next.
Highlight highlighted_path(const SignalFlowGraph&, const Path&);
/// A loop: the same, back to its first node.
Highlight highlighted_loop(const SignalFlowGraph&, const Path&);
/// Every branch from one node to another.
Highlight highlighted_branches(const SignalFlowGraph&, NodeId from, NodeId to);

}  // namespace sfg
