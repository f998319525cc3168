#pragma once
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// The equations D(p) x = B u of a linear graph: the way back from from_equations(). Sources of the graph are the sources u; the
/// equation of every other node is cleared of denominators; nodes that only add (x_k = Σ polynomials, such as the summing
/// nodes e_i of from_equations) are put into the others as long as no power above `degree` arises, outputs excepted. A
/// stated input with entering branches becomes an unknown with a source NAME_in beside its equation.
/// @throws sfg::Error when a branch is nonlinear or a gain is not rational in the operator.
EquationSystem to_equations(const SignalFlowGraph&, std::size_t degree = 2);

}  // namespace sfg
