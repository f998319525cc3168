#pragma once
#include <span>
#include <string_view>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// The node of that name; where there is none, a new one of that name for an expression that is linear in signals: nodes,
/// definitions, and rates of both (see signal_sum). It is a sink, with a branch from every node that it depends on.
/// @throws sfg::Error at `where` for what is no such expression, and for rates where the operator is that of samples (z).
NodeId output_signal(SignalFlowGraph&, std::string_view expression, std::span<const EquationSystem::Definition> definitions = {},
                     const SourceSpan& where = {});

}  // namespace sfg
