// Group delay against closed forms, and against differences of the phase of random transfer functions.
#include "sfg/response/group_delay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {
namespace {

using exact::Rational;

ExactTransfer quotient(std::vector<Rational> numerator, std::vector<Rational> denominator, Rational delay = 0) {
  ExactTransfer T;
  T.numerator.parts = {{delay, exact::RationalPolynomial(numerator)}};
  T.denominator.parts = {{0, exact::RationalPolynomial(denominator)}};
  return T;
}

TEST(GroupDelay, OfASecondOrderSystem) {
  // 2ζω_n(ω_n² + ω²)/((ω_n² − ω²)² + (2ζω_nω)²)
  const double wn = 10, zeta = 0.3;
  const ExactTransfer T = quotient({100}, {1, 6, 100});
  for (const double w : {0.0, 1.0, 10.0, 30.0, 1e8}) {
    const double expected = 2 * zeta * wn * (wn * wn + w * w) / (std::pow(wn * wn - w * w, 2) + std::pow(2 * zeta * wn * w, 2));
    EXPECT_NEAR(group_delay(T, std::vector{w}).front(), expected, 1e-13 * expected) << w;
  }
}

TEST(GroupDelay, DeadTimeCountsInFullAndRootsOnTheAxisNotAtAll) {
  EXPECT_NEAR(group_delay(quotient({1}, {1, 1}, Rational(1) / 2), std::vector{2.0}).front(), 0.7, 1e-14);
  const ExactTransfer integrator = quotient({1, 0, 4}, {1, 0});
  EXPECT_EQ(group_delay(integrator, std::vector{1.0, 3.0}), (std::vector{0.0, 0.0}));
}

TEST(GroupDelay, OfAnAllPassIsPositiveAndTwiceThatOfItsPole) {
  const auto delay = group_delay(quotient({-1, 3}, {1, 3}), std::vector{1.0}).front();
  EXPECT_NEAR(delay, 2 * 3.0 / (9 + 1), 1e-15);
}

TEST(GroupDelay, OfSeveralDeadTimesAsByDifferences) {
  // e^(−s) + 1/2 over s + 2
  ExactTransfer T = quotient({1}, {1, 2});
  T.numerator.parts = {{0, exact::RationalPolynomial{Rational(1) / 2}}, {1, exact::RationalPolynomial{1}}};
  const double w = 0.7, step = 1e-5;
  const auto angle = [&](double x) { return std::arg(value_at(T, {0, x})); };
  EXPECT_NEAR(group_delay(T, std::vector{w}).front(), -(angle(w + step) - angle(w - step)) / (2 * step), 1e-8);
}

TEST(GroupDelay, IsTheSlopeOfThePhase) {
  std::mt19937 random(11);
  const auto coefficients = [&](std::size_t n) {
    std::vector<Rational> list;
    for (std::size_t i = 0; i < n; ++i) list.emplace_back(static_cast<int>(random() % 19) + 1);
    return list;
  };
  for (int trial = 0; trial < 40; ++trial) {
    ExactTransfer T = quotient(coefficients(1 + random() % 4), coefficients(2 + random() % 4));
    const bool discrete = trial % 2 == 1;
    if (discrete) T.op = Operator("z", Rational(1) / 2);
    const double w = 0.3 + 0.01 * trial, step = 1e-5;
    const FrequencyResponse around = frequency_response(T, std::vector{w - step, w + step});
    const double slope = (around.phase_deg[1] - around.phase_deg[0]) / (2 * step) * std::numbers::pi / 180;
    EXPECT_NEAR(group_delay(T, std::vector{w}).front(), -slope, 1e-6 * (1 + std::abs(slope))) << trial;
  }
}

TEST(GroupDelay, IsTheSameByTheCompiledWay) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  graph.add_branch(graph.node("r"), graph.node("e"), parse("exp(-s/5)", graph.symbols));
  graph.add_branch(graph.node("e"), graph.node("y"), parse("3/(s*(s + 1))", graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("e"), parse("-1", graph.symbols));
  const Question asked = question(graph, "r", "y");
  SweepOptions options{.frequency = {0.1, 1, 1.7, 20}, .group_delay = true};
  options.way = SweepOptions::Way::exact;
  const auto exact = frequency_responses(graph, std::span(&asked, 1), options).front().group_delay;
  options.way = SweepOptions::Way::compiled;
  const auto compiled = frequency_responses(graph, std::span(&asked, 1), options).front().group_delay;
  ASSERT_EQ(compiled.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(compiled[i], exact[i], 1e-9 * std::abs(exact[i]));
}

}  // namespace
}  // namespace sfg
