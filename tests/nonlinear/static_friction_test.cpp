/// Friction that is greater at rest, relays with hysteresis, what a law without states does, and the events of each: against
/// closed forms, on random instances.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;

struct Motion {
  std::vector<double> value;
  std::vector<RunEvent> events;
};

Motion followed(const std::string& text, const std::string& input, const std::string& signal, const std::string& output,
                const std::vector<double>& times, const std::vector<InitialValue>& initial = {}) {
  SignalFlowGraph graph = read_dot(text, "test.dot");
  SymbolTable symbols;
  SimulationQuestion asked;
  asked.time = symbols.symbol("t");
  asked.drives.push_back({*graph.find(input), parse(signal, symbols)});
  asked.initial = initial;
  asked.outputs.push_back(*graph.find(output));
  RunRecord record;
  Motion found{transient(graph, asked, times, {}, &record).front().value.value, {}};
  found.events = std::move(record.events);
  return found;
}

std::vector<double> even(double until, int count) {
  std::vector<double> times;
  for (int i = 0; i <= count; ++i) times.push_back(until * i / count);
  return times;
}

/// A mass m on a belt with the speed v, held by a spring k; friction Fs at rest, Fc in motion: sticks up to k x = Fs, slips about
/// Fc/k until it is as fast as the belt again.
struct Belt {
  double m, k, Fc, Fs, v;

  double w() const { return std::sqrt(k / m); }
  double slip() const { return 2 * (std::numbers::pi - std::atan2((Fs - Fc) / k * w(), v)) / w(); }

  /// @param events  times at which it slips and sticks
  double at(double t, std::vector<double>* events = nullptr) const {
    double x = 0, now = 0;
    while (true) {
      const double stick = (Fs / k - x) / v;
      if (t <= now + stick) return x + v * (t - now);
      now += stick;
      if (events) events->push_back(now);
      const double away = (Fs - Fc) / k;
      if (t <= now + slip()) return Fc / k + away * std::cos(w() * (t - now)) + v / w() * std::sin(w() * (t - now));
      now += slip();
      if (events) events->push_back(now);
      x = Fc / k - away;
    }
  }
};

TEST(StaticFriction, SticksAndSlipsOnABelt) {
  std::mt19937 random(29);
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<>()(random));
  };
  for (int i = 0; i < 12; ++i) {
    Belt belt{between(0.1, 10), between(1, 1000), between(0.1, 10), 0, 0};
    belt.Fs = belt.Fc * between(1.1, 3);
    belt.v = between(0.05, 2) * (belt.Fs - belt.Fc) / belt.k * belt.w();
    const double until = 4.3 * (belt.slip() + 2 * (belt.Fs - belt.Fc) / belt.k / belt.v) + belt.Fs / belt.k / belt.v;
    const auto times = even(until, 60);
    const Motion found = followed("digraph { input=v; output=x; v -> d; w -> d [gain=-1]; d -> F [nonlinear=\"friction(u, " +
                                      print(belt.Fc) + ", " + print(belt.Fs) + ")\"]; x -> F [gain=\"-" + print(belt.k) +
                                      "\"]; F -> w [gain=\"1/(" + print(belt.m) + "*s)\"]; w -> x [gain=\"1/s\"]; }",
                                  "v", print(belt.v), "x", times, {{"w", belt.v}});
    for (std::size_t j = 0; j < times.size(); ++j)
      EXPECT_NEAR(found.value[j], belt.at(times[j]), 1e-7 * belt.Fs / belt.k) << i << ", t = " << times[j];
    std::vector<double> known;
    belt.at(until, &known);
    ASSERT_EQ(found.events.size(), known.size()) << i;
    for (std::size_t j = 0; j < known.size(); ++j) {
      const RunEvent& event = found.events[j];
      EXPECT_NEAR(event.time, known[j], 1e-7 * until) << i;
      EXPECT_EQ(event.kind, j % 2 == 0 ? "slip" : "stick") << i;
      EXPECT_EQ(event.name, "d -> F");
      EXPECT_EQ(event.function, "d");
      ASSERT_TRUE(event.before && event.after);
      EXPECT_NEAR(j % 2 == 0 ? *event.before : *event.after, j % 2 == 0 ? belt.Fs : belt.k * belt.at(known[j]), 1e-6 * belt.Fs);
      EXPECT_NEAR(j % 2 == 0 ? *event.after : *event.before, belt.Fc, 1e-6 * belt.Fs) << i;
    }
  }
}

TEST(StaticFriction, IsCoulombsWhereBothAreEqual) {
  const auto times = even(12, 48);
  const std::string rest = "a -> v [gain=\"1/s\"]; v -> x [gain=\"1/s\"]; x -> a [gain=-3]; }";
  const Motion one = followed("digraph { input=r; output=x; r -> a; v -> a [nonlinear=\"-friction(u, 0.4, 0.4)\"];" + rest, "r",
                              "2*sin(t)", "x", times, {{"x", 1}});
  const Motion other = followed("digraph { input=r; output=x; r -> a; v -> a [nonlinear=\"-coulomb(u, 0.4)\"];" + rest, "r",
                                "2*sin(t)", "x", times, {{"x", 1}});
  for (std::size_t j = 0; j < times.size(); ++j) EXPECT_NEAR(one.value[j], other.value[j], 1e-8);
}

TEST(StaticFriction, IsNotLessThanThatInMotion) {
  EXPECT_THROW(read_dot("digraph { v -> a [nonlinear=\"friction(u, 2, 1)\"]; }", "test.dot"), Error);
}

/// At rest the spring holds whatever static friction does.
TEST(StaticFriction, IsWhatHoldsAtRest) {
  SignalFlowGraph graph = read_dot(
      "digraph { input=F; output=x; F -> f; f -> v [gain=\"1/s\"]; v -> x [gain=\"1/s\"]; x -> f [gain=\"-4\"];"
      "v -> f [nonlinear=\"-friction(u, 1, 1.6)\"]; }",
      "test.dot");
  RestQuestion question;
  question.inputs[*graph.find("F")] = 0.4;
  const OperatingPoints rest = operating_points(graph, question);
  ASSERT_EQ(rest.points.size(), 1U);
  const auto range = rest.points[0].set.find("x");
  ASSERT_NE(range, rest.points[0].set.end());
  EXPECT_NEAR(range->second.first, -0.3, 1e-8);
  EXPECT_NEAR(range->second.second, 0.5, 1e-8);
}

/// ẋ = ∓M between ±h: a triangle.
TEST(Relays, WithHysteresisOnAnIntegratorMakeATriangle) {
  std::mt19937 random(17);
  std::uniform_real_distribution<> part(0.1, 3);
  for (int i = 0; i < 12; ++i) {
    const double h = part(random), M = part(random), period = 4 * h / M;
    const auto times = even(6.37 * period, 50);
    const Motion found = followed("digraph { input=r; output=x; r -> a; x -> a [nonlinear=\"-hysteresis(u, " + print(h) + ", " +
                                      print(M) + ")\"]; a -> x [gain=\"1/s\"]; }",
                                  "r", "0", "x", times);
    for (std::size_t j = 0; j < times.size(); ++j) {
      const double turn = std::fmod(times[j] + period / 4, period) / period;
      EXPECT_NEAR(found.value[j], turn < 0.5 ? -h + 4 * h * turn : 3 * h - 4 * h * turn, 1e-8 * h) << i << ", t = " << times[j];
    }
    ASSERT_EQ(found.events.size(), 13U) << i;
    for (std::size_t j = 0; j < found.events.size(); ++j) {
      EXPECT_EQ(found.events[j].kind, "switch");
      EXPECT_EQ(found.events[j].direction, j % 2 == 0 ? 1 : -1);
      EXPECT_NEAR(found.events[j].time, period / 4 + static_cast<double>(j) * period / 2, 1e-8 * period);
      EXPECT_EQ(*found.events[j].before, j % 2 == 0 ? M : -M);
      EXPECT_EQ(*found.events[j].after, j % 2 == 0 ? -M : M);
    }
  }
}

/// Nothing has a state: memories follow the input all the same.
TEST(Relays, AndPlayFollowAnInputThatNothingDelays) {
  const auto times = even(20, 83);
  const Motion relay =
      followed("digraph { input=r; output=y; r -> y [nonlinear=\"hysteresis(u, 0.4, 2)\"]; }", "r", "sin(t)", "y", times);
  const Motion play =
      followed("digraph { input=r; output=y; r -> y [nonlinear=\"backlash(u, 0.5)\"]; }", "r", "sin(t)", "y", times);
  double z = -2, play_z = 0;
  std::size_t next = 0;
  for (double t = 0; next < times.size(); t += 1e-3) {
    z = std::sin(t) >= 0.4 ? 2 : std::sin(t) <= -0.4 ? -2 : z;
    play_z = std::max(std::sin(t) - 0.25, std::min(std::sin(t) + 0.25, play_z));
    if (times[next] > t + 5e-4) continue;
    EXPECT_EQ(relay.value[next], z) << times[next];
    EXPECT_NEAR(play.value[next], play_z, 2e-3) << times[next];
    ++next;
  }
  EXPECT_EQ(relay.events.size(), 7U);
}

/// The corners of a dead zone are events, too: a mass between two springs with a gap.
TEST(Events, CornersHaveTheirTimes) {
  const Motion found = followed(
      "digraph { input=r; output=x; r -> a; x -> a [nonlinear=\"-4*dead_zone(u, 1)\"]; a -> v [gain=\"1/s\"]; v -> x "
      "[gain=\"1/s\"]; }",
      "r", "0", "x", even(5, 10), {{"v", 1}});
  ASSERT_EQ(found.events.size(), 3U);
  const std::vector<double> known{1, 1 + std::numbers::pi / 2, 3 + std::numbers::pi / 2};
  for (std::size_t j = 0; j < known.size(); ++j) {
    EXPECT_EQ(found.events[j].kind, "corner");
    EXPECT_NEAR(found.events[j].time, known[j], 1e-8);
    EXPECT_EQ(found.events[j].name, "x -> a");
  }
}

}  // namespace
