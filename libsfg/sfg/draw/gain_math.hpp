#pragma once
#include <vector>

#include "sfg/expr/math_tree.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The gains (of nonlinear branches the laws) as a picture shows them, by branch: decimals as decimals, long numbers with six
/// digits, and of sampled systems delays as the field writes them, K z⁻¹. Names are as they are written.
std::vector<Math> gain_math(const SignalFlowGraph&);

}  // namespace sfg
