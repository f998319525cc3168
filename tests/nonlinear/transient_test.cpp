#include "sfg/nonlinear/run/transient.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "sfg/expr/parse.hpp"
#include "sfg/nonlinear/run/dynamics.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/response/compiled_response.hpp"

namespace {

using namespace sfg;

/// Wojnarowski and Świder's two masses with a cubic spring between them.
constexpr const char* two_masses = R"dot(digraph {
  variable="p"; input="w"; output="x2";
  parameters="m1=2, m2=1, k1=100, c1=0.8, k2=40, c2=0.3, k3=30, c3=0.2, al=5000";
  w -> F1; F1 -> x1 [gain="1/(m1*p^2)"]; F2 -> x2 [gain="1/(m2*p^2)"];
  x1 -> y; x2 -> y [gain=-1];
  x1 -> s1 [gain="c1*p+k1"]; s1 -> F1 [gain=-1];
  y -> s2 [gain="c2*p+k2"]; s2 -> F1 [gain=-1]; s2 -> F2;
  x2 -> s3 [gain="c3*p+k3"]; s3 -> F2 [gain=-1];
  y -> n [nonlinear="al*u^3"]; n -> F1 [gain=-1]; n -> F2;
})dot";

SimulationQuestion question(SignalFlowGraph& graph, const std::string& input, const std::string& signal,
                            const std::string& output) {
  SimulationQuestion asked;
  SymbolTable symbols;
  asked.time = symbols.symbol("t");
  asked.drives.push_back({*graph.find(input), parse(signal, symbols)});
  asked.outputs.push_back(*graph.find(output));
  return asked;
}

std::vector<double> response(const char* text, const std::string& input, const std::string& signal, const std::string& output,
                             const std::vector<double>& times) {
  SignalFlowGraph graph = read_dot(text, "test.dot");
  return transient(graph, question(graph, input, signal, output), times, {.rtol = 1e-10, .atol = 1e-13}).front().value.value;
}

TEST(Transient, AgreesWithThePublishedCase) {
  const auto step = response(two_masses, "w", "4", "x2", {0, 1, 10, 20});
  EXPECT_NEAR(step[0], 0, 1e-15);
  EXPECT_NEAR(step[1], -0.014819248996, 1e-10);
  EXPECT_NEAR(step[2], 0.021633305003, 1e-10);
  EXPECT_NEAR(step[3], 0.020970030247, 1e-10);
  const auto cosine = response(two_masses, "w", "4*cos(13*t)", "x2", {0, 1, 10, 20});
  EXPECT_NEAR(cosine[1], 0.021476893322, 1e-10);
  EXPECT_NEAR(cosine[2], -0.002806766757, 1e-10);
  EXPECT_NEAR(cosine[3], -0.009726432976, 1e-10);
}

/// A law f(u) = k u is a gain: the exact response of the linear graph is an independent route.
TEST(Transient, OfLinearLawsIsTheLinearResponse) {
  const char* shapes[] = {
      R"dot(digraph { input=r; output=y; parameters="k=2"; r -> a; a -> x [gain="1/(s+1)"]; x -> y [gain="3/(s^2+s+4)"]; y -> a [LAW]; })dot",
      R"dot(digraph { input=r; output=y; parameters="k=2"; r -> a; a -> y [gain="(s+2)/(s+3)"]; y -> a [LAW]; })dot",
      R"dot(digraph { input=r; output=y; parameters="k=2"; r -> a; a -> y [gain="exp(-s/2)/(s+1)"]; y -> a [LAW]; })dot",
      R"dot(digraph { input=r; output=y; parameters="k=2"; r -> a; a -> b [LAW]; b -> y [gain="1/(s*(s+1))"]; y -> a [gain=-1]; })dot"};
  const std::vector<double> times{0, 0.3, 0.5, 1, 1.7, 3, 5};
  for (const std::string shape : shapes)
    for (const char* signal : {"1", "sin(3*t)", "t*step(t-1)", "step(t - 1/3) - 2*step(t - 1.2)"}) {
      const auto with = [&](const char* law) { return std::string(shape).replace(shape.find("LAW"), 3, law); };
      SignalFlowGraph linear = read_dot(with("gain=\"-k/3\""), "test.dot");
      const auto exact = responses(simulation(linear, question(linear, "r", signal, "y")), times).front().value.value;
      const auto found = response(with("nonlinear=\"-k*u/3\"").c_str(), "r", signal, "y", times);
      for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_NEAR(found[i], exact[i], 1e-8) << shape << " " << signal << " t=" << times[i];
    }
}

TEST(Transient, StepsGraphsOfSamples) {
  const auto y = response(R"dot(digraph { variable="z"; sample_time="1/2"; input=r; output=y;
    r -> a; a -> y [gain="1/z"]; y -> a [nonlinear="u^2/4"]; })dot",
                          "r", "1", "y", {0, 0.5, 1, 1.5, 2});
  double expected = 0;
  for (const double found : y) {
    EXPECT_NEAR(found, expected, 1e-14);
    expected = 1 + expected * expected / 4;
  }
}

/// u = r − f(u) without delay: solved at every moment.
TEST(Transient, SolvesLawsThatDependOnEachOtherWithoutDelay) {
  const auto y = response(R"dot(digraph { input=r; output=u; r -> u; u -> f [nonlinear="u^3"]; f -> u [gain=-1]; })dot", "r", "t",
                          "u", {0, 2, 10});
  EXPECT_NEAR(y[1] + std::pow(y[1], 3), 2, 1e-12);
  EXPECT_NEAR(y[2] + std::pow(y[2], 3), 10, 1e-11);
}

TEST(Transient, RefusesTheRateOfALawsOutputWithItsPlace) {
  EXPECT_THROW(
      response(
          R"dot(digraph { input=r; output=y; r -> a; a -> b [nonlinear="u^3"]; b -> y [gain="s"]; y -> a [nonlinear="-u"]; })dot",
          "r", "sin(t)", "y", {0, 1}),
      Error);
}

TEST(Transient, SaysWhereASolutionEnds) {
  try {
    response(R"dot(digraph { input=r; output=x; r -> a; a -> x [gain="1/s"]; x -> a [nonlinear="u^2"]; })dot", "r", "1", "x",
             {0, 3});
    FAIL() << "tan(t) has a pole at pi/2";
  } catch (const NoAnswer& failure) {
    EXPECT_NE(std::string(failure.what()).find("1.57"), std::string::npos) << failure.what();
  }
}

/// The output of a play of width 1 under 2 sin(t): it follows half a width behind, and rests after each turn.
TEST(Transient, BacklashFollowsBehindAndRestsAtTurns) {
  std::vector<double> times;
  for (int i = 0; i <= 40; ++i) times.push_back(i * 0.25);
  const auto y = response(R"dot(digraph { input=r; output=y; r -> x [gain="1/(s+1)"]; x -> y [nonlinear="backlash(u, 1)"]; })dot",
                          "r", "2*sin(t) + 2*cos(t)", "y", times);  // x = 2 sin(t) + 0·e^{−t}
  double play = 0;
  std::size_t next = 0;
  for (int i = 0; i <= 1'000'000; ++i) {  // an independent play, sampled finely
    const double t = i * 1e-5, u = 2 * std::sin(t);
    play = std::clamp(play, u - 0.5, u + 0.5);
    if (next < times.size() && std::abs(t - times[next]) < 1e-9) {
      EXPECT_NEAR(y[next], play, 1e-7) << t;
      ++next;
    }
  }
}

/// ẋ = −x − 2 r with a relay of hysteresis ±1/2 oscillates with the period 2 ln(2.5/1.5).
TEST(Transient, RelaysSwitchAtTheirThresholds) {
  const double half = std::log(2.5 / 1.5);
  std::vector<double> times{0};
  for (int k = 0; k < 6; ++k) times.push_back(1.0 + k * 2 * half);
  const auto x = response(R"dot(digraph { input=r; output=x; r -> a; a -> x [gain="1/(s+1)"]; f -> a [gain=-2];
    x -> f [nonlinear="hysteresis(u, 1/2, -1/2, 1)"]; })dot",
                          "r", "0*t", "x", times);
  for (std::size_t k = 2; k < x.size(); ++k) EXPECT_NEAR(x[k], x[1], 1e-7) << k;
}

/// A block on a spring with dry friction loses 2 F/k of its amplitude each half period and stays where the spring is too weak.
TEST(Transient, DryFrictionBringsToRest) {
  SignalFlowGraph graph = read_dot(R"dot(digraph { input=w; output=x; w -> F; F -> x [gain="1/(s^2+1)"];
    x -> f [nonlinear="15/100*sign(v)"]; f -> F [gain=-1]; })dot",
                                   "test.dot");
  SimulationQuestion asked = question(graph, "w", "0*t", "x");
  asked.initial.push_back({"x", 1});
  const std::vector<double> times{0, M_PI, 2 * M_PI, 15, 20};
  const auto found = transient(graph, asked, times).front().value;
  EXPECT_NEAR(found.value[1], -0.7, 1e-8);
  EXPECT_NEAR(found.value[2], 0.4, 1e-8);
  EXPECT_NEAR(found.value[3], -0.1, 1e-8);
  EXPECT_NEAR(found.value[4], -0.1, 1e-8);
  EXPECT_TRUE(found.notes.empty());
}

/// Between elastic stops without damping energy stays what it is.
TEST(Transient, CornersAreMetExactly) {
  SignalFlowGraph graph = read_dot(R"dot(digraph { input=w; output="x,Dx"; w -> F; F -> x [gain="1/s^2"]; x -> Dx [gain="s"];
    x -> f [nonlinear="1000*dead_zone(u, 1)"]; f -> F [gain=-1]; })dot",
                                   "test.dot");
  SimulationQuestion asked = question(graph, "w", "0*t", "x");
  asked.outputs.push_back(*graph.find("Dx"));
  asked.initial.push_back({"Dx", 3});
  std::vector<double> times;
  for (int i = 0; i <= 50; ++i) times.push_back(i * 0.37);
  const auto found = transient(graph, asked, times, {.rtol = 1e-11, .atol = 1e-13});
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double x = found[0].value.value[i], v = found[1].value.value[i], depth = std::max(0.0, std::abs(x) - 1);
    EXPECT_NEAR(v * v / 2 + 1000 * depth * depth / 2, 4.5, 1e-6) << times[i];
  }
}

/// A start on a corner where the signal and its first two rates are 0: the corner is met there once.
TEST(Transient, ACornerAtTheStartIsPassed) {
  SignalFlowGraph graph = read_dot(R"dot(digraph { input=r; output=y; r -> x [gain="1/s"]; x -> c [nonlinear="u^3"];
    c -> y [nonlinear="abs(u)"]; })dot",
                                   "test.dot");
  const auto found = transient(graph, question(graph, "r", "1 + 0*t", "y"), std::vector<double>{0, 0.5, 2});
  EXPECT_NEAR(found[0].value.value[1], 0.125, 1e-8);
  EXPECT_NEAR(found[0].value.value[2], 8, 1e-7);
}

/// The state space has the transfer functions of the graph.
TEST(Dynamics, HaveTheTransmittancesOfTheGraph) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph { input="r,w"; output="y,z"; parameters="a=1/3, b=2.5";
    r -> e; e -> x [gain="(s+a)/(s^2+b*s+1)"]; x -> y [gain="1/(s+2)"]; w -> y [gain="s"]; y -> z [gain="1/(s^2+1)"]; z -> e [gain="-s*a"];
    y -> e [gain="-b"]; })dot",
                                         "test.dot");
  const Dynamics linear = dynamics(graph, graph.inputs, graph.outputs);
  const auto asked = questions(graph);
  const std::complex<double> s(0.3, 1.7);
  const CompiledValues values = CompiledResponse(graph, asked).values(std::span(&s, 1));
  const Eigen::MatrixXcd A = Eigen::MatrixXd(linear.A).cast<std::complex<double>>();
  const Eigen::MatrixXcd inner = (s * Eigen::MatrixXcd::Identity(A.rows(), A.cols()) - A).inverse();
  Eigen::MatrixXcd T =
      Eigen::MatrixXd(linear.C).cast<std::complex<double>>() * inner * Eigen::MatrixXd(linear.B).cast<std::complex<double>>();
  std::complex<double> power = 1;
  for (const auto& D : linear.D) {
    T += power * Eigen::MatrixXd(D).cast<std::complex<double>>();
    power *= s;
  }
  for (std::size_t input = 0; input < 2; ++input)
    for (std::size_t output = 0; output < 2; ++output)
      EXPECT_NEAR(std::abs(values.of(input * 2 + output)[0] - T(static_cast<int>(output), static_cast<int>(input))), 0, 1e-12);
}

}  // namespace
