#include "sfg/exact/roots.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sfg/exact/rational_polynomial.hpp"

namespace sfg::exact {
namespace {

using Coefficients = std::vector<Rational>;

/// Π (x − r), expanded.
RationalPolynomial product(const std::vector<Rational>& roots) {
  RationalPolynomial p = RationalPolynomial::constant(1);
  for (const Rational& r : roots) p *= RationalPolynomial::variable() - RationalPolynomial::constant(r);
  return p;
}

TEST(Roots, MultipleRootsKeepTheirDigits) {
  const auto found = roots(product({-1, -1, -1, -1, -1, -1}).coefficients());  // Eigen loses 13 digits here
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].multiplicity, 6u);
  EXPECT_EQ(found[0].real, -1);
  EXPECT_TRUE(found[0].is_real);
}

TEST(Roots, WilkinsonIsExact) {
  std::vector<Rational> wanted;
  for (int k = 1; k <= 20; ++k) wanted.push_back(k);
  const auto found = roots(product(wanted).coefficients());
  ASSERT_EQ(found.size(), 20u);
  for (int k = 0; k < 20; ++k) EXPECT_EQ(found[static_cast<std::size_t>(k)].value.real(), k + 1);
}

TEST(Roots, TheAxisIsRecognisedExactly) {
  const auto found = roots(Coefficients{1, 0, 2, 0, 1, 0});  // s (s² + 1)²
  ASSERT_EQ(found.size(), 3u);
  for (const Root& root : found) EXPECT_TRUE(root.on_axis);
  EXPECT_EQ(found[1].multiplicity, 2u);
  for (const Root& root : roots(Coefficients{1, Rational(10).power(-30), 1})) EXPECT_FALSE(root.on_axis);
}

TEST(Roots, DigitsAreCorrect) {
  const auto found = roots(Coefficients{1, 0, -2}, 40);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(decimal(found[1].real, 40), "1.41421356237309504880168872420969807857");
}

TEST(Roots, ConstantsHaveNoneAndZeroIsRefused) {
  EXPECT_TRUE(roots(Coefficients{5}).empty());
  EXPECT_TRUE(roots(Coefficients{0, 0, Rational(7) / 3}).empty());
  EXPECT_THROW(roots(Coefficients{0}), std::invalid_argument);
}

TEST(RationalPolynomial, CountsRootsByHalfPlane) {
  const auto counts = (product({-1, -2, 3, 0}) * RationalPolynomial(Coefficients{1, 0, 4})).root_counts();
  EXPECT_EQ(counts.left, 2u);
  EXPECT_EQ(counts.right, 1u);
  EXPECT_EQ(counts.axis, 3u);
}

TEST(RationalPolynomial, RealRootsAreExactWhereRational) {
  const auto found = real_roots(product({Rational(1) / 3, -7}) * RationalPolynomial(Coefficients{1, 0, -2}));
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].number, -7);
  EXPECT_FALSE(found[1].exact);
  EXPECT_EQ(found[2].number, Rational(1) / 3);
  EXPECT_NEAR(found[3].value, std::sqrt(2.0), 1e-15);
}

TEST(RationalPolynomial, EvaluatesInTheComplexPlane) {
  const RationalPolynomial p(Coefficients{1, 2, 3});
  EXPECT_EQ(p.at(std::complex<double>(0, 1)), std::complex<double>(2, 2));
  EXPECT_EQ(p.at(Rational(1) / 2), Rational(17) / 4);
}

}  // namespace
}  // namespace sfg::exact
