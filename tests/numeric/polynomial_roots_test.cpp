// Roots and responses in double precision against certified ones and against the standard functions.
#include "sfg/numeric/polynomial_roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/numeric/axis_batch.hpp"

namespace sfg::numeric {
namespace {

std::vector<exact::Rational> exactly(std::span<const double> ascending) {
  std::vector<exact::Rational> result;
  for (std::size_t i = ascending.size(); i-- > 0;) result.push_back(exact::Rational::of(ascending[i]));
  return result;
}

TEST(PolynomialRoots, PositiveOnesAreThoseOfTheExactPolynomial) {
  std::mt19937 random(3);
  PositiveRoots roots;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> p(std::uniform_int_distribution<std::size_t>(2, 14)(random));
    for (double& c : p)
      c = std::normal_distribution<double>()(random) * std::exp2(std::uniform_int_distribution<int>(-8, 8)(random));
    if (round % 5 == 0) p.front() = 0;
    std::vector<double> want;
    for (const exact::RealRoot& root : exact::real_roots(exact::RationalPolynomial(exactly(p))))
      if (root.value > 0) want.push_back(root.value);
    const auto found = roots(p);
    ASSERT_EQ(found.size(), want.size()) << round;
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(found[i], want[i], 1e-9 * want[i]);
  }
}

TEST(PolynomialRoots, ComplexOnesAreFoundFromNearbyStarts) {
  std::mt19937 random(4);
  ComplexRoots roots;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> p(std::uniform_int_distribution<std::size_t>(2, 12)(random));
    for (double& c : p) c = std::normal_distribution<double>()(random);
    const auto starts = exact::root_values(exactly(p));
    for (double& c : p) c *= std::uniform_real_distribution(0.7, 1.3)(random);
    const auto found = roots(p, starts);
    auto want = exact::root_values(exactly(p));
    ASSERT_EQ(found.size(), want.size()) << round;
    for (const auto& root : want) {
      double nearest = HUGE_VAL;
      for (const auto& other : found) nearest = std::min(nearest, std::abs(root - other));
      EXPECT_LT(nearest, 1e-8 * std::abs(root)) << round;
    }
    EXPECT_EQ(std::ranges::count_if(found, [](auto z) { return z.imag() == 0; }),
              std::ranges::count_if(want, [](auto z) { return z.imag() == 0; }));
  }
}

TEST(AxisBatch, IsAsTheStandardFunctions) {
  std::mt19937 random(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> n(std::uniform_int_distribution<std::size_t>(1, 7)(random)),
        d(std::uniform_int_distribution<std::size_t>(1, 7)(random));
    for (double& c : n) c = std::normal_distribution<double>()(random);
    for (double& c : d) c = std::normal_distribution<double>()(random);
    std::vector<double> nu(std::uniform_int_distribution<std::size_t>(1, 150)(random)), x, squared(nu.size()), angle(nu.size());
    for (double& w : nu) w = std::exp(std::uniform_real_distribution(-6.0, 6.0)(random));
    for (const double w : nu) x.push_back(w * w);
    squared_magnitudes(n, d, x, squared);
    arguments(n, d, nu, x, angle);
    std::vector<double> db = squared;
    decibels(db);
    for (std::size_t i = 0; i < nu.size(); ++i) {
      const auto at = [&](const std::vector<double>& p) {
        std::complex<double> value = 0;
        for (std::size_t k = p.size(); k-- > 0;) value = value * std::complex(0.0, nu[i]) + p[k];
        return value;
      };
      const std::complex<double> T = at(n) / at(d);
      EXPECT_NEAR(squared[i], std::norm(T), 1e-9 * std::norm(T));
      EXPECT_NEAR(db[i], 10 * std::log10(squared[i]), 4e-15 * std::abs(10 * std::log10(squared[i])) + 1e-15);
      EXPECT_NEAR(std::remainder(angle[i] - std::arg(T) * 180 / M_PI, 360), 0, 1e-7);
    }
  }
  std::vector<double> odd{0, -1, HUGE_VAL, 1, 5e-324};
  decibels(odd);
  EXPECT_TRUE(std::isnan(odd[0]) && std::isnan(odd[1]) && std::isnan(odd[2]) && odd[3] == 0 && std::isnan(odd[4]));
}

}  // namespace
}  // namespace sfg::numeric
