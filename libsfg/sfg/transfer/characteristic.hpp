#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The determinant Δ of a graph as a polynomial: every row of I − Aᵀ is multiplied by the denominators of the gains that
/// belong to a loop, so that Δ = polynomial / clearing. Nothing is cancelled: modes that a transfer function hides are in it.
/// Elements outside of the loops have poles that no loop moves, and stability depends on them, too.
struct CharacteristicPolynomial {
  /// What an element outside of the loops adds: a factor of its denominator that its node's other gains do not have.
  struct Outside {
    std::string from, to;  ///< the nodes of the branch
    ring::Polynomial factor;
  };
  PolynomialSpace space;  ///< variable 0 is the operator
  ring::Polynomial polynomial;
  ring::Polynomial clearing;
  std::vector<Outside> outside = {};

  /// The polynomial of the whole graph: with the factors from outside of the loops.
  ring::Polynomial whole() const;
  /// What cancels between polynomial and clearing: poles inside the loops that meet a zero there. 1 when there is none.
  ring::Polynomial cancelled() const;
};

/// @throws NoAnswer when Δ ≡ 0; LimitReached when the budget ends; sfg::Error for a nonlinear branch inside a loop.
CharacteristicPolynomial characteristic_polynomial(const SignalFlowGraph&, const Budget& = {});

/// Coefficients in the operator, highest power first, each a polynomial in one parameter; every other name has a number.
/// @param characteristic  an expression that is a polynomial in both.
/// @throws NoAnswer when it is not; sfg::Error naming parameters without values.
std::vector<exact::ExactPolynomial> exact_coefficients_in(const GiNaC::ex& characteristic, const GiNaC::ex& variable,
                                                          const GiNaC::ex& parameter);
/// The same, irrational numbers rounded to 120 digits.
std::vector<exact::RationalPolynomial> coefficients_in(const GiNaC::ex& characteristic, const GiNaC::ex& variable,
                                                       const GiNaC::ex& parameter);

}  // namespace sfg
