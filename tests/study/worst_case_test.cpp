// Guaranteed bounds against what can be checked by other means: intervals against exact rationals, worst cases against closed
// forms and against every value of many samples.
#include "sfg/study/boxes/worst_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "sfg/derive/derive.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/ring/double_interval.hpp"
#include "sfg/ring/jet.hpp"
#include "sfg/study/boxes/pair_functions.hpp"

namespace sfg {
namespace {

using exact::Rational;
using ring::Interval;
using ring::Jet;
using ring::ParameterBox;

struct Branch {
  const char *from, *to, *gain;
};

MeasuredSystem system_of(std::initializer_list<Branch> branches, const std::map<std::string, std::string>& values,
                         const std::string& sample_time = "") {
  MeasuredSystem system;
  SignalFlowGraph& graph = system.graph;
  if (!sample_time.empty()) graph.op = Operator("z").sampled(exact_value(parse_number(sample_time)));
  graph.op.declare(graph.symbols);
  const auto node = [&](const std::string& name) { return graph.find(name) ? *graph.find(name) : graph.node(name); };
  for (const Branch& branch : branches) {
    const NodeId from = node(branch.from), to = node(branch.to);
    graph.add_branch(from, to, parse(branch.gain, graph.symbols));
  }
  for (const auto& [name, value] : values) graph.symbols.find(name)->value = parse(value, graph.symbols);
  system.question = question(graph, "u", "y");
  return system;
}

MeasuredSystem resonator() {
  return system_of({{"u", "e", "1"}, {"e", "i", "1/(L*s+R)"}, {"i", "y", "1/(C*s)"}, {"y", "e", "-1"}},
                   {{"R", "10"}, {"L", "1/100"}, {"C", "1/100000"}});
}
MeasuredSystem servo() {
  return system_of({{"u", "e", "1"}, {"e", "v", "K*(T*s+1)/(a*s+1)"}, {"v", "y", "1/(s*(b*s+1))"}, {"y", "e", "-H"}},
                   {{"K", "4"}, {"T", "1/2"}, {"a", "1/10"}, {"b", "1"}, {"H", "1"}});
}
MeasuredSystem biquad() {
  return system_of({{"u", "w", "1"},
                    {"w", "d", "1/z"},
                    {"d", "c", "1/z"},
                    {"d", "w", "a"},
                    {"c", "w", "-b"},
                    {"w", "y", "g"},
                    {"d", "y", "2*g"},
                    {"c", "y", "g"}},
                   {{"a", "1.2"}, {"b", "0.6"}, {"g", "0.1"}}, "0.01");
}

Variation varying(const MeasuredSystem& system, double relative) {
  StatedVariation stated;
  stated.everything = Tolerance{.size = Rational::of(relative), .relative = true};
  return variation_of(system.graph.symbols, stated);
}

std::vector<Measure> measures_of(const MeasuredSystem& system, std::initializer_list<const char*> texts) {
  std::vector<Measure> measures;
  for (const char* text : texts) measures.push_back(measure_of(text, system.graph.symbols));
  return measures;
}

/// Every value of so many samples within the bounds, the attained values those of their points, and the gap closed.
void expect_bounds(const MeasuredSystem& system, std::initializer_list<const char*> texts, double tolerance,
                   std::size_t samples = 20'000, double gap = 1e-3) {
  const std::vector<Measure> measures = measures_of(system, texts);
  const Variation variation = varying(system, tolerance);
  const WorstCases found = worst_cases(system, measures, variation, {.gap = gap});
  const MeasureProgram program(system, measures, variation.names());
  const std::size_t n = variation.parameters.size();
  std::mt19937_64 random(7);
  std::vector<double> points(n * samples), values(measures.size() * samples);
  for (std::size_t k = 0; k < n; ++k) {
    const VaryingParameter& parameter = variation.parameters[k];
    std::uniform_real_distribution<double> side(parameter.low(), parameter.high());
    for (std::size_t p = 0; p < samples; ++p) {
      // the first ones are corners, where extremes are
      points[k * samples + p] = p < (1U << n) ? ((p >> k & 1U) != 0 ? parameter.high() : parameter.low()) : side(random);
    }
  }
  program.evaluate(samples, points, values);
  for (std::size_t m = 0; m < measures.size(); ++m) {
    SCOPED_TRACE(measures[m].text);
    const WorstCase& worst = found.measures[m];
    EXPECT_TRUE(worst.complete);
    const double width = worst.upper.attained - worst.lower.attained;
    for (const WorstCaseEnd* end : {&worst.lower, &worst.upper}) {
      ASSERT_TRUE(end->bound.has_value());
      EXPECT_LE(std::abs(*end->bound - end->attained), gap * std::max(std::abs(end->attained), width) * (1 + 1e-9));
      std::vector<double> there(measures.size());
      program.evaluate(1, end->at, there);
      EXPECT_NEAR(there[m], end->attained, 1e-9 * std::abs(end->attained));
      for (std::size_t k = 0; k < n; ++k) {
        EXPECT_GE(end->at[k], variation.parameters[k].low());
        EXPECT_LE(end->at[k], variation.parameters[k].high());
      }
    }
    const double rounding = 1e-9 * std::max(width, std::abs(worst.nominal));  // of the samples' own arithmetic
    for (std::size_t p = 0; p < samples; ++p) {
      const double value = values[m * samples + p];
      ASSERT_TRUE(std::isfinite(value));
      ASSERT_GE(value, *worst.lower.bound - rounding) << p;
      ASSERT_LE(value, *worst.upper.bound + rounding) << p;
    }
  }
}

TEST(Interval, HoldsEveryExactResult) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-60, 60);
  const auto number = [&] { return std::ldexp(mantissa(random), exponent(random)); };
  const auto inside = [](const Rational& x, const Interval& i) { return Rational::of(i.low) <= x && x <= Rational::of(i.high); };
  for (int trial = 0; trial < 20'000; ++trial) {
    const double a = number(), b = number(), c = number(), d = number();
    const Interval x(std::min(a, b), std::max(a, b)), y(std::min(c, d), std::max(c, d));
    const Rational p = Rational::of(trial % 2 == 0 ? a : b), q = Rational::of(trial % 3 == 0 ? c : d);
    ASSERT_TRUE(inside(p + q, x + y));
    ASSERT_TRUE(inside(p - q, x - y));
    ASSERT_TRUE(inside(p * q, x * y));
    ASSERT_TRUE(inside(p * p, square(x)));
    if (!y.contains(0)) {
      ASSERT_TRUE(inside(p / q, x / y));
    }
    if (x.low > 0) {
      const Interval root = sqrt(x);
      ASSERT_TRUE(Rational::of(root.low) * Rational::of(root.low) <= p && p <= Rational::of(root.high) * Rational::of(root.high));
    }
  }
}

TEST(Interval, KeepsWhatUnderflows) {
  const Interval tiny = Interval(1e-200) * Interval(1e-200);
  EXPECT_LE(tiny.low, 0);
  EXPECT_GT(tiny.high, 0);
}

TEST(Jet, EnclosesValuesAndSlopesOfAFunction) {
  const ParameterBox box(std::vector<Interval>{{0.8, 1.1}, {-0.4, 0.3}});
  const Jet x = Jet::variable(box, 0), y = Jet::variable(box, 1);
  const Jet f = exp(x * y) / (square(x) + Jet(2.0)) + sqrt(x) * sin(y) - log(x) * atan(y);
  for (double a = 0.8; a <= 1.1; a += 0.05)
    for (double b = -0.4; b <= 0.3; b += 0.05) {
      const auto value = [](double u, double v) {
        return std::exp(u * v) / (u * u + 2) + std::sqrt(u) * std::sin(v) - std::log(u) * std::atan(v);
      };
      EXPECT_TRUE(f.value().contains(value(a, b)));
      const double h = 1e-5, slope = (value(a + h, b) - value(a - h, b)) / (2 * h);
      EXPECT_LE(f.slope(0).low - 1e-8, slope);
      EXPECT_GE(f.slope(0).high + 1e-8, slope);
      const double bend = (value(a, b + 1e-3) - 2 * value(a, b) + value(a, b - 1e-3)) / 1e-6;
      EXPECT_LE(f.second(1, 1).low - 1e-4, bend);
      EXPECT_GE(f.second(1, 1).high + 1e-4, bend);
    }
}

TEST(Jet, ExpansionsHoldTheEndsOfACurvedFunction) {
  for (const double half : {0.1, 0.5, 1.0}) {
    const ParameterBox box(std::vector<Interval>{{-half, half}, {-half, half}});
    const Jet x = Jet::variable(box, 0), y = Jet::variable(box, 1), bowl = x * x + y * y - x * y, wave = cos(x + y);
    for (const double a : {-half, 0.0, half})
      for (const double b : {-half, 0.0, half}) {
        const Interval height(bowl.value().low - 1e-14, bowl.value().high + 1e-14);
        EXPECT_TRUE(height.contains(a * a + b * b - a * b)) << a << ' ' << b;
        EXPECT_TRUE(wave.value().contains(std::cos(a + b))) << a << ' ' << b;
      }
    EXPECT_LE(bowl.slope(0).greatest(), 3 * half * (1 + 1e-12));
  }
}

TEST(Jet, OverestimationShrinksWithTheSquareOfTheWidth) {
  const auto excess = [](double half) {
    const ParameterBox box(std::vector<Interval>{{1 - half, 1 + half}});
    const Jet x = Jet::variable(box, 0), f = x * x * x - Jet(2.0) * x;  // rises by 1 per unit about 1
    return f.value().width() - 2 * half;
  };
  EXPECT_LT(excess(0.005), excess(0.01) / 3);
  EXPECT_LT(excess(0.01), 0.001);
}

TEST(WorstCase, OfADividerIsAtItsCorners) {
  const MeasuredSystem system =
      system_of({{"u", "e", "1"}, {"e", "i", "1/R"}, {"i", "y", "S"}, {"y", "e", "-1"}}, {{"R", "1000"}, {"S", "2000"}});
  const WorstCases found = worst_cases(system, measures_of(system, {"dc", "dc^2 + R/S"}), varying(system, 0.1));
  ASSERT_EQ(found.measures.size(), 2U);
  const WorstCase& dc = found.measures.front();
  EXPECT_TRUE(found.complete());
  EXPECT_NEAR(*dc.lower.bound, 1800.0 / 2900, 1e-12);
  EXPECT_NEAR(*dc.upper.bound, 2200.0 / 3100, 1e-12);
  EXPECT_EQ(dc.lower.at, (std::vector<double>{1100, 1800}));
  EXPECT_NEAR(dc.nominal, 2.0 / 3, 1e-15);
  const auto f = [](double r, double s) { return std::pow(s / (r + s), 2) + r / s; };
  EXPECT_NEAR(*found.measures[1].upper.bound, f(1100, 1800), 1e-12);
}

TEST(WorstCase, OfAFrequencyResponseHoldsEverySample) {
  expect_bounds(resonator(), {"gain@3200", "db@2000", "phase@3000", "gain@3200/dc + 1e-3*R"}, 0.1);
  expect_bounds(servo(), {"gain@1", "gain@3", "phase@2"}, 0.05);
  expect_bounds(biquad(), {"dc", "gain@50", "db@20", "phase@30"}, 0.02);
}

TEST(WorstCase, OfPeaksAndBandwidthsHoldsEverySample) {
  expect_bounds(resonator(), {"peak", "peak-frequency", "bandwidth", "peak/dc"}, 0.1);
  expect_bounds(servo(), {"bandwidth", "peak"}, 0.05);
  expect_bounds(biquad(), {"peak", "peak-frequency", "bandwidth"}, 0.02);
}

TEST(WorstCase, OfMarginsHoldsEverySample) {
  const MeasuredSystem loop = system_of({{"u", "y", "K*(T*s+1)/(s*(a*s+1)*(b*s+1)*(c*s+1))"}},
                                        {{"K", "2"}, {"T", "1/2"}, {"a", "1/10"}, {"b", "1"}, {"c", "1/20"}});
  expect_bounds(loop, {"gain-margin", "phase-margin", "modulus-margin", "delay-margin", "disk-margin", "Kv", "dc-error"}, 0.05);
  const MeasuredSystem sampled =
      system_of({{"u", "y", "K*(z+b)/((z-1)*(z-a))"}}, {{"K", "0.02"}, {"b", "0.9"}, {"a", "0.8"}}, "0.1");
  expect_bounds(sampled, {"gain-margin", "phase-margin", "modulus-margin", "delay-margin", "disk-margin", "Kv", "type"}, 0.02);
  const MeasuredSystem at_rest =
      system_of({{"u", "y", "K*(s+c)/((s+a)*(s+b))"}}, {{"K", "2"}, {"a", "0.5"}, {"b", "3"}, {"c", "1"}});
  expect_bounds(at_rest, {"disk-margin", "dc-error", "Kp", "type"}, 0.1);
}

TEST(WorstCase, OfPolesHoldsEverySample) {
  expect_bounds(resonator(), {"abscissa", "damping", "frequency:1", "damping:1"}, 0.1, 4'000);
  expect_bounds(servo(), {"abscissa", "damping", "frequency:1", "frequency:2", "damping:1", "abscissa/frequency:1"}, 0.05, 4'000);
  expect_bounds(biquad(), {"abscissa", "damping", "frequency:1"}, 0.02, 4'000);
}

TEST(WorstCase, AlternatingPolesInZOscillate) {
  // z = −a: ln z = ln a + jπ, which is damped less than the pair
  const MeasuredSystem system = system_of({{"u", "y", "K/((z+a)*(z^2-z+b))"}}, {{"K", "2"}, {"a", "0.9"}, {"b", "0.5"}}, "0.1");
  const MeasureProgram program(system, measures_of(system, {"damping"}), {"a"});
  const LocalMeasures found = program.at(program.nominal());
  const double size = std::hypot(std::log(0.9), std::numbers::pi);
  EXPECT_NEAR(found.value[0], -std::log(0.9) / size, 1e-12);
  std::vector<double> value(1);
  program.evaluate(1, program.nominal(), value);
  EXPECT_NEAR(value[0], -std::log(0.9) / size, 1e-12);
  EXPECT_NEAR(found.derivative[0], -std::numbers::pi * std::numbers::pi / (0.9 * size * size * size), 1e-10);
  expect_bounds(system, {"damping"}, 0.02, 500);
}

TEST(WorstCase, ModesThatAreNowhereHaveNoBounds) {
  const MeasuredSystem lag = system_of({{"u", "y", "K/(T*s+1)"}}, {{"K", "2"}, {"T", "3"}});
  const MeasuredSystem without = system_of({{"u", "y", "K+T*s"}}, {{"K", "2"}, {"T", "3"}});
  for (const MeasuredSystem* system : {&lag, &without})
    for (const WorstCase& worst :
         worst_cases(*system, measures_of(*system, {"frequency:2", "damping:2"}), varying(*system, 0.1), {}).measures) {
      EXPECT_FALSE(worst.lower.bound);
      EXPECT_FALSE(worst.upper.bound);
    }
}

TEST(WorstCase, OfStepsHoldsEverySample) {
  expect_bounds(resonator(), {"final", "step@0.001", "rise", "overshoot", "overshoot - 1e5*rise"}, 0.03, 5'000);
  const MeasuredSystem second = system_of({{"u", "y", "K*w^2/(s^2+2*z*w*s+w^2)"}}, {{"K", "2"}, {"w", "3"}, {"z", "0.45"}});
  expect_bounds(second, {"step@0.7", "rise", "settling", "overshoot"}, 0.04, 5'000);
  expect_bounds(biquad(), {"step@0.05"}, 0.02);
  expect_bounds(biquad(), {"final"}, 0.02, 100);
}

TEST(WorstCase, PolesMayBeMultiple) {
  const MeasuredSystem twice = system_of({{"u", "y", "K/(T*s+1)^2"}}, {{"K", "2"}, {"T", "0.5"}});
  expect_bounds(twice, {"step@0.8", "peak"}, 0.1, 500);
  const MeasuredSystem integrating = system_of({{"u", "y", "K/(s*(T*s+1))"}}, {{"K", "2"}, {"T", "0.5"}});
  expect_bounds(integrating, {"step@0.8", "gain@2"}, 0.1, 5'000);
}

/// y/y(∞) of w²/(s² + 2zws + w²), by its poles as they are.
double second_order_step(double w, double z, double t) {
  const std::complex<double> root = std::sqrt(std::complex<double>(z * z - 1)), x = root * w * t;
  const std::complex<double> ratio = std::abs(x) < 1e-6 ? 1.0 + x * x / 6.0 : std::sinh(x) / x;
  return 1 - std::exp(-z * w * t) * (std::cosh(x) + z * w * t * ratio).real();
}
double level_time(double w, double z, double level) {
  double low = 0, high = 0;
  while (second_order_step(w, z, high) < level) low = high, high += 0.01 / w;
  for (int k = 0; k < 60; ++k) (second_order_step(w, z, (low + high) / 2) < level ? low : high) = (low + high) / 2;
  return low;
}

TEST(WorstCase, PolesMeetInTheBox) {
  std::mt19937_64 random(17);
  const auto any = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  for (int trial = 0; trial < 2; ++trial) {
    const double w = any(0.5, 20), z = any(0.96, 1.04), tolerance = any(0.05, 0.1);
    const MeasuredSystem system = system_of({{"u", "y", "K*w^2/(s^2+2*z*w*s+w^2)"}},
                                            {{"K", "2"}, {"w", std::to_string(w)}, {"z", trial == 0 ? "1" : std::to_string(z)}});
    expect_bounds(system, {"rise", "frequency:1", "damping:1", "abscissa", "step@0.3"}, tolerance, 300, 5e-3);
    const Variation variation = varying(system, tolerance);
    const WorstCases found = worst_cases(system, measures_of(system, {"rise", "overshoot"}), variation, {.gap = 3e-3});
    const WorstCase &rise = found.measures[0], &overshoot = found.measures[1];
    EXPECT_TRUE(rise.complete && overshoot.complete);
    for (int sample = 0; sample < 200; ++sample) {
      double at_w = w, at_z = trial == 0 ? 1 : z;
      for (double* k : {&at_w, &at_z})
        *k *= sample < 2 ? 1 + (sample == 0 ? tolerance : -tolerance) : any(1 - tolerance, 1 + tolerance);
      const double time = level_time(at_w, at_z, 0.9) - level_time(at_w, at_z, 0.1);
      EXPECT_GE(time, *rise.lower.bound * (1 - 1e-9));
      EXPECT_LE(time, *rise.upper.bound * (1 + 1e-9));
      const double over = at_z < 1 ? 100 * std::exp(-std::numbers::pi * at_z / std::sqrt(1 - at_z * at_z)) : 0;
      EXPECT_LE(over, *overshoot.upper.bound * (1 + 1e-9));
    }
  }
  // three poles, two of which meet
  const MeasuredSystem third = system_of({{"u", "y", "w^2/((T*s+1)*(s^2+2*z*w*s+w^2))"}}, {{"T", "2"}, {"w", "3"}, {"z", "1"}});
  expect_bounds(third, {"rise", "step@1"}, 0.03, 200, 1e-2);
}

TEST(WorstCase, AStepThatNeverOvershoots) {
  for (const char* gain : {"K/(s+1)", "K/((s+1)*(s+3))", "K/(s+1)^2", "K*(s+5)/((s+1)*(s+3))"}) {
    const MeasuredSystem system = system_of({{"u", "y", gain}}, {{"K", "2"}});
    const WorstCases found = worst_cases(system, measures_of(system, {"overshoot"}), varying(system, 0.1));
    EXPECT_TRUE(found.complete()) << gain;
    EXPECT_EQ(found.measures.front().lower.attained, 0);
    EXPECT_LE(found.measures.front().upper.bound.value_or(1), 2e-3) << gain;
  }
}

TEST(WorstCase, WhereAMeasureJumpsTheSearchEndsWithTheGap) {
  // the second swing is as high as the band is wide where z = 0.7797…: the settling time jumps
  const MeasuredSystem system = system_of({{"u", "y", "w^2/(s^2+2*z*w*s+w^2)"}}, {{"w", "3"}, {"z", "0.78"}});
  const WorstCases found = worst_cases(system, measures_of(system, {"settling"}), varying(system, 0.02));
  const WorstCase& settling = found.measures.front();
  ASSERT_TRUE(settling.lower.bound && settling.upper.bound);
  EXPECT_LE(*settling.lower.bound, settling.lower.attained);
  EXPECT_GE(*settling.upper.bound, settling.upper.attained);
}

TEST(PairFunctions, AreWhatTheirNamesSay) {
  std::mt19937_64 random(23);
  for (int trial = 0; trial < 5'000; ++trial) {
    const double x = std::uniform_real_distribution<double>(-1, 1)(random) * std::pow(10.0, static_cast<double>(trial % 7) - 4);
    const std::complex<double> root = std::sqrt(std::complex<double>(x));
    const double cosh = std::cosh(root).real(), sinh = (std::sinh(root) / root).real(), size = std::max(1.0, std::abs(cosh));
    EXPECT_NEAR(cosh_of_root(x), cosh, 1e-12 * size);
    EXPECT_NEAR(sinh_of_root(x), sinh, 1e-12 * size);
    const double width = std::abs(x) * 0.1 + 1e-3;
    const Jet over = cosh_of_root(Jet::rough({x - width, x + width})), also = sinh_of_root(Jet::rough({x - width, x + width}));
    for (const double part : {-1.0, -0.3, 0.0, 0.7, 1.0}) {
      const std::complex<double> at = std::sqrt(std::complex<double>(x + part * width));
      EXPECT_TRUE(over.value().contains(std::cosh(at).real()));
      EXPECT_TRUE(also.value().contains(at == 0.0 ? 1 : (std::sinh(at) / at).real()));
    }
    const ParameterBox box({Interval(x - width, x + width)});
    const Jet smooth = sinh_of_root(Jet::variable(box, 0));
    const double h = 1e-5 * std::max(1.0, std::abs(x)), slope = (sinh_of_root(x + h) - sinh_of_root(x - h)) / (2 * h);
    EXPECT_GE(slope, smooth.slope(0).low - 1e-6 * size);
    EXPECT_LE(slope, smooth.slope(0).high + 1e-6 * size);
  }
}

TEST(WorstCase, DeadTimeShiftsPhasesAndSteps) {
  const MeasuredSystem late = system_of({{"u", "y", "K*exp(-h*s)/(T*s+1)"}}, {{"K", "2"}, {"T", "0.5"}, {"h", "0.3"}});
  expect_bounds(late, {"gain@2", "phase@3", "phase-margin", "gain-margin", "step@1", "settling", "bandwidth"}, 0.1, 2'000);
  EXPECT_THROW(worst_cases(late, measures_of(late, {"modulus-margin"}), varying(late, 0.1)), NoAnswer);
}

TEST(WorstCase, WhatIsDerivedFollows) {
  const MeasuredSystem system = system_of({{"u", "y", "a*b/(s+1)"}}, {{"a", "2"}, {"b", "1/a"}});
  const WorstCases found = worst_cases(system, measures_of(system, {"dc"}), varying(system, 0.2));
  ASSERT_EQ(found.parameters.size(), 1U);
  EXPECT_NEAR(*found.measures.front().upper.bound, 1, 1e-12);
  EXPECT_NEAR(*found.measures.front().lower.bound, 1, 1e-12);
}

TEST(WorstCase, AMeasureThatFailsHasNoBoundOnThatSide) {
  const MeasuredSystem system = system_of({{"u", "y", "1/(k - 1)"}}, {{"k", "1.05"}});
  const WorstCases found = worst_cases(system, measures_of(system, {"gain@1"}), varying(system, 0.1));
  EXPECT_FALSE(found.measures.front().upper.bound.has_value());
  ASSERT_TRUE(found.measures.front().lower.bound.has_value());
  EXPECT_NEAR(*found.measures.front().lower.bound, 1 / 0.155, 1e-2);
}

TEST(WorstCase, IsTheSameForEveryNumberOfThreads) {
  const MeasuredSystem system = resonator();
  const std::vector<Measure> measures = measures_of(system, {"gain@3200", "gain@3000", "dc"});
  const WorstCases one = worst_cases(system, measures, varying(system, 0.1), {.threads = 1}),
                   two = worst_cases(system, measures, varying(system, 0.1), {.threads = 2});
  for (std::size_t m = 0; m < measures.size(); ++m) {
    EXPECT_EQ(one.measures[m].upper.bound, two.measures[m].upper.bound);
    EXPECT_EQ(one.measures[m].lower.at, two.measures[m].lower.at);
    EXPECT_EQ(one.measures[m].boxes, two.measures[m].boxes);
  }
}

TEST(WorstCase, GivesWhatIsKnownWhenTheTimeIsOver) {
  const MeasuredSystem system = resonator();
  const Variation variation = varying(system, 0.1);
  const std::vector<Measure> measures = measures_of(system, {"gain@3200"});
  const WorstCases found = worst_cases(system, measures, variation, {.gap = 1e-17, .budget = Budget({.seconds = 0.5})});
  EXPECT_FALSE(found.complete());
  EXPECT_GE(*found.measures.front().upper.bound, found.measures.front().upper.attained);
}

}  // namespace
}  // namespace sfg
