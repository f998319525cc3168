#include "sfg/control/axis_image.hpp"

#include <algorithm>

#include "sfg/control/routh.hpp"
#include "sfg/exact/rational_polynomial.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

/// p((1 + w)/(1 − w)) (1 − w)^n.
std::vector<exact::Rational> mapped(const std::vector<exact::Rational>& p, std::size_t n) {
  std::vector<RationalPolynomial> padded(n + 1 - p.size());
  for (const exact::Rational& c : p) padded.push_back(RationalPolynomial::constant(c));
  std::vector<exact::Rational> result;
  for (const RationalPolynomial& c : bilinear_image(padded)) result.push_back(c.coefficient(0));
  return RationalPolynomial(result).coefficients();
}

}  // namespace

ExactTransfer axis_image(const ExactTransfer& in_z) {
  const std::vector<exact::Rational>&n = in_z.numerator.coefficients(), &d = in_z.denominator.coefficients();
  const std::size_t order = std::max(n.size(), d.size()) - 1;
  ExactTransfer image = in_z;
  image.variable = "w";
  if (!n.empty()) image.numerator.parts = {{0, mapped(n, order)}};
  image.denominator.parts = {{0, mapped(d, order)}};
  return image;
}

}  // namespace sfg
