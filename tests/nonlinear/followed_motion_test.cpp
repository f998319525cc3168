// Periodic motions are followed in time: what is one is confirmed, what is none is not.
#include "sfg/nonlinear/balance/followed_motion.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sfg/nonlinear/balance/describing_plane.hpp"
#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;

class Random {
 public:
  double operator()(double low, double high) { return std::uniform_real_distribution(low, high)(generator_); }

 private:
  std::mt19937_64 generator_{29};
};

/// The frequency moved by a part of itself, all else as it was: no motion of the graph any more.
PeriodicMotions moved(PeriodicMotions all, double part) {
  for (PeriodicMotion& motion : all.points) {
    for (auto& signal : motion.harmonics)
      for (auto& X : signal) X *= 1 + part;
    motion.confirmation = {};
  }
  all.notes.clear();
  return all;
}

TEST(FollowedMotion, VanDerPolOfAnyParameterComesBack) {
  Random random;
  for (int i = 0; i < 6; ++i) {
    const double mu = random(0.2, 2), w = random(0.5, 5);
    const auto graph = read_dot(
        fmt::format(R"dot(digraph {{ output="x"; r -> x [gain="1/(s^2 + {})"]; x -> r [nonlinear="{}*(1 - u^2)*v"]; }})dot",
                    w * w, mu),
        "vdp.dot");
    const BalanceOptions options{.converge = true};
    const PeriodicMotions all = limit_cycles(graph, {}, w / 5, 5 * w, options);
    ASSERT_EQ(all.points.size(), 1u) << mu << ' ' << w;
    const auto& c = all.points[0].confirmation;
    EXPECT_EQ(c.confirmed, true) << mu << ' ' << w << ' ' << c.deviation << c.reason;
    EXPECT_LE(c.deviation, 1e-3);
    EXPECT_EQ(c.periods, 3);
    PeriodicMotions other = moved(all, 0.2);
    confirm(graph, {}, other, options);
    EXPECT_EQ(other.points[0].confirmation.confirmed, false) << mu << ' ' << w;
  }
}

TEST(FollowedMotion, BackwardsVanDerPolIsFollowedAsLongAsItsMultiplierAllows) {
  for (const double mu : {0.05, 0.5, 3.0}) {
    const auto graph = read_dot(
        fmt::format(R"dot(digraph {{ output="x"; r -> x [gain="1/(s^2 + 1)"]; x -> r [nonlinear="-{}*(1 - u^2)*v"]; }})dot", mu),
        "vdp.dot");
    const PeriodicMotions all = limit_cycles(graph, {}, 0.2, 5, {.converge = true});
    ASSERT_EQ(all.points.size(), 1u);
    EXPECT_NE(all.points[0].stable, true);
    const auto& c = all.points[0].confirmation;
    if (c.confirmed) {
      EXPECT_TRUE(*c.confirmed) << mu << ' ' << c.deviation;
      EXPECT_GT(c.periods, 0);
    } else {
      EXPECT_NE(c.reason, "") << mu;  // e^(2π 3) a period
    }
    if (mu < 1) {
      EXPECT_EQ(c.confirmed, true) << mu;
    }
  }
}

TEST(FollowedMotion, DuffingOfAnyParameterComesBack) {
  Random random;
  std::size_t unstable = 0;
  for (int i = 0; i < 6; ++i) {
    const double damping = random(0.05, 0.3), hard = random(0.2, 2), force = random(0.2, 0.6), frequency = random(0.6, 1.8);
    const auto graph = read_dot(
        fmt::format(
            R"dot(digraph {{ input=F; output=x; F -> r; r -> x [gain="1/(s^2 + {}*s + 1)"]; x -> r [nonlinear="-{}*u^3"]; }})dot",
            damping, hard),
        "duffing.dot");
    const PeriodicInput drive{graph.at("F"), force, i % 2 == 0 ? 0 : 0.1};
    const std::vector<double> frequencies{frequency};
    const BalanceOptions options{.harmonics = 15};
    const PeriodicMotions all = periodic_motions(graph, {&drive, 1}, frequencies, options);
    for (const PeriodicMotion& motion : all.points) {
      EXPECT_EQ(motion.confirmation.confirmed, true) << damping << ' ' << hard << ' ' << force << ' ' << frequency << ' '
                                                     << motion.confirmation.deviation << motion.confirmation.reason;
      unstable += motion.stable == false;
    }
    PeriodicMotions other = moved(all, 0.2);
    confirm(graph, {&drive, 1}, other, options);
    for (const PeriodicMotion& motion : other.points) EXPECT_EQ(motion.confirmation.confirmed, false);
  }
  EXPECT_GT(unstable, 0u);
}

TEST(FollowedMotion, RelayLoopsComeBackWithTheHarmonicsTheyNeed) {
  Random random;
  for (int i = 0; i < 4; ++i) {
    const double gain = random(1, 20), a = random(0.5, 2), b = random(1, 4), level = random(0.5, 2);
    const auto graph = read_dot(
        fmt::format(R"dot(digraph {{ output=y; f -> y [gain="{}/(s*(s+{})*(s+{}))"]; y -> f [nonlinear="-{}*sign(u)"]; }})dot",
                    gain, a, b, level),
        "relay.dot");
    const double w = std::sqrt(a * b);
    const PeriodicMotions all = limit_cycles(graph, {}, w / 4, 4 * w, {.harmonics = 31});
    ASSERT_EQ(all.points.size(), 1u);
    EXPECT_EQ(all.points[0].confirmation.confirmed, true)
        << all.points[0].confirmation.deviation << all.points[0].confirmation.reason;
  }
}

TEST(FollowedMotion, LargeGraphsAreFollowedWhenAskedFor) {
  std::string chain = "digraph { input=w; output=x1; w -> r1;";
  for (int i = 1; i <= 35; ++i) chain += fmt::format("r{0} -> x{0} [gain=\"1/(s^2)\"]; x{0} -> r{0} [gain=\"-(s/5 + 3)\"];", i);
  for (int i = 1; i < 35; ++i) chain += fmt::format("x{0} -> r{1} [gain=2]; x{1} -> r{0} [gain=2];", i, i + 1);
  const auto graph = read_dot(chain + " x1 -> r1 [nonlinear=\"-u^3/2\"]; }", "chain.dot");
  const PeriodicInput drive{graph.at("w"), 0.1};
  const std::vector<double> frequencies{9};
  const auto unasked = periodic_motions(graph, {&drive, 1}, frequencies, {});
  ASSERT_FALSE(unasked.points.empty());
  EXPECT_FALSE(unasked.points[0].confirmation.confirmed.has_value());
  EXPECT_NE(unasked.points[0].confirmation.reason, "");
  const auto asked = periodic_motions(graph, {&drive, 1}, frequencies, {.confirm = true});
  EXPECT_TRUE(asked.points[0].confirmation.confirmed.has_value());
}

// Re L = −K/(a b (a + b)) at ω = √(ab); a relay with dead zone has N = 4 M/(πA) √(1 − (d/A)²), twice every value below 2 M/(πd).
TEST(DescribingPlane, HasEveryCrossingAtItsPlace) {
  Random random;
  for (int i = 0; i < 4; ++i) {
    const double a = random(0.3, 3), b = random(0.3, 3), d = random(0.1, 2), M = random(0.5, 3),
                 part = i % 2 == 0 ? random(0.2, 0.9) : random(0.997, 0.9999);
    const double highest = 2 * M / (std::numbers::pi * d), K = a * b * (a + b) / (part * highest);
    const auto graph = read_dot(
        fmt::format(
            R"dot(digraph {{ output=y; f -> y [gain="-{}/(s*(s+{})*(s+{}))"]; y -> f [nonlinear="{}*(step(u-{})-step(-u-{}))"]; }})dot",
            K, a, b, M, d, d),
        "relay.dot");
    const DescribingPlane plane = describing_plane(graph, 0, 0);
    ASSERT_EQ(plane.crossings.size(), 2u) << part;
    for (const auto& crossing : plane.crossings) {
      EXPECT_NEAR(crossing.frequency, std::sqrt(a * b), 1e-6 * crossing.frequency);
      EXPECT_NEAR(std::abs(crossing.place + 1 / (part * highest)), 0, 1e-6 / highest);
      const double A = crossing.amplitude, N = 4 * M / (std::numbers::pi * A) * std::sqrt(1 - std::pow(d / A, 2));
      EXPECT_NEAR(N, part * highest, 1e-6 * highest);
    }
    EXPECT_NE(plane.crossings[0].stable, plane.crossings[1].stable);
    EXPECT_TRUE(plane.crossings[1].stable);
  }
}

}  // namespace
