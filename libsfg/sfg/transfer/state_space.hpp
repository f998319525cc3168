#pragma once
#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/state_space.hpp"

namespace sfg {

struct StateSpaceOptions {
  std::vector<NodeId> inputs = {};   ///< empty: those of the graph; a signal is added at a node that has entering branches
  std::vector<NodeId> outputs = {};  ///< empty: those of the graph
  bool minimal = false;              ///< without the states that no input moves or no output shows
  Budget budget = {};
};

/// ẋ = A x + B u, y = C x + D u of a linear graph with rational gains. The states are signals of the graph: x where a
/// gain has a pole (an integrator's output), x, Dx, … where it has several. Algebraic signals are eliminated; gains that are
/// improper (−m p² in a mechanical graph) are no obstacle as long as the responses are proper. A state that had to be
/// shifted by a multiple of an input to remove its derivative is named z_x. A signal added at a node x that has entering
/// branches is the input x_in. state_space_graph() is the way back.
///
/// With `minimal` the controllable part is taken (the span of B, A B, A² B, … in echelon form, so that the remaining states are
/// still signals of the graph) and of it the observable quotient, exactly, over the rational functions of the parameters.
/// @throws NoAnswer when the graph is singular, or a response is improper (with its name).
/// @throws sfg::Error when a branch is nonlinear or a gain is not rational in the operator.
/// @note  Costs O(n³) operations on rational functions of the parameters.
StateSpace state_space(const SignalFlowGraph&, const StateSpaceOptions& = {});

/// The controllable and observable part (Kalman 1963), as above.
StateSpace minimal(const StateSpace&);

}  // namespace sfg
