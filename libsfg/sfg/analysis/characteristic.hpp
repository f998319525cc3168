#pragma once
#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The determinant Δ of a graph as a polynomial: every row of I − Aᵀ is multiplied by the denominators of the gains that
/// belong to a loop, so that Δ = polynomial / clearing. Nothing is cancelled: modes that a transfer function hides are in it.
struct CharacteristicPolynomial {
  PolynomialSpace space;  ///< variable 0 is the operator
  ring::Polynomial polynomial;
  ring::Polynomial clearing;
};

/// @throws NoAnswer when Δ ≡ 0; LimitReached when the budget ends; sfg::Error for a nonlinear branch inside a loop.
CharacteristicPolynomial characteristic_polynomial(const SignalFlowGraph&, const Budget& = {});

}  // namespace sfg
