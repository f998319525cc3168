// The compiled way against exact polynomials, and its error bounds against what they bound.
#include "sfg/response/compiled_response.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "graphs/families.hpp"
#include "sfg/error.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;
using test::Arrow;
using test::graph_of;

double distance(Complex a, Complex b) { return std::abs(a - b) / std::max({std::abs(a), std::abs(b), 1e-300}); }

std::vector<Complex> axis(const std::vector<double>& w) {
  std::vector<Complex> s;
  for (const double x : w) s.emplace_back(0, x);
  return s;
}

/// RC ladder: v0 → v1 → … with the currents i1, i2, … as nodes between.
SignalFlowGraph rc_ladder(int sections, const std::string& resistance = "1000", const std::string& capacitance = "1e-6") {
  std::vector<Arrow> arrows;
  const auto v = [](int k) { return "v" + std::to_string(k); };
  const auto i = [](int k) { return "i" + std::to_string(k); };
  for (int k = 1; k <= sections; ++k) {
    arrows.push_back({v(k - 1), i(k), "1/(" + resistance + ")"});
    arrows.push_back({v(k), i(k), "-1/(" + resistance + ")"});
    arrows.push_back({i(k), v(k), "1/(s*" + capacitance + ")"});
    if (k < sections) arrows.push_back({i(k + 1), v(k), "-1/(s*" + capacitance + ")"});
  }
  return graph_of(arrows);
}

/// Of the ladder by its transfer matrix, in long double: [v, i] of the end carried to the start, 1/v.
Complex rc_ladder_value(int sections, long double resistance, long double capacitance, long double w) {
  std::complex<long double> v = 1, i = 0;
  const std::complex<long double> y(0, w * capacitance);
  for (int k = 0; k < sections; ++k) {
    i += v * y;
    v += i * resistance;
  }
  return static_cast<Complex>(std::complex<long double>(1) / v);
}

SignalFlowGraph random_graph(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  static const std::vector<std::string> gains{
      "2", "-1/3", "0.1*s", "1/(s + 1)", "-3/(s^2 + 0.02*s + 1)", "7/s", "(s - 2)/(s + 5)", "-0.7"};
  const int nodes = 3 + below(8);
  std::vector<Arrow> arrows{{"r", "x0", "1"}};
  for (int k = 0; k + 1 < nodes; ++k)
    arrows.push_back({"x" + std::to_string(k), "x" + std::to_string(k + 1), gains[random() % gains.size()]});
  for (int k = 0; k < nodes; ++k)
    arrows.push_back({"x" + std::to_string(below(nodes)), "x" + std::to_string(below(nodes)), gains[random() % gains.size()]});
  arrows.push_back({"x" + std::to_string(nodes - 1), "y", "1"});
  return graph_of(arrows);
}

TEST(CompiledResponse, EqualsExactPolynomialsOnRandomGraphs) {
  const std::vector<double> w = logarithmic(1e-2, 1e2, 41);
  int compared = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    const Question asked = question(graph, "r", "y");
    const ExactTransfer exact = exact_transfers(graph, std::span(&asked, 1)).front();
    const CompiledValues values = CompiledResponse(graph, std::span(&asked, 1)).values(axis(w));
    const std::vector<Complex> expected = values_at(exact, axis(w));
    for (std::size_t k = 0; k < w.size(); ++k, ++compared) {
      if (!std::isfinite(expected[k].real())) continue;
      EXPECT_LE(values.error[k], 1e-8);
      EXPECT_LE(distance(values.value[k], expected[k]), values.error[k] + 4e-15) << "seed " << seed << ", w = " << w[k];
    }
  }
  EXPECT_EQ(compared, 150 * 41);
}

TEST(CompiledResponse, FollowsLongLadders) {
  for (const int sections : {1, 10, 100, 1000}) {
    const SignalFlowGraph graph = rc_ladder(sections);
    const Question asked = question(graph, "v0", "v" + std::to_string(sections));
    const std::vector<double> w = logarithmic(1e-4, 1e2, 50);
    const CompiledValues values = CompiledResponse(graph, std::span(&asked, 1)).values(axis(w));
    for (std::size_t k = 0; k < w.size(); ++k) {
      const Complex expected = rc_ladder_value(sections, 1000, 1e-6L, w[k]);
      if (std::abs(expected) < 1e-140) continue;
      EXPECT_LE(distance(values.value[k], expected), values.error[k] + 1e-14) << sections << " sections, w = " << w[k];
      EXPECT_LE(values.error[k], 1e-8);
    }
  }
}

// A pivot that vanishes at ω = 1 though the response does not, a pole there, and a zero there.
TEST(CompiledResponse, FindsLimitsPolesAndZerosOnTheAxis) {
  const SignalFlowGraph limit =
      graph_of({{"r", "x", "1"}, {"x", "x", "-s^2"}, {"x", "y", "1"}, {"y", "x", "1"}, {"y", "z", "1"}});
  const SignalFlowGraph pole = graph_of({{"r", "x", "1"}, {"x", "x", "-s^2"}, {"x", "z", "1"}});
  const SignalFlowGraph zero = graph_of({{"r", "z", "(s^2 + 1)/(s + 1)"}});
  const std::vector<Complex> at{{0, 1}};
  const auto value = [&](const SignalFlowGraph& graph) {
    const Question asked = question(graph, "r", "z");
    return CompiledResponse(graph, std::span(&asked, 1)).values(at).value.front();
  };
  EXPECT_EQ(value(limit), Complex(-1, 0));  // 1/(1 + s² − 1) = 1/s²
  EXPECT_TRUE(std::isinf(value(pole).real()));
  EXPECT_EQ(value(zero), Complex(0, 0));
}

// Two nearly equal paths: double precision alone keeps five digits, and the bound knows.
TEST(CompiledResponse, CalculatesAgainWhereDigitsCancel) {
  const SignalFlowGraph graph =
      graph_of({{"r", "a", "1/3"}, {"a", "y", "1"}, {"r", "b", "-1/3 + 1e-12/(s + 1)"}, {"b", "y", "1"}});
  const Question asked = question(graph, "r", "y");
  const CompiledResponse compiled(graph, std::span(&asked, 1));
  const std::vector<Complex> s = axis({0.5});
  const Complex expected = 1e-12 / (s[0] + 1.0);
  const CompiledValues values = compiled.values(s);
  EXPECT_EQ(values.refined, 1U);
  EXPECT_LE(distance(values.value[0], expected), 1e-15);
  const CompiledValues bounded = compiled.values(s, {}, {.tolerance = 1e9});
  EXPECT_EQ(bounded.refined, 0U);
  EXPECT_GT(distance(bounded.value[0], expected), 1e-9);
  EXPECT_LE(distance(bounded.value[0], expected), bounded.error[0]);
}

TEST(CompiledResponse, TakesDeadTimeAndOtherFunctionsOfTheOperator) {
  const SignalFlowGraph graph =
      graph_of({{"r", "e", "1"}, {"e", "y", "2*exp(-s/3)/(s + 1)"}, {"y", "e", "-1"}, {"y", "q", "exp(-sqrt(s))"}});
  const std::vector<Question> asked{question(graph, "r", "y"), question(graph, "r", "q")};
  const std::vector<double> w = logarithmic(0.01, 100, 60);
  const CompiledValues values = CompiledResponse(graph, asked).values(axis(w));
  for (std::size_t k = 0; k < w.size(); ++k) {
    const Complex s(0, w[k]), open = 2.0 * std::exp(-s / 3.0) / (s + 1.0), closed = open / (1.0 + open);
    EXPECT_LE(distance(values.of(0)[k], closed), 1e-13);
    EXPECT_LE(distance(values.of(1)[k], closed * std::exp(-std::sqrt(s))), 1e-13);
  }
  const Question first = asked.front();
  const std::vector<Complex> exact = values_at(exact_transfers(graph, std::span(&first, 1)).front(), axis(w));
  for (std::size_t k = 0; k < w.size(); ++k) EXPECT_LE(distance(values.of(0)[k], exact[k]), 1e-13);
}

TEST(CompiledResponse, LeavesParametersFree) {
  SignalFlowGraph graph = graph_of({{"r", "e", "1"}, {"e", "y", "K/(s*(1 + T*s))"}, {"y", "e", "-1"}});
  graph.symbols.at("K");
  const Question asked = question(graph, "r", "y");
  const CompiledResponse compiled(graph, std::span(&asked, 1), {.parameters = {"K", "T"}});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> about(0.5, 2);
  std::vector<std::vector<double>> samples(2);
  for (int k = 0; k < 100; ++k)
    for (auto& list : samples) list.push_back(about(random));
  const std::vector<double> w = logarithmic(0.1, 10, 7);
  const CompiledValues values = compiled.sampled(axis(w), samples);
  ASSERT_EQ(values.points, 700U);
  for (std::size_t set = 0; set < 100; ++set)
    for (std::size_t k = 0; k < w.size(); ++k) {
      const Complex s(0, w[k]), K = samples[0][set], T = samples[1][set];
      EXPECT_LE(distance(values.of(0)[set * w.size() + k], K / (s * (1.0 + T * s) + K)), 1e-13);
    }
  EXPECT_THROW(compiled.values(axis(w)), std::invalid_argument);
}

TEST(CompiledResponse, NamesParametersWithoutValues) {
  const SignalFlowGraph graph = graph_of({{"r", "y", "K/(s + a)"}});
  const Question asked = question(graph, "r", "y");
  try {
    CompiledResponse(graph, std::span(&asked, 1), {.parameters = {"a"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'K'"), std::string::npos) << error.what();
  }
}

TEST(CompiledResponse, AnswersRatiosInjectionsAndNoWayAtAll) {
  const SignalFlowGraph graph = graph_of(
      {{"r", "a", "1"}, {"a", "b", "1/s"}, {"b", "a", "-2"}, {"b", "c", "3/(s + 1)"}, {"c", "a", "0.5"}, {"n", "d", "1"}});
  const auto node = [&](const char* name) { return *graph.find(name); };
  const std::vector<Question> asked{{node("a"), node("c"), Question::Mode::ratio, node("r")},
                                    {node("b"), node("c"), Question::Mode::inject, {}},
                                    {node("r"), node("d"), Question::Mode::source, {}}};
  const std::vector<Complex> s = axis({0.3, 2});
  const CompiledValues values = CompiledResponse(graph, asked).values(s);
  const std::vector<ExactTransfer> exact = exact_transfers(graph, asked);
  for (std::size_t q = 0; q < 3; ++q)
    for (std::size_t k = 0; k < s.size(); ++k) EXPECT_LE(distance(values.of(q)[k], value_at(exact[q], s[k])), 1e-14) << q;
  EXPECT_EQ(values.of(2)[0], Complex(0, 0));
}

TEST(CompiledResponse, GivesTheSameBitsForEveryNumberOfThreads) {
  const SignalFlowGraph graph = rc_ladder(40, "999.1");
  const Question asked = question(graph, "v0", "v40");
  const CompiledResponse compiled(graph, std::span(&asked, 1));
  const std::vector<Complex> s = axis(logarithmic(1, 1e6, 1000));
  for (const double tolerance : {0.0, 1e-8, 1e-15}) {
    const CompiledValues one = compiled.values(s, {}, {.tolerance = tolerance, .threads = 1});
    const CompiledValues two = compiled.values(s, {}, {.tolerance = tolerance, .threads = 2});
    EXPECT_EQ(one.value, two.value);
    EXPECT_EQ(one.error, two.error);
    EXPECT_EQ(one.refined, two.refined);
  }
}

std::vector<Complex> long_values(const SignalFlowGraph& graph, const Question& asked, const std::vector<double>& w) {
  return values_at(exact_transfers(graph, std::span(&asked, 1)).front(), axis(w));
}

// Polynomials of degree 60 leave the range of doubles; their quotient does not.
TEST(ExactTransfer, ValuesOfHighDegreeAreFinite) {
  const SignalFlowGraph graph = rc_ladder(60);
  const Question asked = question(graph, "v0", "v60");
  const std::vector<double> w{1, 1e3, 1e5};
  const std::vector<Complex> values = long_values(graph, asked, w);
  for (std::size_t k = 0; k < w.size(); ++k) EXPECT_LE(distance(values[k], rc_ladder_value(60, 1000, 1e-6L, w[k])), 1e-13);
}

FrequencyResponse response(const SignalFlowGraph& graph, const Question& asked, const std::vector<double>& w,
                           SweepOptions::Way way) {
  return frequency_responses(graph, std::span(&asked, 1), {.frequency = w, .way = way}).front();
}

// Both ways, at frequencies so far apart that neighbours say nothing.
TEST(Phase, IsFollowedFromTheLowFrequencyAsymptote) {
  struct Case {
    std::string gain;
    double at;
    double phase;
  };
  const std::vector<Case> cases{{"1/s^3", 1, -270},
                                {"-1/s", 2, 90},
                                {"1/(s + 1)^6", 1e4, -540},
                                {"(1 - s)/(1 + s)", 1e5, -180},
                                {"1/((s^2 + 0.002*s + 1)*(s^2 + 0.2*s + 100))", 1e4, -360},
                                {"s^2/((s + 1)*(s^2 + 0.01*s + 9))", 1e5, -90},
                                {"1/(s^2 + 1)", 3, -180},
                                {"(s^2 + 4)/((s + 1)*(s^2 + 9))", 1e4, -90},
                                {"1/(s - 1)", 1e5, 270}};
  for (const Case& c : cases) {
    const SignalFlowGraph graph = graph_of({{"r", "y", c.gain}});
    const Question asked = question(graph, "r", "y");
    for (const auto way : {SweepOptions::Way::exact, SweepOptions::Way::compiled})
      EXPECT_NEAR(response(graph, asked, {c.at}, way).phase_deg[0], c.phase, 0.1)
          << c.gain << (way == SweepOptions::Way::exact ? " exact" : " compiled");
  }
}

TEST(FrequencyResponses, TakeGainsThatAreNotRational) {
  const SignalFlowGraph graph = graph_of({{"r", "y", "1/(1 + sqrt(s))"}});
  const Question asked = question(graph, "r", "y");
  const FrequencyResponse found = frequency_responses(graph, std::span(&asked, 1), {.frequency = {4.0}}).front();
  EXPECT_LE(distance(found.value[0], 1.0 / (1.0 + std::sqrt(Complex(0, 4)))), 1e-15);
  EXPECT_GT(found.error_bound, 0);
}

TEST(FrequencyResponses, SayMagnitudesBeyondTheRangeOfDoubleNumbersBothWays) {
  SignalFlowGraph graph;
  for (int i = 0; i < 200; ++i)
    graph.add_branch(graph.node("x" + std::to_string(i)), graph.node("x" + std::to_string(i + 1)),
                     parse("1/(s + 1)", graph.symbols));
  const std::vector<double> w{1, 100};
  for (const auto way : {SweepOptions::Way::compiled, SweepOptions::Way::exact}) {
    const auto found = frequency_responses(graph, questions(graph), {.frequency = w, .way = way});
    EXPECT_NEAR(found.at(0).magnitude_db[0], -2000 * std::log10(2.0), 1e-9);
    EXPECT_NEAR(found.at(0).magnitude_db[1], -2000 * std::log10(10001.0), 1e-9);
    EXPECT_NE(found.at(0).notes.front().find("beyond the range"), std::string::npos);
  }
}

TEST(Phase, OfBothWaysIsTheSame) {
  const SignalFlowGraph ladder = rc_ladder(12);
  const SignalFlowGraph loop = graph_of({{"r", "e", "1"}, {"e", "y", "exp(-s)/(s*(s + 2))"}, {"y", "e", "-1"}});
  for (const auto& [graph, to] : {std::pair(&ladder, "v12"), std::pair(&loop, "y")}) {
    const Question asked = question(*graph, to[0] == 'v' ? "v0" : "r", to);
    const std::vector<double> w = logarithmic(1e-3, to[0] == 'v' ? 1e6 : 30, 9);
    const FrequencyResponse exact = response(*graph, asked, w, SweepOptions::Way::exact);
    const FrequencyResponse compiled = response(*graph, asked, w, SweepOptions::Way::compiled);
    for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(exact.phase_deg[k], compiled.phase_deg[k], 1e-8) << to << ' ' << w[k];
  }
}

TEST(FrequencyRange, OfACompiledResponseHoldsItsCorners) {
  const SignalFlowGraph graph = graph_of({{"r", "y", "1/((s + 0.01)*(s^2 + 0.02*s + 400))"}});
  const Question asked = question(graph, "r", "y");
  const std::vector<double> w = frequency_range(CompiledResponse(graph, std::span(&asked, 1)));
  EXPECT_LT(w.front(), 0.005);
  EXPECT_GT(w.front(), 1e-5);
  EXPECT_GT(w.back(), 100);
  EXPECT_LT(w.back(), 1e5);
  EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
  EXPECT_GT(std::count_if(w.begin(), w.end(), [](double x) { return std::abs(x - 20) < 0.05; }), 5);  // the resonance
}

}  // namespace
}  // namespace sfg
