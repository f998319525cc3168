#include "sfg/control/poles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sfg/error.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {
namespace {

using exact::Rational;
using exact::RationalPolynomial;

ExactTransfer of(const RationalPolynomial& n, const RationalPolynomial& d) {
  ExactTransfer transfer;
  transfer.input = "u", transfer.output = "y";
  transfer.numerator.parts = {{0, n}};
  transfer.denominator.parts = {{0, d}};
  return transfer;
}

TEST(BodeAsymptotes, OfALagBendAtItsCornerThreeDecibelsAboveTheCurve) {
  const ExactTransfer lag = of({10}, {1, 2});  // 10/(s + 2)
  const BodeAsymptotes lines = bode_asymptotes(lag);
  ASSERT_EQ(lines.corners.size(), 1U);
  EXPECT_EQ(lines.corners[0].frequency, 2);
  EXPECT_EQ(lines.corners[0].slope_before, 0);
  EXPECT_EQ(lines.corners[0].slope_behind, -20);
  const std::vector<double> corner{2};
  EXPECT_NEAR(lines.magnitude_at(2) - frequency_response(lag, corner).magnitude_db[0], 20 * std::log10(std::sqrt(2.0)), 1e-12);
  EXPECT_NEAR(lines.phase_at(2), -45, 1e-12);
  EXPECT_NEAR(lines.phase_at(0.2), 0, 1e-12);
  EXPECT_NEAR(lines.phase_at(20), -90, 1e-12);
}

TEST(BodeAsymptotes, OfAnUndampedPairStepByHalfATurn) {
  const BodeAsymptotes lines = bode_asymptotes(of({1}, {1, 0, 4}));
  ASSERT_EQ(lines.corners.size(), 1U);
  EXPECT_EQ(lines.corners[0].slope_behind, -40);
  EXPECT_EQ(lines.phase, (std::vector<std::pair<double, double>>{{2, 0}, {2, -180}}));
}

/// Far from all roots the lines are the exact response, of any transfer function: right and left roots, integrators, either sign.
TEST(BodeAsymptotes, MeetTheResponseFarFromTheRoots) {
  std::mt19937 random(5);
  const auto integer = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int round = 0; round < 60; ++round) {
    RationalPolynomial n{integer(0, 1) == 0 ? -3 : 7}, d{1};
    for (int i = integer(0, 2); i > 0; --i) n *= RationalPolynomial{1, integer(0, 1) == 0 ? integer(1, 9) : -integer(1, 9)};
    for (int i = integer(1, 2); i > 0; --i) d *= RationalPolynomial{1, integer(0, 1) == 0 ? integer(1, 9) : -integer(1, 9)};
    if (integer(0, 1) == 0) d *= RationalPolynomial{1, integer(-2, 2), integer(5, 20)};
    d *= RationalPolynomial{1}.shifted_up(static_cast<std::size_t>(integer(0, 2)));
    const RationalPolynomial common = gcd(n, d);
    const ExactTransfer transfer = of(divided(n, common).first, divided(d, common).first);
    const BodeAsymptotes lines = bode_asymptotes(transfer);
    const std::vector<double> far{1e-7, 1e7};
    const FrequencyResponse response = frequency_response(transfer, far);
    for (std::size_t i = 0; i < far.size(); ++i) {
      EXPECT_NEAR(lines.magnitude_at(far[i]), response.magnitude_db[i], 1e-4) << round;
      EXPECT_NEAR(lines.phase_at(far[i]), response.phase_deg[i], 1e-3) << round;
    }
    int slope = lines.first_slope;
    for (const BodeAsymptotes::Corner& corner : lines.corners) {
      EXPECT_EQ(corner.slope_before, slope);
      EXPECT_NEAR(lines.magnitude_at(corner.frequency), corner.magnitude_db, 1e-9);
      EXPECT_NEAR(lines.magnitude_at(corner.frequency * (1 - 1e-12)), corner.magnitude_db, 1e-6);
      slope = corner.slope_behind;
    }
    EXPECT_EQ(slope,
              20 * static_cast<int>(transfer.numerator.polynomial().degree() - transfer.denominator.polynomial().degree()));
  }
}

TEST(BodeAsymptotes, OfZeroAndInZThereAreNone) {
  ExactTransfer zero = of({1}, {1, 1});
  zero.numerator.parts.clear();
  EXPECT_THROW(bode_asymptotes(zero), NoAnswer);
  ExactTransfer sampled = of({1}, {2, 1});
  sampled.op = Operator("z");
  EXPECT_THROW(bode_asymptotes(sampled), NoAnswer);
}

}  // namespace
}  // namespace sfg
