#pragma once
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The gains (of nonlinear branches the laws) as a picture shows them, by branch: decimals as decimals, long numbers with six
/// digits, and of sampled systems delays as the field writes them, K z⁻¹. Names are as they are written.
/// @param decimals  those that were typed: fractions of polynomials are written with them, not with whole numbers
std::vector<Math> gain_math(const SignalFlowGraph&, const std::vector<exact::Rational>& decimals = {});

}  // namespace sfg
