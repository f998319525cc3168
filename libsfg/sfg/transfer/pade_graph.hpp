#pragma once
#include <cstddef>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The graph with every dead time e^(−τs) of a gain replaced by its Padé approximant of the order (Padé 1892), τ still a symbol:
/// all transfer functions are rational then. Factors e^(−τs + b) keep their e^b. Other functions of the operator stay.
SignalFlowGraph pade(const SignalFlowGraph&, std::size_t order);

}  // namespace sfg
