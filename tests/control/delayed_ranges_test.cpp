// Ranges of a gain in a loop with dead time, against the argument principle.
#include "sfg/control/delayed_ranges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sfg/exact/delayed_loop.hpp"

namespace sfg {
namespace {

/// Every limit of a range of K against the argument principle on both of its sides, and random K against the ranges.
TEST(StableRanges, OfAGainBehindADeadTime) {
  std::mt19937 random(3);
  const auto any = [&](int low, int high) { return exact::Rational(std::uniform_int_distribution<int>(low, high)(random)); };
  for (int trial = 0; trial < 8; ++trial) {
    // N e^(−τs)/D of degree 2 or 3, with or without an integrator, D stable or not
    std::vector<exact::Rational> N{any(1, 3), any(-2, 4)}, D{any(1, 2), any(1, 6), any(trial % 3 == 0 ? -2 : 1, 8)};
    D.push_back(trial % 2 == 0 ? exact::Rational(0) : any(1, 5));
    if (trial % 4 == 1) N.erase(N.begin());
    if (N.front().is_zero()) N.front() = 1;
    const exact::Rational tau = any(1, 12) / 10;
    ExactTransfer L;
    L.numerator.parts.push_back({tau, exact::RationalPolynomial(N)});
    L.denominator.parts.push_back({0, exact::RationalPolynomial(D)});
    const std::vector<OpenRange> ranges = delayed_stable_ranges(L);
    const auto roots = [&](double K) {
      std::vector<exact::Rational> part = N;
      for (exact::Rational& c : part) c = c * exact::Rational::of(K);
      return exact::right_half_plane_zeros(std::vector<exact::DelayedPolynomial>{{0, D}, {tau, part}});
    };
    const auto inside = [&](double K) {
      return std::ranges::any_of(
          ranges, [&](const OpenRange& r) { return (!r.low || r.low->value < K) && (!r.high || K < r.high->value); });
    };
    const auto check = [&](double K) {
      const auto count = K == 0 ? std::nullopt : roots(K);
      if (count.has_value()) {
        EXPECT_EQ(*count == 0, inside(K)) << "K = " << K << ", trial " << trial;
      }
    };
    for (const OpenRange& range : ranges)
      for (const auto* end : {&range.low, &range.high})
        if (*end)
          for (const double part : {-1e-4, 1e-4}) check((*end)->value + part * std::max(std::abs((*end)->value), 1e-2));
    for (int sample = 0; sample < 10; ++sample) check(std::uniform_real_distribution<double>(-20, 20)(random));
  }
}

}  // namespace
}  // namespace sfg
