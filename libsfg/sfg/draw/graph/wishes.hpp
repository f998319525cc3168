#pragma once
#include <optional>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// By branch: where its attribute `side` wants it to lie, seen from the straight line between its ends: −1 "above", 1 "below",
/// 0 anywhere. @throws Error  with the place of the branch for any other word.
std::vector<int> stated_sides(const SignalFlowGraph&);

/// By node: its attribute `rank`, a whole number; nodes of one rank share a column, lower ones lie left of it.
/// Empty where no node states one. @throws Error  with the place of the node for anything else.
std::vector<std::optional<int>> stated_ranks(const SignalFlowGraph&);

/// Whether the file asks for a picture from right to left: the attribute `rankdir` of the graph is RL.
bool runs_leftwards(const SignalFlowGraph&);

/// Sources that lead to the same nodes, two or more of them, in the order of the inputs (or of the nodes, where not all are
/// stated as inputs): they share a column.
std::vector<std::vector<NodeId>> columns_of_sources(const SignalFlowGraph&);

}  // namespace sfg
