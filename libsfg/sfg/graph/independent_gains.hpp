#pragma once
#include "sfg/expr/independent_functions.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The gains of the linear branches between these nodes; of all nodes where the list is empty.
std::vector<GiNaC::ex> gains_between(const SignalFlowGraph&, const std::vector<bool>& nodes = {});

/// The same graph with these gains in the letters of the functions; other branches stay as they are.
SignalFlowGraph with_independent_gains(const SignalFlowGraph&, IndependentFunctions&, const std::vector<bool>& nodes = {});

}  // namespace sfg
