#pragma once
#include <algorithm>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Nodes and branches of a graph that a picture makes stand out: those of a forward path, a loop, a set of loops.
struct Highlight {
  std::vector<NodeId> nodes = {};
  std::vector<BranchId> branches = {};

  bool has(NodeId node) const { return std::ranges::find(nodes, node) != nodes.end(); }
  bool has(BranchId branch) const { return std::ranges::find(branches, branch) != branches.end(); }
};

}  // namespace sfg
