#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A loop (closed path, no node twice) or a forward path, by its nodes; parallel branches are one.
struct Path {
  std::vector<NodeId> nodes;   ///< a loop does not repeat its first node; it starts at its earliest node
};

/// Streams every loop by Johnson's algorithm (SIAM J. Comput. 4, 1975): time O((N+B)(L+1)).
/// `visit` returns false to stop.
void for_each_loop(const SignalFlowGraph&, const std::function<bool(const Path&)>& visit, const Budget& = {});
/// Streams every forward path from source to sink; nodes that do not reach the sink are never entered.
void for_each_path(const SignalFlowGraph&, NodeId source, NodeId sink, const std::function<bool(const Path&)>& visit, const Budget& = {});

/// All of them; LimitReached beyond the budget's number of terms.
std::vector<Path> loops(const SignalFlowGraph&, const Budget& = {});
std::vector<Path> forward_paths(const SignalFlowGraph&, NodeId source, NodeId sink, const Budget& = {});

/// The gain of a path or loop: product over its branches, parallel ones added.
GiNaC::ex gain(const SignalFlowGraph&, const Path&, bool closed);

}  // namespace sfg
