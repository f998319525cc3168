#pragma once
#include <functional>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A loop (closed path, no node twice) or a forward path, by its nodes; parallel branches are one.
struct Path {
  std::vector<NodeId> nodes = {};  ///< a loop does not repeat its first node; it starts at its earliest node
};

/// Streams every loop by Johnson's algorithm (SIAM J. Comput. 4, 1975): time O((N+B)(L+1)).
/// Loops come by their earliest node, then by the order of nodes. `visit` returns false to stop.
void for_each_loop(const SignalFlowGraph&, const std::function<bool(const Path&)>& visit, const Budget& = {});
/// Streams every forward path from source to sink in the same way: time O((N+B)(P+1)). When source and sink are one node,
/// the only path is that node.
void for_each_path(const SignalFlowGraph&, NodeId source, NodeId sink, const std::function<bool(const Path&)>& visit,
                   const Budget& = {});

/// All of them; LimitReached beyond the budget's number of terms.
std::vector<Path> loops(const SignalFlowGraph&, const Budget& = {});

/// The gain of a path: product over its branches, parallel ones added.
/// @throws std::bad_variant_access when a branch is nonlinear.
GiNaC::ex path_gain(const SignalFlowGraph&, const Path&);
/// The gain of a loop: that of the path through its nodes and back to the first.
GiNaC::ex loop_gain(const SignalFlowGraph&, const Path&);

/// The branches from one node to another: parallel ones, taken as one branch.
struct BranchBundle {
  NodeId from;
  NodeId to;
  std::vector<BranchId> branches = {};

  /// The sum of the gains; std::bad_variant_access when a branch is nonlinear.
  GiNaC::ex gain(const SignalFlowGraph&) const;
};
/// Every pair of nodes that is joined, sorted by `from`, then `to`.
std::vector<BranchBundle> bundles(const SignalFlowGraph&);

}  // namespace sfg
