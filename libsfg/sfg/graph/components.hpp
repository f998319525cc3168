#pragma once
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The strongly connected components, sources first (a branch leads from an earlier component to a later one); the nodes
/// of each in ascending order.
std::vector<std::vector<NodeId>> strong_components(const SignalFlowGraph&);

/// Which nodes are reached from `start` (itself included), by index. @throws std::out_of_range when it is no node of the graph.
std::vector<bool> reached_from(const SignalFlowGraph&, NodeId start);
/// Which nodes reach `end` (itself included), by index. @throws std::out_of_range when it is no node of the graph.
std::vector<bool> reaching(const SignalFlowGraph&, NodeId end);

}  // namespace sfg
