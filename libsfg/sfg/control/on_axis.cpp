#include "sfg/control/on_axis.hpp"

#include "sfg/control/routh.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

/// p((1 + w)/(1 − w)) (1 − w)^n.
RationalPolynomial mapped(const RationalPolynomial& p, std::size_t n) {
  std::vector<RationalPolynomial> padded;
  for (std::size_t i = 0; i <= n; ++i) padded.push_back(RationalPolynomial::constant(p.coefficient(n - i)));
  std::vector<exact::Rational> result;
  for (const RationalPolynomial& c : bilinear_image(padded)) result.push_back(c.coefficient(0));
  return RationalPolynomial(result);
}

}  // namespace

ExactTransfer axis_image(const ExactTransfer& in_z) {
  const RationalPolynomial n = in_z.numerator.polynomial(), d = in_z.denominator.polynomial();
  const auto order = static_cast<std::size_t>(std::max(n.degree(), d.degree()));
  ExactTransfer image = in_z;
  image.op = "w";
  if (!n.is_zero()) image.numerator.parts = {{0, mapped(n, order)}};
  image.denominator.parts = {{0, mapped(d, order)}};
  return image;
}

}  // namespace sfg
