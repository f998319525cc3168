#pragma once
#include <cstddef>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// A closed disc in the complex plane; centre and radius are finite decimals.
struct PoleDisc {
  exact::Rational real, imaginary, radius;
};

/// An irreducible factor of a denominator with as many disjoint discs as its degree: one root lies in each.
struct PoleFactor {
  exact::RationalPolynomial polynomial;  ///< monic
  std::size_t multiplicity = 1;
  std::vector<PoleDisc> discs = {};
};

/// Where the roots of a polynomial are, in numbers that anyone can check by rational arithmetic: the roots of a monic f of degree
/// n lie in the discs |z − z_i| ≤ n |f(z_i)| / Π_{j≠i} |z_i − z_j|, and one in each when they are disjoint (Smith, J. ACM 17,
/// 1970).
struct PoleEnclosure {
  std::vector<PoleFactor> factors = {};
  /// Every root is left of the imaginary axis (inside the unit circle for z). That is seen at the discs; that it is not, at a
  /// disc on the other side, or at a factor whose roots lie symmetrically to the axis (the circle): f(−s) = ±f(s).
  bool stable = true;
};

/// @param polynomial  not zero.
/// @throws LimitReached where 1,000 digits do not separate the roots, or the time is over.
PoleEnclosure pole_enclosure(const exact::RationalPolynomial& polynomial, const Operator&, const Budget& = {});

}  // namespace sfg
