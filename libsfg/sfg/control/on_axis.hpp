#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/transfer/exact_transfer.hpp"

// Not installed: polynomials on the imaginary axis.
namespace sfg {

/// p(jω) = even + jω odd, both in x = ω².
struct OnAxis {
  explicit OnAxis(const exact::RationalPolynomial& p) : even(p.even_part().scaled(-1)), odd(p.odd_part().scaled(-1)) {}
  exact::RationalPolynomial squared_magnitude() const { return even * even + (odd * odd).shifted_up(1); }
  exact::RationalPolynomial even, odd;
};

/// Distinct positive roots of a polynomial in x, ascending; none of the zero polynomial.
/// @throws NoAnswer where one of them is no double: a frequency of 1e600 rad/s is neither infinite nor missing
inline std::vector<exact::RealRoot> positive_roots(const exact::RationalPolynomial& p) {
  if (p.is_zero()) return {};
  std::vector<exact::RealRoot> roots = real_roots(p);
  std::erase_if(roots, [](const exact::RealRoot& root) { return root.number.sign() <= 0; });
  for (const exact::RealRoot& root : roots)
    if (!std::isnormal(root.value))
      throw NoAnswer("a frequency that the answer needs is beyond the range of floating-point numbers",
                     "state the parameters in other units of time");
  return roots;
}

/// Whether a root of a multiple of `factor` is one of the factor.
inline bool is_root(const exact::RationalPolynomial& factor, const exact::RealRoot& root) {
  const std::vector<exact::RealRoot> roots = real_roots(factor);
  constexpr double rounding = 1e-19;  // both have twenty digits
  return std::any_of(roots.begin(), roots.end(), [&](const exact::RealRoot& r) {
    return std::abs((r.number - root.number).to_double()) <= (r.exact && root.exact ? 0 : rounding * std::abs(root.value));
  });
}

/// p without every root that it has in common with q.
inline exact::RationalPolynomial without_roots(exact::RationalPolynomial p, const exact::RationalPolynomial& q) {
  for (exact::RationalPolynomial common = gcd(p, q); !p.is_zero() && common.degree() > 0; common = gcd(p, q))
    p = divided(p, common).first;
  return p;
}

/// The image of a transfer function in z under z = (1 + w)/(1 − w): e^{jωh} becomes w = jν with ν = tan(ωh/2), so that what holds
/// on the imaginary axis answers for the unit circle. Half the sampling frequency, z = −1, is ν = ∞.
ExactTransfer axis_image(const ExactTransfer& in_z);

}  // namespace sfg
