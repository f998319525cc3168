#include "sfg/control/routh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "exact_systems.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg {
namespace {

using exact::RationalPolynomial;

/// Nise, Control Systems Engineering, example 8.6: K(s + 2)/((s + 3)(s² + 2s + 2)) leaves −1 + j at 108.4°.
TEST(RootLocus, AngleOfDepartureOfNisesExample) {
  const RationalPolynomial A = RationalPolynomial{1, 3} * RationalPolynomial{1, 2, 2}, B{1, 2};
  const RootLocus locus = root_locus(in_k(A, B), 0, 100);
  const auto at = std::ranges::find_if(locus.departures, [](const auto& a) { return a.root.imag() > 0; });
  ASSERT_NE(at, locus.departures.end());
  ASSERT_EQ(at->degrees.size(), 1U);
  EXPECT_NEAR(at->degrees[0], 180 - std::atan2(1, 2) * 180 / std::numbers::pi + 45 - 90, 1e-9);  // 108.43°
}

TEST(RootLocus, ADoublePoleIsLeftInTwoOppositeDirections) {
  const RootLocus locus = root_locus(in_k({1, 2, 1}, {1}), 0, 10);
  ASSERT_EQ(locus.departures.size(), 1U);
  EXPECT_EQ(locus.departures[0].degrees, (std::vector<double>{-90, 90}));
}

/// At −3/10 twice with K = 0 exactly, at −1 twice with no K; the common factor stands still.
TEST(RootLocus, BreakawayAtMultiplePolesIsAtZero) {
  const RationalPolynomial twice = RationalPolynomial{10, 3} * RationalPolynomial{10, 3}, common{7, 17};
  const RationalPolynomial zeros = RationalPolynomial{1, 1} * RationalPolynomial{1, 1};
  const RootLocus locus = root_locus(in_k(twice * common * RationalPolynomial{1, 5}, common * zeros), 0, 1000);
  // else 2/(s + 3/10) + 1/(s + 5) = 2/(s + 1), for no real s
  ASSERT_EQ(locus.breakaway.size(), 1U);
  EXPECT_EQ(locus.breakaway[0].root, -0.3);
  EXPECT_EQ(locus.breakaway[0].parameter, 0);
}

TEST(RootLocus, WhatCancelsIsNotLeft) {
  const RationalPolynomial common{1, 5};
  const RootLocus locus = root_locus(in_k(common * RationalPolynomial{1, 1}, common), 0, 10);
  ASSERT_EQ(locus.departures.size(), 1U);
  EXPECT_EQ(locus.departures[0].root, -1.0);
}

/// The directions are those in which exact roots lie for a parameter next to 0, and next to infinity.
TEST(RootLocus, AnglesAreThoseOfExactRootsNearby) {
  std::mt19937 random(11);
  const auto integer = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int round = 0; round < 40; ++round) {
    RationalPolynomial A{1}, B{integer(0, 1) == 0 ? 2 : -3};
    for (int i = 0; i < 2; ++i) A *= RationalPolynomial{1, 2 * integer(-3, 3), integer(10, 30)};
    if (integer(0, 1) == 0) A = A * RationalPolynomial{1, integer(1, 9)}.power(2);
    if (integer(0, 1) == 0) B *= RationalPolynomial{1, integer(-4, 4), integer(5, 9)};
    const int sign = integer(0, 1) == 0 ? 1 : -1;
    const RootLocus locus = sign > 0 ? root_locus(in_k(A, B), 0, 1) : root_locus(in_k(A, B), -1, 0);
    const auto check = [&](const std::vector<RootLocus::Angles>& list, const RationalPolynomial& P, const RationalPolynomial& Q) {
      const auto small = RationalPolynomial::constant(exact::Rational(sign) / 100000000);
      const std::vector<std::complex<double>> near = exact::root_values((P + small * Q).coefficients());
      for (const RootLocus::Angles& angles : list)
        for (const double angle : angles.degrees) {
          double least = 360;
          for (const auto& z : near)
            if (std::abs(z - angles.root) < 1e-2)
              least =
                  std::min(least, std::abs(std::remainder(std::arg(z - angles.root) * 180 / std::numbers::pi - angle, 360.0)));
          EXPECT_LT(least, 0.5) << round << ": " << angles.root << " " << angle;
        }
    };
    check(locus.departures, A, B);
    check(locus.arrivals, B, A);
  }
}

TEST(RootLocus, ByDefaultTheBranchesGoFar) {
  const auto coefficients = in_k(RationalPolynomial{1, 3, 2, 0}, RationalPolynomial{1});
  const RootLocus locus = root_locus(coefficients, 0, locus_range(coefficients));
  for (const auto& branch : locus.branches) EXPECT_GT(std::abs(branch.back()), 8);
  EXPECT_EQ(locus.parameter.back(), locus_range(coefficients));
}

TEST(RootLocus, IsSampledToTheEndOfItsRange) {
  const auto coefficients = in_k(RationalPolynomial{1, 2, 101}.power(3), RationalPolynomial{1, 0});
  const RootLocus locus = root_locus(coefficients, 0, 1e15);
  EXPECT_EQ(locus.parameter.back(), 1e15);
  EXPECT_TRUE(std::ranges::is_sorted(locus.parameter));
}

}  // namespace
}  // namespace sfg
