#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

// Not installed.
namespace sfg {

/// A graph and, beside every signal x that a parameter k moves, a further signal ∂x/∂k: forward sensitivities as signals of a
/// graph, linear where the graph is, which whatever follows signals follows. Nodes keep their numbers.
struct SlopeGraph {
  SignalFlowGraph graph;
  std::vector<std::vector<std::optional<NodeId>>> slopes;  ///< [parameter][node]; none: it does not move
};

/// @param by     parameters, no other symbol of the gains depends on them
/// @param moved  nodes at which something that depends on them drives the graph
/// @throws NoAnswer for a law that jumps or remembers, so that its slopes are more than derivatives
SlopeGraph with_slopes(const SignalFlowGraph&, std::span<const GiNaC::ex> by, std::span<const NodeId> moved);

}  // namespace sfg
