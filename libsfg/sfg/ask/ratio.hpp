#pragma once
#include <span>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"

// Not installed: how Subject makes the ratio of two transfer functions that it is asked about.
namespace sfg {

struct RatioTerms;

/// The graph of the ratio. @param definitions  of signals of the model that are no nodes
/// @throws sfg::Error without a place for words that name no transfer functions of the graph; as the ratio_graph() of two
SignalFlowGraph ratio_graph(SignalFlowGraph graph, const RatioTerms&, std::span<const EquationSystem::Definition> definitions);

}  // namespace sfg
