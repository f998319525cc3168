#pragma once
#include <map>
#include <string>

#include "sfg/exact/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Where a graph is linearised: the value of every signal that a law depends on. Rates are 0, unless they are named Dx.
using LinearizationPoint = std::map<std::string, exact::Rational>;

/// The graph with every law replaced by its slopes at the point: ∂f/∂u + s ∂f/∂v from the tail, the same from further signals.
/// Parameters stay symbols. Signals are deviations from the point.
/// @throws sfg::Error naming signals without a value; NoAnswer where a law has a jump or corner at the point, or depends on time.
SignalFlowGraph linearized(const SignalFlowGraph&, const LinearizationPoint&);

}  // namespace sfg
