#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>

#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// The number that a constant expression is, never rounded; nothing when it has a name in it or is not real.
/// @throws NoAnswer when that cannot be told, naming the expression.
std::optional<exact::ExactNumber> exact_number(const GiNaC::ex&, const exact::ExactField&);

/// Whether sqrt(2), pi, sin(1) or the like is in it.
bool has_irrational_constant(const GiNaC::ex&);

/// The NoAnswer for a decision that was not possible: `what` ("the coefficient of s^2"), and the expression it is about.
NoAnswer undecided(const std::string& what, const GiNaC::ex& constant, const exact::Undecided&);

/// The polynomial without the terms whose constant coefficients are zero, as sqrt(2)*sqrt(3) - sqrt(6) is; those that are
/// rational become a number. Polynomials without irrational constants are returned as they are.
/// @throws NoAnswer when a coefficient cannot be decided, naming it.
ring::Polynomial settled(const ring::Polynomial&, const PolynomialSpace&);
/// @throws sfg::Error when the denominator is zero.
RationalFunction settled(RationalFunction);

}  // namespace sfg
