#include "sfg/response/smooth_loci.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "exact_systems.hpp"

namespace sfg {
namespace {

using exact::RationalPolynomial;

FrequencyResponse smooth(const ExactTransfer& transfer, std::vector<double> frequency = {}) {
  return frequency_responses(std::span(&transfer, 1), {.frequency = std::move(frequency), .smooth = true}).front();
}

/// The furthest that the true locus lies from the chords, inside of the reach.
double furthest_from_chords(const ExactTransfer& transfer, const FrequencyResponse& r) {
  double furthest = 0;
  const double reach = locus_reach(r);
  for (std::size_t i = 1; i < r.value.size(); ++i) {
    const std::complex<double> a = r.value[i - 1], b = r.value[i];
    if (std::abs(a) > reach || std::abs(b) > reach) continue;
    for (const double part : {0.25, 0.5, 0.75}) {
      const std::vector<double> w{std::pow(r.frequency[i - 1], 1 - part) * std::pow(r.frequency[i], part)};
      const std::complex<double> z = frequency_response(transfer, w).value[0], along = b - a;
      const double length = std::abs(along);
      const double t = length > 0 ? std::clamp(((z - a) * std::conj(along)).real() / (length * length), 0.0, 1.0) : 0;
      furthest = std::max(furthest, std::abs(z - (a + t * along)) / reach);
    }
  }
  return furthest;
}

TEST(SmoothLoci, LieOnTheLocusWhateverTheGridWas) {
  const std::vector<ExactTransfer> loops{
      of({1}, {1, 1}),                                   // a half circle
      of({1}, {1, exact::Rational(1) / 100, 1}),         // a resonance: nearly a whole circle within a hundredth of the axis
      of({3}, {1, 3, 2, 0}),                             // an integrator
      of({1, 4, 8}, {1, exact::Rational(1) / 5, 9, 1}),  // two loops
      of({1}, {1, 1}, 3),                                // a spiral
  };
  for (const ExactTransfer& loop : loops) EXPECT_LT(furthest_from_chords(loop, smooth(loop)), 0.0025) << &loop - loops.data();
}

TEST(SmoothLoci, ACoarseStatedGridIsFilledBetweenItsEnds) {
  const ExactTransfer lag = of({1}, {1, 1});
  const FrequencyResponse r = smooth(lag, {0.01, 0.1, 1, 10, 100});
  EXPECT_EQ(r.frequency.front(), 0.01);
  EXPECT_EQ(r.frequency.back(), 100);
  EXPECT_TRUE(std::ranges::is_sorted(r.frequency));
  EXPECT_EQ(r.frequency.size(), r.value.size());
  EXPECT_EQ(r.frequency.size(), r.phase_deg.size());
  EXPECT_LT(furthest_from_chords(lag, r), 0.0025);
}

TEST(SmoothLoci, NextToAPoleOnTheAxisTheLocusLeavesItsReach) {
  const ExactTransfer oscillator = of({1, 1}, {1, 0, 4});
  const FrequencyResponse r = smooth(oscillator);
  const double reach = locus_reach(r);
  ASSERT_EQ(r.axis_poles.size(), 1U);
  EXPECT_EQ(r.axis_poles[0].frequency, 2);
  EXPECT_EQ(r.axis_poles[0].multiplicity, 1);
  const auto next = static_cast<std::size_t>(std::ranges::upper_bound(r.frequency, 2.0) - r.frequency.begin());
  EXPECT_GT(std::abs(r.value[next]), reach);
  std::size_t before = next - 1;
  if (r.frequency[before] == 2) --before;
  EXPECT_GT(std::abs(r.value[before]), reach);
}

TEST(SmoothLoci, PolesAtZeroAreCounted) {
  const FrequencyResponse r = smooth(of({1, 1}, {1, 10, 0, 0}));
  ASSERT_EQ(r.axis_poles.size(), 1U);
  EXPECT_EQ(r.axis_poles[0].frequency, 0);
  EXPECT_EQ(r.axis_poles[0].multiplicity, 2);
}

}  // namespace
}  // namespace sfg
