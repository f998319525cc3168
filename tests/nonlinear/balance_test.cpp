#include "sfg/nonlinear/balance/periodic_motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "nonlinear/systems.hpp"
#include "sfg/error.hpp"
#include "sfg/nonlinear/balance/balance_equations.hpp"
#include "sfg/nonlinear/balance/balance_starts.hpp"
#include "sfg/nonlinear/balance/floquet.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;
using Complex = std::complex<double>;

PeriodicMotions motions(const char* dot, double amplitude, const std::vector<double>& frequencies, BalanceOptions options) {
  const SignalFlowGraph graph = read_dot(dot, "test.dot");
  const PeriodicInput drive{graph.stated_inputs().front(), amplitude};
  return periodic_motions(graph, std::span(&drive, 1), frequencies, options);
}

template <class Known>
std::vector<double> frequencies_of(const Known& known) {
  std::vector<double> all;
  for (const auto& k : known)
    if (std::ranges::find(all, k.frequency) == all.end()) all.push_back(k.frequency);
  return all;
}

std::size_t signal(const PeriodicMotions& all, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(all.signals, name) - all.signals.begin());
}

/// The motion of that frequency with the nearest amplitude.
const PeriodicMotion& nearest(const PeriodicMotions& all, const std::string& name, double frequency, double amplitude) {
  const std::size_t s = signal(all, name);
  return *std::ranges::min_element(all.points, {}, [&](const PeriodicMotion& p) {
    return p.frequency == frequency ? std::abs(std::abs(p.harmonics[s][1]) - amplitude) : 1e9;
  });
}

template <class Known>
void expect_amplitudes(const PeriodicMotions& all, const std::string& name, const Known& known, double accuracy) {
  EXPECT_EQ(all.points.size(), std::size(known));
  for (const auto& k : known) {
    const double found = std::abs(nearest(all, name, k.frequency, k.amplitude).harmonics[signal(all, name)][1]);
    EXPECT_NEAR(found, k.amplitude, accuracy * k.amplitude) << k.frequency;
  }
}

TEST(Balance, DescribingFunctionsGiveAllAmplitudes) {
  expect_amplitudes(motions(test::two_masses, 4, frequencies_of(test::two_masses_describing), {.harmonics = 1}), "x2",
                    test::two_masses_describing, 1e-9);
  expect_amplitudes(motions(test::three_masses, 5, frequencies_of(test::three_masses_describing), {.harmonics = 1}), "x3",
                    test::three_masses_describing, 1e-9);
}

template <class Known>
void expect_orbits(const PeriodicMotions& all, const std::string& name, const Known& known, double accuracy) {
  expect_amplitudes(all, name, known, accuracy);
  for (const auto& k : known) {
    const PeriodicMotion& motion = nearest(all, name, k.frequency, k.amplitude);
    ASSERT_FALSE(motion.multipliers.empty());
    EXPECT_NEAR(std::abs(motion.multipliers.front()), k.multiplier, 1e-6);
    EXPECT_EQ(motion.stable, k.multiplier < 1);
  }
}

TEST(Balance, ManyHarmonicsGiveTheOrbitsAndTheirStability) {
  const PeriodicMotions two = motions(test::two_masses, 4, frequencies_of(test::two_masses_orbits), {.harmonics = 15});
  expect_orbits(two, "x2", test::two_masses_orbits, 1e-9);
  ASSERT_EQ(two.marks.size(), 2u);
  EXPECT_EQ(two.marks[0].kind, MotionMark::Kind::fold);
  EXPECT_NEAR(two.marks[0].frequency, 12.409, 1e-3);
  EXPECT_NEAR(two.marks[1].frequency, 16.566, 1e-3);
  expect_orbits(motions(test::three_masses, 5, frequencies_of(test::three_masses_orbits), {.harmonics = 25}), "x3",
                test::three_masses_orbits, 1e-7);
}

template <class Known>
void expect_slopes(const PeriodicMotions& all, const std::string& name, double amplitude, const Known& known) {
  const PeriodicMotion& motion = nearest(all, name, all.frequency.front(), amplitude);
  ASSERT_EQ(all.parameters.size(), std::size(known));
  for (const auto& k : known) {
    const auto p = static_cast<std::size_t>(std::ranges::find(all.parameters, k.parameter) - all.parameters.begin());
    ASSERT_LT(p, all.parameters.size()) << k.parameter;
    EXPECT_NEAR(motion.derivatives[signal(all, name)][p], k.derivative, 1e-7 * std::abs(k.derivative)) << k.parameter;
  }
}

TEST(Balance, SensitivitiesFollowFromTheImplicitFunction) {
  const BalanceOptions options{.harmonics = 1, .sensitivities = true};
  expect_slopes(motions(test::two_masses, 4, {13}, options), "x2", 0.08740207421443243, test::two_masses_slopes);
  expect_slopes(motions(test::three_masses, 5, {3}, options), "x3", 0.11251534317260756, test::three_masses_slopes);
}

TEST(Balance, MassOnACubicSpringAlone) {
  // −m ω² A + 3/4 q A³ = ±F; the linear part has a double pole at 0.
  const PeriodicMotions all = motions(R"dot(digraph { input=F; output=x; parameters="m=2, q=3";
    F -> r; r -> x [gain="1/(m*s^2)"]; x -> r [nonlinear="-q*u^3"]; })dot",
                                      0.25, {1}, {.harmonics = 1, .stability = false});
  std::vector<double> found;
  for (const auto& point : all.points) found.push_back(std::abs(point.harmonics[0][1]));
  for (const double A : found) EXPECT_NEAR(std::abs(-2 * A + 2.25 * A * A * A), 0.25, 1e-9);
  EXPECT_EQ(found.size(), 3u);
  for (const auto& point : all.points) EXPECT_NEAR(std::abs(point.harmonics[0][0]), 0, 1e-12);
}

TEST(Balance, BackboneOfTheCubicSpring) {
  // One harmonic of m ẍ + c ẋ + k x + q x³ in phase resonance: ω² = (k + 3/4 q A²)/m, and the force is c ω A.
  const PeriodicMotions all = motions(R"dot(digraph { input=F; output=x; F -> r; r -> x [gain="1/(2*s^2 + s/10 + 3)"];
    x -> r [nonlinear="-4*u^3"]; })dot",
                                      0.5, {1, 2}, {.harmonics = 1, .stability = false, .backbone = true});
  ASSERT_EQ(all.backbones.size(), 1u);
  const BackboneMotions& backbone = all.backbones.front();
  EXPECT_GT(backbone.frequency.back(), 1.5 * backbone.frequency.front());
  for (std::size_t i = 0; i < backbone.frequency.size(); ++i) {
    const double A = backbone.amplitude[0][i], w = backbone.frequency[i];
    EXPECT_NEAR(w * w, (3 + 3 * A * A) / 2, 1e-6 * w * w);
    EXPECT_NEAR(0.5 * backbone.level[i], 0.1 * w * A, 1e-6 * w * A);
  }
}

TEST(Balance, SubharmonicMotionOfTheHardeningSpring) {
  // x'' + 0.01 x' + x³ near three times its free frequency; every motion has the period that is asked for and not a shorter one.
  const PeriodicMotions all = motions(R"dot(digraph { input=F; output=x; F -> r; r -> x [gain="1/(s^2 + s/100)"];
    x -> r [nonlinear="-u^3"]; })dot",
                                      2, {3}, {.harmonics = 5, .subharmonic = 3});
  bool found = false;
  for (const PeriodicMotion& motion : all.points) found = found || std::abs(motion.harmonics[0][1]) > 0.1;
  EXPECT_TRUE(found);
}

TEST(Balance, DryFrictionAtResonance) {
  // At ω = 1 of x'' + x'/10 + x + r sign(x') = F cos t the fundamental is (F − 4 r/π)/0.1, and its slope by r is −40/π.
  const PeriodicMotions all =
      motions(R"dot(digraph { input=F; output=x; parameters="r=0.1"; F -> e; e -> x [gain="1/(s^2+s/10+1)"];
    x -> e [nonlinear="-r*sign(v)"]; })dot",
              0.3, {1}, {.harmonics = 1, .sensitivities = true});
  ASSERT_EQ(all.points.size(), 1u);
  const std::size_t x = signal(all, "x");
  EXPECT_NEAR(std::abs(all.points[0].harmonics[x][1]), (0.3 - 0.4 / std::numbers::pi) / 0.1, 1e-8);
  EXPECT_NEAR(all.points[0].derivatives[x][0], -40 / std::numbers::pi, 1e-5);
  EXPECT_FALSE(all.points[0].stable.has_value());
}

TEST(Balance, LinearGraphKeepsItsResponse) {
  const PeriodicMotions all = motions(R"dot(digraph { input=F; output=x; F -> x [gain="1/(s+1)"]; })dot", 2, {3}, {});
  ASSERT_EQ(all.points.size(), 1u);
  EXPECT_NEAR(std::abs(all.points[0].harmonics[0][1] - 2.0 / Complex(1, 3)), 0, 1e-14);
}

/// m ẍ + c ẋ + d ẋ|ẋ| + k x + q x³ + b x² = F cos ωt + F0 by Runge and Kutta's method over one period.
struct Oscillator {
  double m, c, d, k, q, b, F, F0, w;
  std::array<double, 2> slope(double t, std::array<double, 2> y) const {
    const auto [x, v] = y;
    return {v, (F * std::cos(w * t) + F0 - c * v - d * v * std::abs(v) - k * x - q * x * x * x - b * x * x) / m};
  }
  std::array<double, 2> after_period(std::array<double, 2> y) const {
    constexpr int steps = 4000;
    const double h = 2 * std::numbers::pi / w / steps;
    const auto moved = [&](std::array<double, 2> s, double by) { return std::array{y[0] + by * s[0], y[1] + by * s[1]}; };
    for (int i = 0; i < steps; ++i) {
      const double t = i * h;
      const auto a = slope(t, y), b1 = slope(t + h / 2, moved(a, h / 2)), c1 = slope(t + h / 2, moved(b1, h / 2)),
                 d1 = slope(t + h, moved(c1, h));
      for (std::size_t j = 0; j < 2; ++j) y[j] += h / 6 * (a[j] + 2 * b1[j] + 2 * c1[j] + d1[j]);
    }
    return y;
  }
};

TEST(Balance, RandomOscillatorsComeBackAfterAPeriod) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> any(0.5, 2);
  for (int trial = 0; trial < 4; ++trial) {
    const Oscillator o{any(random),       0.2 * any(random), 0.1 * any(random), any(random), any(random),
                       0.3 * any(random), any(random),       0.2 * any(random), any(random)};
    const std::string text =
        "digraph { input=F; output=x; parameters=\"m=" + std::to_string(o.m) + ", c=" + std::to_string(o.c) +
        ", d=" + std::to_string(o.d) + ", k=" + std::to_string(o.k) + ", q=" + std::to_string(o.q) +
        ", b=" + std::to_string(o.b) +
        "\"; F -> r; r -> x [gain=\"1/(m*s^2+c*s+k)\"]; x -> r [nonlinear=\"-d*v*abs(v) - q*u^3 - b*u^2\"]; }";
    const SignalFlowGraph graph = read_dot(text, "test.dot");
    Oscillator same = o;  // as the text states it
    for (double* value : {&same.m, &same.c, &same.d, &same.k, &same.q, &same.b}) *value = std::stod(std::to_string(*value));
    const PeriodicInput drive{graph.stated_inputs().front(), o.F, o.F0};
    const PeriodicMotions all = periodic_motions(graph, std::span(&drive, 1), std::vector{o.w}, {.harmonics = 30});
    for (const PeriodicMotion& motion : all.points) {
      std::array<double, 2> start{0, 0};
      for (std::size_t h = 0; h <= 30; ++h) {
        start[0] += motion.harmonics[0][h].real();
        start[1] += (motion.harmonics[0][h] * Complex(0, static_cast<double>(h) * o.w)).real();
      }
      const auto end = same.after_period(start);
      const double spread = motion.multipliers.empty() ? 1 : std::max(1.0, std::abs(motion.multipliers.front()));
      EXPECT_NEAR(end[0], start[0], 2e-5 * spread) << trial;
      EXPECT_NEAR(end[1], start[1], 2e-5 * spread) << trial;
      ASSERT_EQ(motion.multipliers.size(), 2u);  // by differences of neighbouring motions
      const double e = 1e-6;
      const auto a = same.after_period({start[0] + e, start[1]}), b = same.after_period({start[0], start[1] + e});
      const double trace = (a[0] - end[0] + b[1] - end[1]) / e;
      EXPECT_NEAR((motion.multipliers[0] + motion.multipliers[1]).real(), trace, 1e-3 * (1 + std::abs(trace)));
    }
  }
}

TEST(Balance, HillsDeterminantCountsWhatTheMultipliersSay) {
  const SignalFlowGraph graph = read_dot(test::two_masses, "test.dot");
  const PeriodicInput drive{graph.stated_inputs().front(), 4};
  const BalanceSystem system(graph, {.inputs = {drive}, .frequency = 14.5});
  const BalanceEquations equations(system, 9), one(system, 1);
  const Floquet floquet(system);
  std::size_t unstable = 0;
  for (const Eigen::VectorXd& root : describing_roots(one, 14.5, system.open_points({Complex(0, 14.5)}).front())) {
    const auto x = newton(in_level(equations, equations.linear(14.5)), lifted(root, one, equations), 1);
    ASSERT_TRUE(x.has_value());
    const bool stable = floquet(equations, *x, 14.5).stable.value();
    EXPECT_EQ(unstable_exponents(equations, *x, 14.5).value(), stable ? 0 : 1);
    unstable += stable ? 0 : 1;
  }
  EXPECT_EQ(unstable, 1u);
}

TEST(Balance, RefusesWhatHasNoPeriodicMotion) {
  EXPECT_THROW(motions(R"dot(digraph { input=F; output=x; F -> r; r -> x [gain="1/(s+1)"]; x -> r [nonlinear="-u^3*t"]; })dot", 1,
                       {1}, {}),
               Error);
}

/// A pendulum swings the same however often it has turned around: each motion once, the others are said.
TEST(Balance, OfAnglesListsMotionsOnceForAllTurns) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph { input=M; output=phi; M -> r; r -> phi [gain="1/(s^2 + s/25 + 20)"];
    phi -> r [nonlinear="20*u - 20*sin(u)"]; })dot",
                                         "test.dot");
  const std::vector<PeriodicInput> inputs{{graph.at("M"), 0.2, 0}};
  const std::vector<double> at{3};
  const PeriodicMotions all = periodic_motions(graph, inputs, at, {.harmonics = 5});
  EXPECT_LE(all.points.size(), 3u);  // hanging, and upright on either side
  std::set<long> amplitudes;
  for (const PeriodicMotion& motion : all.points) {
    EXPECT_LE(std::abs(motion.harmonics[0][0]), std::numbers::pi + 1e-6);
    amplitudes.insert(std::lround(1e9 * std::abs(motion.harmonics[0][1])));
  }
  EXPECT_EQ(amplitudes.size(), 2u);
}

}  // namespace
