#pragma once
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What looks wrong in a graph that can be read: warnings and notes with their places, nothing that keeps an analysis
/// from an answer. Isolated nodes, stated inputs with entering branches, outputs that no input reaches, branches of gain
/// zero, gains that use the name of a node, parameters without a value.
std::vector<Diagnostic> inspect(const SignalFlowGraph&);

/// "the branch a -> b is nonlinear", with what follows from it (" and cannot be cut"), at the place of the branch.
Diagnostic nonlinear(const SignalFlowGraph&, const Branch&, std::string_view consequence, Remedy);

/// @throws sfg::Error naming every nonlinear branch between the nodes (by index; empty: all).
void require_linear(const SignalFlowGraph&, const std::vector<bool>& nodes = {},
                    std::string_view consequence = ", so that there is no transfer function",
                    const Remedy& = "linearise it: give it a gain");

}  // namespace sfg
