#pragma once
#include <ginac/ex.h>

#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/ring/exact_polynomial.hpp"
#include "sfg/ring/rational_polynomial.hpp"

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

/// Coefficients in the operator, highest power first, each a polynomial in one parameter; every other name has a number.
/// @param characteristic  an expression that is a polynomial in both.
/// @throws NoAnswer when it is not; sfg::Error naming parameters without values.
std::vector<ring::ExactPolynomial> exact_coefficients_in(const GiNaC::ex& characteristic, const GiNaC::ex& variable,
                                                         const GiNaC::ex& parameter);
/// The same, irrational numbers rounded to 120 digits.
std::vector<ring::RationalPolynomial> coefficients_in(const GiNaC::ex& characteristic, const GiNaC::ex& variable,
                                                      const GiNaC::ex& parameter);

}  // namespace sfg
