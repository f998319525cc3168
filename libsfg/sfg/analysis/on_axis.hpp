#pragma once
#include <algorithm>
#include <vector>

#include "sfg/ring/rational_polynomial.hpp"

// Not installed: polynomials on the imaginary axis.
namespace sfg {

/// p(jω) = even + jω odd, both in x = ω².
struct OnAxis {
  explicit OnAxis(const ring::RationalPolynomial& p) : even(p.even_part().scaled("-1")), odd(p.odd_part().scaled("-1")) {}
  ring::RationalPolynomial squared_magnitude() const { return even * even + (odd * odd).shifted_up(1); }
  ring::RationalPolynomial even, odd;
};

/// Distinct positive roots of a polynomial in x, ascending; none of the zero polynomial.
inline std::vector<ring::RealRoot> positive_roots(const ring::RationalPolynomial& p) {
  if (p.is_zero()) return {};
  std::vector<ring::RealRoot> roots = real_roots(p);
  std::erase_if(roots, [](const ring::RealRoot& root) { return root.value <= 0; });
  return roots;
}

/// Whether a root of a multiple of `factor` is one of the factor.
inline bool is_root(const ring::RationalPolynomial& factor, const ring::RealRoot& root) {
  const std::vector<ring::RealRoot> roots = real_roots(factor);
  return std::any_of(roots.begin(), roots.end(), [&](const ring::RealRoot& r) { return r.text == root.text; });
}

/// p without every root that it has in common with q.
inline ring::RationalPolynomial without_roots(ring::RationalPolynomial p, const ring::RationalPolynomial& q) {
  for (ring::RationalPolynomial common = gcd(p, q); !p.is_zero() && common.degree() > 0; common = gcd(p, q))
    p = divided(p, common).first;
  return p;
}

}  // namespace sfg
