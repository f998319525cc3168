#pragma once
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What looks wrong in a graph that can be read: warnings and notes with their places, nothing that keeps an analysis
/// from an answer. Isolated nodes, stated inputs with entering branches, outputs that no input reaches, branches of gain
/// zero, gains that use the name of a node, parameters without a value.
std::vector<Diagnostic> inspect(const SignalFlowGraph&);

}  // namespace sfg
