#include "sfg/nonlinear/balance/periodic_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sfg/error.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;

constexpr const char* van_der_pol = R"dot(digraph { output="x"; parameters="mu=1";
  r -> x [gain="1/(s^2 + 1)"]; x -> r [nonlinear="mu*(1 - u^2)*v"]; })dot";

PeriodicMotions cycles(const char* dot, double low, double high, const BalanceOptions& options) {
  return limit_cycles(read_dot(dot, "test.dot"), {}, low, high, options);
}

double peak(const PeriodicMotion& motion) {
  constexpr int count = 20000;
  double most = 0;
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    for (std::size_t h = 0; h < motion.harmonics[0].size(); ++h)
      sum += (motion.harmonics[0][h] * std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(h) * i / count)).real();
    most = std::max(most, sum);
  }
  return most;
}

TEST(LimitCycles, VanDerPolHasOne) {
  // Period and amplitude for mu = 1: Andersen and Geer, SIAM J. Appl. Math. 42 (1982), 678.
  const PeriodicMotions all = cycles(van_der_pol, 0, 0, {.harmonics = 35});
  ASSERT_EQ(all.points.size(), 1u);
  EXPECT_NEAR(2 * std::numbers::pi / all.points[0].frequency, 6.6632868593231, 1e-10);
  EXPECT_NEAR(peak(all.points[0]), 2.00861986087, 1e-7);
  EXPECT_EQ(all.points[0].stable, true);
  ASSERT_EQ(all.points[0].multipliers.size(), 2u);
  EXPECT_NEAR(std::abs(all.points[0].multipliers[0] - 1.0), 0, 1e-6);
}

TEST(LimitCycles, DescribingFunctionOfVanDerPol) {
  const PeriodicMotions all = cycles(van_der_pol, 0.1, 10, {.harmonics = 1});
  ASSERT_EQ(all.points.size(), 1u);
  EXPECT_NEAR(all.points[0].frequency, 1, 1e-9);
  EXPECT_NEAR(std::abs(all.points[0].harmonics[0][1]), 2, 1e-9);
}

TEST(LimitCycles, TwoOfThemWhereTheLawSaysSo) {
  const PeriodicMotions all = cycles(R"dot(digraph { output=x; r -> x [gain="1/(s^2+1)"];
    x -> r [nonlinear="(-0.04 + 0.05*(u^2+v^2) - 0.01*(u^2+v^2)^2)*v"]; })dot",
                                     0.3, 3, {.harmonics = 9});
  ASSERT_EQ(all.points.size(), 2u);  // circles u² + v² = 1 and 4 exactly: inside of the first the law brakes
  const double a = std::abs(all.points[0].harmonics[0][1]), b = std::abs(all.points[1].harmonics[0][1]);
  EXPECT_NEAR(std::min(a, b), 1, 1e-8);
  EXPECT_NEAR(std::max(a, b), 2, 1e-8);
  for (const PeriodicMotion& cycle : all.points) {
    EXPECT_NEAR(cycle.frequency, 1, 1e-9);
    EXPECT_EQ(cycle.stable, std::abs(cycle.harmonics[0][1]) > 1.5);
  }
}

TEST(LimitCycles, SaturatedLoopOfThreeLags) {
  // 8 K/(s+1)^3 with unit saturation: the loop's gain is 1 at ω = √3 where N(A) = 1/K.
  const PeriodicMotions all = cycles(R"dot(digraph { output=y; e -> y [gain="8/(s+1)^3"];
    y -> e [nonlinear="-2*max(-1, min(1, u))"]; })dot",
                                     0.1, 20, {.harmonics = 1});
  ASSERT_EQ(all.points.size(), 1u);
  EXPECT_NEAR(all.points[0].frequency, std::sqrt(3), 1e-6);
  const double A = std::abs(all.points[0].harmonics[0][1]);
  EXPECT_NEAR(2 / std::numbers::pi * (std::asin(1 / A) + std::sqrt(1 - 1 / (A * A)) / A), 0.5, 1e-5);
  EXPECT_EQ(all.points[0].stable, true);
}

TEST(LimitCycles, RelayByItsDescribingFunction) {
  // N(A) = 4/(pi A), and 1/(s(s+1)(s+2)) is -1/6 at sqrt(2).
  const PeriodicMotions all = cycles(R"dot(digraph { output=y; e -> y [gain="1/(s*(s+1)*(s+2))"];
    y -> e [nonlinear="-sign(u)"]; })dot",
                                     0.1, 20, {.harmonics = 1});
  ASSERT_EQ(all.points.size(), 1u);
  EXPECT_NEAR(all.points[0].frequency, std::sqrt(2), 1e-9);
  EXPECT_NEAR(std::abs(all.points[0].harmonics[0][1]), 4 / std::numbers::pi / 6, 1e-9);
  EXPECT_FALSE(all.points[0].stable.has_value());
}

TEST(LimitCycles, LinearGraphsHaveNone) {
  EXPECT_THROW(cycles(R"dot(digraph { output=y; a -> y [gain="1/(s+1)"]; y -> a [gain=-1]; })dot", 0.1, 1, {}), NoAnswer);
}

/// Where the law has memory its describing function alone is asked: close to what the transient settles on.
TEST(LimitCycles, OfBacklashComeFromItsDescribingFunction) {
  const char* servo = R"dot(digraph { input=r; output=m; r -> e; e -> m [gain="8/(s*(s+1))"]; m -> y [nonlinear="backlash(u, 1)"];
    y -> e [gain=-1]; })dot";
  const PeriodicMotions all = cycles(servo, 0, 0, {.harmonics = 1});
  ASSERT_EQ(all.points.size(), 2u);
  EXPECT_EQ(all.points[0].stable, false);
  EXPECT_EQ(all.points[1].stable, true);
  const PeriodicMotion& cycle = all.points[1];
  const double A = std::abs(cycle.harmonics[0][1]), w = cycle.frequency;
  // 1 = N(A) T: with the published N of a backlash of half width d, x = 1 − 2d/A:
  // N = (1/π)(π/2 + asin x + x √(1 − x²)) − j (4d/(πA))(1 − d/A).
  const double d = 0.5, x = 1 - 2 * d / A;
  const std::complex<double> N((std::numbers::pi / 2 + std::asin(x) + x * std::sqrt(1 - x * x)) / std::numbers::pi,
                               -4 * d / (std::numbers::pi * A) * (1 - d / A));
  const std::complex<double> s(0, w), T = -8.0 / (s * (s + 1.0));
  EXPECT_NEAR(std::abs(1.0 - N * T), 0, 1e-8);
}

TEST(LimitCycles, OfRelaysWithHysteresis) {
  const char* loop = R"dot(digraph { output=x; a -> x [gain="4/(s*(s+1)*(s/5+1))"]; f -> a [gain=-1];
    x -> f [nonlinear="hysteresis(u, 1/2, -1/2, 1)"]; })dot";
  const PeriodicMotions all = cycles(loop, 0, 0, {.harmonics = 1});
  ASSERT_EQ(all.points.size(), 1u);
  EXPECT_EQ(all.points[0].stable, true);
  const double A = std::abs(all.points[0].harmonics[0][1]);
  const std::complex<double> s(0, all.points[0].frequency), T = -4.0 / (s * (s + 1.0) * (s / 5.0 + 1.0));
  const std::complex<double> N = 4 / (std::numbers::pi * A) * std::complex<double>(std::sqrt(1 - 0.25 / (A * A)), -0.5 / A);
  EXPECT_NEAR(std::abs(1.0 - N * T), 0, 1e-8);
  EXPECT_THROW(cycles(R"dot(digraph { output=x; a -> x [gain="4/(s*(s+1))"]; x -> a [nonlinear="-hysteresis(u, 1, 0, 1)"]; })dot",
                      0, 0, {}),
               NoAnswer);
}

}  // namespace
