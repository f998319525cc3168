#include "sfg/response/time_response.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sfg {
namespace {

/// 1/(s² + 2ζs + 1): the step response lies between 1 ± e^(−ζt)/√(1 − ζ²).
ExactTransfer resonator(const exact::Rational& zeta) {
  ExactTransfer transfer;
  transfer.numerator.parts = {{0, {1}}};
  transfer.denominator.parts = {{0, {1, zeta * 2, 1}}};
  return transfer;
}

TEST(OscillationBand, OfALightlyDampedPairIsThatOfItsFormula) {
  const double zeta = 1e-5, until = 4e5;
  const auto band = oscillation_band(resonator(exact::Rational(1) / 100000), Excitation::step, until, {.amplitude = 2});
  ASSERT_TRUE(band);
  EXPECT_NEAR(band->oscillations, until / (2 * std::acos(-1.0)), 1);
  const double piece = band->time[1] - band->time[0];
  for (std::size_t i = 0; i < band->time.size(); ++i) {
    const double widest = 2 * std::exp(-zeta * (band->time[i] - piece / 2)),
                 after = 2 * std::exp(-zeta * (band->time[i] + piece / 2));
    EXPECT_LE(band->high[i] - 2, widest * (1 + 1e-6));
    EXPECT_GE(band->high[i] - 2, after * 0.995);
    EXPECT_LE(2 - band->low[i], widest * (1 + 1e-6));
    EXPECT_GE(2 - band->low[i], after * 0.995);
  }
}

TEST(OscillationBand, OfFewOscillationsThereIsNone) {
  EXPECT_FALSE(oscillation_band(resonator(exact::Rational(1) / 10), Excitation::step, 100));
}

}  // namespace
}  // namespace sfg
