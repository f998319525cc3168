#include "sfg/transfer/certificate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sfg {
namespace {

using exact::Rational;
using exact::RationalPolynomial;

bool holds(const PoleDisc& disc, const Rational& re, const Rational& im = 0) {
  const Rational x = disc.real - re, y = disc.imaginary - im;
  return x * x + y * y <= disc.radius * disc.radius;
}

TEST(PoleDiscs, OneRootInEach) {
  const RationalPolynomial pair{1, 2, 5};  // −1 ± 2j
  const PoleEnclosure found = pole_enclosure(RationalPolynomial{3, 3} * pair * pair, "s");
  ASSERT_EQ(found.factors.size(), 2U);
  EXPECT_TRUE(found.stable);
  for (const PoleFactor& factor : found.factors) {
    ASSERT_EQ(factor.discs.size(), static_cast<std::size_t>(factor.polynomial.degree()));
    EXPECT_EQ(factor.multiplicity, factor.polynomial == pair ? 2U : 1U);
    for (const PoleDisc& disc : factor.discs)
      EXPECT_TRUE(factor.polynomial == pair ? holds(disc, -1, 2) != holds(disc, -1, -2) : holds(disc, -1));
  }
}

TEST(PoleDiscs, SideOfTheAxis) {
  const auto stable = [](const RationalPolynomial& f, const char* op) { return pole_enclosure(f, op).stable; };
  EXPECT_TRUE(stable({1, Rational(1) / Rational(10).power(30), 1}, "s"));  // so close to the axis that more digits decide
  EXPECT_FALSE(stable({1, Rational(-1) / Rational(10).power(30), 1}, "s"));
  EXPECT_FALSE(stable({1, 0, 1}, "s"));
  EXPECT_FALSE(stable({1, 0}, "s"));
  EXPECT_TRUE(stable({2, 1}, "z"));
  EXPECT_TRUE(stable({1, 0}, "z"));
  EXPECT_FALSE(stable({1, 0, 1}, "z"));
  EXPECT_FALSE(stable({1, 1}, "z"));
  EXPECT_TRUE(stable({7}, "s"));
}

// Of s² − 2 a s + a² + b², which are no squares, the discs about a ± b j; products of such are factored again.
TEST(PoleDiscs, RandomProductsOfPairs) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    RationalPolynomial product{1};
    bool left = true;
    for (int i = 0; i < 5; ++i) {
      const Rational a = Rational(static_cast<int>(random() % 41) - 30) / 7, b = Rational(static_cast<int>(random() % 9) + 1) / 5;
      product *= RationalPolynomial{1, Rational(-2) * a, a * a + b * b};
      left = left && a < 0;
    }
    const PoleEnclosure found = pole_enclosure(product, "s");
    EXPECT_EQ(found.stable, left);
    RationalPolynomial again{1};
    for (const PoleFactor& factor : found.factors) again *= factor.polynomial.power(factor.multiplicity);
    EXPECT_EQ(again, product);
  }
}

}  // namespace
}  // namespace sfg
