// Crossings against dense samples away from the poles; closed loops with dead time against Padé approximants.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sfg/control/margins.hpp"
#include "sfg/control/open_loop.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;
using Verdict = ClosedLoop::Verdict;
using exact::RationalPolynomial;

SignalFlowGraph graph_of(const std::vector<std::array<std::string, 3>>& branches, const std::string& variable = "s") {
  SignalFlowGraph graph;
  graph.op = variable;
  graph.symbols.symbol(variable);
  for (const auto& [from, to, gain] : branches) graph.add_branch(graph.node(from), graph.node(to), parse(gain, graph.symbols));
  return graph;
}

ExactTransfer loop(const std::string& gain, const std::string& variable = "s") {
  const SignalFlowGraph graph = graph_of({{"u", "y", gain}}, variable);
  const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
  return exact_transfers(graph, std::span(&question, 1)).front();
}

std::string factor(int constant, int power = 1) {
  return "(s^" + std::to_string(power) + " + " + std::to_string(constant) + "/10)";
}

/// Neighbouring samples, on the axis or on the unit circle, between which L crosses the negative axis.
std::vector<double> crossings(const ExactTransfer& L, double low, double high, std::size_t samples,
                              const std::vector<double>& poles) {
  const double ratio = std::pow(high / low, 1.0 / static_cast<double>(samples));
  std::vector<double> w;
  std::vector<Complex> points;
  for (std::size_t i = 0; i <= samples; ++i) {
    w.push_back(low * std::pow(ratio, static_cast<double>(i)));
    points.push_back(L.op.at_frequency(w.back()));
  }
  const std::vector<Complex> value = values_at(L, points);
  std::vector<double> found;
  for (std::size_t i = 0; i < samples; ++i) {
    const bool pole = std::any_of(poles.begin(), poles.end(), [&](double p) { return w[i] / ratio < p && p < w[i + 1] * ratio; });
    const Complex a = value[i], b = value[i + 1];
    if (!pole && a.real() < 0 && b.real() < 0 && (a.imag() < 0) != (b.imag() < 0)) found.push_back(w[i] * std::sqrt(ratio));
  }
  return found;
}

void expect_same(const std::vector<double>& samples, const Margins& m, double low, double high, double ratio,
                 const std::string& text) {
  std::vector<double> exact;
  for (const auto& c : m.phase_crossovers)
    if (c.frequency > low && c.frequency < high) exact.push_back(c.frequency);
  ASSERT_EQ(exact.size(), samples.size()) << text;
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(exact[i] / samples[i], 1, ratio) << text;
}

TEST(Margins, UndampedPolesAnywhereOnTheAxisAreNoCrossings) {
  std::mt19937 random(30);
  const auto number = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  for (int trial = 0; trial < 60; ++trial) {
    std::string text = std::to_string(number(1, 30)) + "*", below = factor(number(1, 30));
    std::vector<double> poles;
    for (int i = number(1, 2); i-- > 0;) {
      const int c = number(0, 1) ? number(1, 99) : 10 * number(1, 9);  // √(c/10): mostly irrational
      for (int k = number(1, 2); k-- > 0;) below += "*" + factor(c, 2);
      poles.push_back(std::sqrt(c / 10.0));
    }
    text += factor(number(-30, 30)) + (number(0, 1) ? "*" + factor(number(1, 50)) : "") + "/(" + below + ")";
    const ExactTransfer L = loop(text);
    expect_same(crossings(L, 1e-2, 1e2, 20'000, poles), margins(L), 1e-2, 1e2, 1e-3, text);
  }
}

TEST(Margins, PolesOnTheUnitCircleAreNoCrossings) {
  std::mt19937 random(31);
  const auto number = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  for (int trial = 0; trial < 40; ++trial) {
    const int c = number(-19, 19);
    const std::string text = "(z + " + std::to_string(number(-9, 9)) + "/10)/((z^2 + " + std::to_string(c) + "/10*z + 1)*(z + " +
                             std::to_string(number(-9, 9)) + "/10))";
    const ExactTransfer L = loop(text, "z");
    expect_same(crossings(L, 1e-2, M_PI * (1 - 1e-6), 20'000, {std::acos(-c / 20.0)}), margins(L), 1e-2, M_PI * (1 - 1e-6), 1e-3,
                text);
  }
}

TEST(Margins, WithDeadTimeNoCrossingIsMissedAndNoneIsInvented) {
  std::mt19937 random(32);
  const auto number = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  for (int trial = 0; trial < 20; ++trial) {
    const int c = number(1, 200), tau = number(1, 15);
    std::string text =
        std::to_string(number(1, 30)) + "*" + factor(number(-30, 30)) + "/(" + factor(number(1, 30)) + "*" + factor(c, 2);
    if (number(0, 1)) text += "*(s^2 + s/10 + " + std::to_string(number(1, 90)) + ")";
    const ExactTransfer L = loop(text + ")*exp(-" + std::to_string(tau) + "/10*s)");
    const Margins m = margins(L);
    expect_same(crossings(L, 1e-2, 20, 40'000, {std::sqrt(c / 10.0)}), m, 1e-2, 20, 1e-3, text);
    double least = 1;
    std::vector<Complex> points;
    for (double w = 1e-3; w < 300; w *= 1.0005) points.emplace_back(0, w);
    for (const Complex value : values_at(L, points)) least = std::min(least, std::abs(1.0 + value));
    EXPECT_LE(*m.modulus_margin, least * (1 + 1e-6)) << text;
    EXPECT_GE(*m.modulus_margin, least * (1 - 1e-2) - 1e-4) << text;
  }
}

TEST(Margins, AnUndampedPoleAtAnIrrationalFrequency) {
  const Margins m = margins(loop("1/((s^2 + 2)*(s + 1))"));  // real at 0 alone, where it is positive
  EXPECT_TRUE(m.phase_crossovers.empty());
  EXPECT_FALSE(m.gain_margin_db);
}

TEST(Margins, ZeroFrequencyIsAPhaseCrossoverWhereLIsNegativeThere) {
  const Margins m = margins(loop("-1/(2*(s + 1))"));
  EXPECT_NEAR(*m.gain_margin_db, 20 * std::log10(2.0), 1e-12);
  EXPECT_EQ(m.phase_crossovers.front().frequency, 0);
  EXPECT_EQ(m.closed_loop.verdict, Verdict::stable);
  const Margins needed = margins(loop("2/(s - 1)"));  // stable from a gain of 1/2 on
  EXPECT_NEAR(*needed.gain_margin_db, -20 * std::log10(2.0), 1e-12);
  EXPECT_EQ(needed.closed_loop.verdict, Verdict::stable);
}

TEST(Margins, ACrossoverBeyondTheRangeOfDoublesIsNeitherInfiniteNorMissing) {
  EXPECT_THROW(margins(loop("10^300/(s/10^300 + 1)")), NoAnswer);  // |L| = 1 at 1e600 rad/s
  EXPECT_THROW(margins(loop("10^(-400)/s")), NoAnswer);            // at 1e-400
  EXPECT_NEAR(margins(loop("10^100/(s/10^30 + 1)")).gain_crossovers.at(0).frequency, 1e130, 1e118);
}

TEST(Margins, RealLoopsTouchMinusOne) {
  const Margins m = margins(loop("10/s^2"));
  EXPECT_EQ(*m.phase_margin_deg, 0);
  EXPECT_EQ(*m.delay_margin, 0);
  EXPECT_EQ(*m.modulus_margin, 0);
  EXPECT_FALSE(m.gain_margin_db);
  ASSERT_EQ(m.negative_ranges.size(), 1u);
  EXPECT_EQ(m.negative_ranges[0].first, 0);
  EXPECT_FALSE(m.negative_ranges[0].second);
  EXPECT_EQ(m.closed_loop.verdict, Verdict::on_the_edge);
  const Margins half = margins(loop("1/(s^2 + 4)"));
  EXPECT_EQ(*half.phase_margin_deg, 0);
  EXPECT_EQ(*half.delay_margin, 0);
  EXPECT_NEAR(half.negative_ranges.at(0).first, 2, 1e-15);
  EXPECT_TRUE(margins(loop("(s - 1)/(s + 1)")).unit_modulus);
}

TEST(Margins, AnUnstableClosedLoopHasNoDelayMargin) {
  const Margins m = margins(loop("100/(s*(s + 1)*(s + 2))"));
  EXPECT_EQ(m.closed_loop.verdict, Verdict::unstable);
  EXPECT_FALSE(m.delay_margin);
  EXPECT_LT(*m.gain_margin_db, 0);
  EXPECT_EQ(margins(loop("3/(z - 1/2)", "z")).closed_loop.verdict, Verdict::unstable);
  const Margins any = margins(loop("2*(s + 1)/(s + 2)"));  // 1 + 2 e^(−τs) has roots right of the axis for every τ > 0
  EXPECT_EQ(any.closed_loop.verdict, Verdict::stable);
  EXPECT_EQ(*any.delay_margin, 0);
}

TEST(ClosedLoop, WithDeadTimeAgreesWithPade) {
  std::mt19937 random(33);
  const auto number = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  int stable = 0, unstable = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const std::string text = std::to_string(number(1, 40)) + "/10*" + factor(number(1, 30)) + "/(" + factor(number(-5, 30)) +
                             "*" + factor(number(1, 30)) + "*(s^2 + " + std::to_string(number(0, 9)) + "/10*s + " +
                             std::to_string(number(1, 5)) + "))*exp(-" + std::to_string(number(1, 30)) + "/10*s)";
    const ExactTransfer L = loop(text), approximate = pade(L, 12);
    const RationalPolynomial n = approximate.numerator.polynomial(), d = approximate.denominator.polynomial();
    const std::size_t right = (n + d).root_counts().right;
    const ClosedLoop found = closed_loop(L);
    EXPECT_EQ(found.verdict, right > 0 ? Verdict::unstable : Verdict::stable) << text;
    if (right > 0) {
      EXPECT_EQ(found.reason.substr(0, found.reason.find(' ')), std::to_string(right)) << text;
    }
    ++(right > 0 ? unstable : stable);
  }
  EXPECT_GT(std::min(stable, unstable), 10);
}

TEST(ClosedLoop, ModesThatCancelStay) {
  EXPECT_EQ(closed_loop(loop("1/(s + 2)")).verdict, Verdict::stable);
  ExactTransfer L = loop("1/(s + 2)");
  L.cancelled = {1, -1};
  EXPECT_EQ(closed_loop(L).verdict, Verdict::unstable);
  L.cancelled = {1, 0, 3};
  EXPECT_EQ(closed_loop(L).verdict, Verdict::on_the_edge);
}

TEST(ClosedLoop, ModesBehindAGainOfZeroStay) {
  const auto verdict = [](const std::vector<std::array<std::string, 3>>& branches) {
    const SignalFlowGraph graph = graph_of(branches);
    const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
    const ExactTransfer L = exact_transfers(graph, std::span(&question, 1)).front();
    EXPECT_TRUE(L.numerator.parts.empty());
    return closed_loop(L).verdict;
  };
  EXPECT_EQ(verdict({{"u", "e", "0"}, {"e", "y", "1/(s - 1)"}}), Verdict::unstable);
  EXPECT_EQ(verdict({{"u", "e", "0"}, {"e", "y", "1/s"}, {"y", "e", "-1"}}), Verdict::stable);
  EXPECT_EQ(verdict({{"u", "e", "0"}, {"e", "y", "1/s"}, {"y", "e", "1"}}), Verdict::unstable);
  EXPECT_EQ(verdict({{"u", "e", "0"}, {"e", "y", "1/s^2"}, {"y", "e", "-3"}}), Verdict::on_the_edge);
}

/// The loop from u to y with values for K and a, put in before it is solved and afterwards.
std::vector<ExactTransfer> valued(const std::vector<std::array<std::string, 3>>& branches, int K, int a) {
  SignalFlowGraph graph = graph_of(branches);
  graph.symbols.symbol("K");
  graph.symbols.symbol("a");
  const GiNaC::exmap values{{graph.symbols.find("K")->expr, K}, {graph.symbols.find("a")->expr, a}};
  const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
  std::vector<ExactTransfer> found = exact_transfers(graph.substituted(values), std::span(&question, 1));
  graph.symbols.find("K")->value = K;
  graph.symbols.find("a")->value = a;
  found.push_back(exact_transfer(transfer_function(graph, question), graph));
  found.push_back(exact_transfers(graph, std::span(&question, 1)).front());
  return found;
}

TEST(ClosedLoop, ModesThatAGainLosesByItsValuesStay) {
  const auto expect = [](const std::vector<std::array<std::string, 3>>& branches, int K, int a, Verdict verdict) {
    for (const ExactTransfer& L : valued(branches, K, a)) EXPECT_EQ(closed_loop(L).verdict, verdict) << branches.front()[2];
  };
  expect({{"u", "y", "K/(s - a)"}}, 0, 1, Verdict::unstable);
  expect({{"u", "y", "K/(s - a)"}}, 0, -1, Verdict::stable);
  expect({{"u", "y", "K/(s - a)"}}, 0, 0, Verdict::on_the_edge);
  expect({{"u", "y", "(s - K)/(s^2 - a)"}}, 1, 1, Verdict::unstable);
  expect({{"u", "y", "(2*s - 2*K)/(s - 1)^2"}}, 1, 1, Verdict::unstable);
  expect({{"u", "y", "1/(s + 3)"}, {"u", "e", "1"}, {"e", "y", "K/(s - a)"}, {"y", "e", "-1"}}, 0, 1, Verdict::unstable);
  expect({{"u", "y", "1/(s + 3)"}, {"u", "y", "K/(s - a)"}}, 0, 1, Verdict::unstable);
  expect({{"u", "y", "K/(s - 2)"}, {"u", "y", "a/(s - 2)"}}, 1, -1, Verdict::unstable);
}

TEST(ClosedLoop, ALoopWithDeadTimeBehindAGainOfZeroStays) {
  const auto verdict = [](const std::string& feedback) {
    const SignalFlowGraph graph = graph_of({{"u", "e", "0"}, {"e", "y", "1/s"}, {"y", "e", feedback}});
    const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
    const ExactTransfer L = exact_transfers(graph, std::span(&question, 1)).front();
    EXPECT_THROW(poles_zeros(L), NoAnswer);
    return closed_loop(L).verdict;
  };
  EXPECT_EQ(verdict("-2*exp(-s)"), Verdict::unknown);  // it grows
  EXPECT_EQ(verdict("-exp(-s) - exp(-2*s)"), Verdict::unknown);
}

TEST(OpenLoop, ALoopOnTheWayIsSeen) {
  const auto passes = [](const std::vector<std::array<std::string, 3>>& branches) {
    const SignalFlowGraph graph = graph_of(branches);
    return passes_through_loop(graph, {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}});
  };
  EXPECT_FALSE(passes({{"u", "a", "1"}, {"u", "b", "2"}, {"a", "y", "3"}, {"b", "y", "4"}}));
  EXPECT_TRUE(passes({{"u", "a", "1"}, {"a", "y", "3"}, {"y", "a", "-1"}}));
  EXPECT_TRUE(passes({{"u", "a", "1"}, {"a", "a", "1/2"}, {"a", "y", "3"}}));
  EXPECT_FALSE(passes({{"u", "y", "1"}, {"u", "a", "1"}, {"a", "b", "3"}, {"b", "a", "-1"}}));  // it does not come back
}

}  // namespace
}  // namespace sfg
