#pragma once
#include <optional>

#include "sfg/exact/rational_polynomial.hpp"

namespace sfg::exact {

/// numerator/denominator.
struct RationalFraction {
  RationalPolynomial numerator, denominator;
};

/// ∫ of the fraction from `low` to `high`, or to infinity where that is not given; 0 ≤ low < high. Certified: by rigorous
/// quadrature in ball arithmetic (Johansson 2018), correct to a relative error of 1e-14. Nothing where the integral diverges,
/// which is decided exactly: a pole in the closed range, or a fall at infinity slower than 1/x².
std::optional<double> integral(const RationalFraction&, const Rational& low, const std::optional<Rational>& high);

}  // namespace sfg::exact
