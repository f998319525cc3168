#pragma once
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"

namespace sfg {

/// The point with what signals, and their rates, are that laws depend on and that are sums of others: x1 − x2 where x1 and x2 are
/// known. Those in `stated` stay; the others are made anew where one of `stated` enters them.
LinearizationPoint with_sums(const SignalFlowGraph&, LinearizationPoint, const LinearizationPoint& stated = {});

}  // namespace sfg
