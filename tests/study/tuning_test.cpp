// Tuning against closed forms, published optima and searches of a grid.
#include "sfg/study/tuning/tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

MeasuredSystem system_of(const std::string& text, const std::string& from, const std::string& to) {
  MeasuredSystem system{std::get<SignalFlowGraph>(read_toml(text, "model.toml")), {}, {}};
  system.question = {*system.graph.find(from), *system.graph.find(to)};
  return system;
}

MeasuredSystem integrating_loop() {
  return system_of("[graph]\nbranches = [[\"r\", \"y\", \"K/(s*(s+1))\"]]\n[parameters]\nK = 10\n", "r", "y");
}

/// A main mass with an absorber of a tenth of it; k and c are the absorber's.
MeasuredSystem absorber() {
  return system_of(
      "[graph]\nbranches = [[\"F\", \"x\", \"1/(s^2+1+c*s+k)\"], [\"x\", \"y\", \"(c*s+k)/(0.1*s^2+c*s+k)\"], [\"y\", \"x\", "
      "\"(c*s+k)/(s^2+1+c*s+k)\"]]\n[parameters]\nk = 0.107\nc = 0.017\n",
      "F", "x");
}

/// Two integrators with K and the rate feedback D: s² + D s + K; in z with T_s = 0.1 likewise.
MeasuredSystem positioning(bool sampled = false) {
  const std::string integrator = sampled ? "0.1/(z-1)" : "1/s";
  return system_of((sampled ? "variable = \"z\"\nsample_time = 0.1\n" : std::string()) +
                       "[graph]\nbranches = [[\"r\", \"e\", \"1\"], [\"e\", \"v\", \"K\"], [\"v\", \"x\", \"" + integrator +
                       "\"], [\"x\", \"y\", \"" + integrator +
                       "\"], [\"x\", \"v\", \"-D\"], [\"y\", \"e\", \"-1\"]]\n[parameters]\nK = 1\nD = 1\nE = \"2*K\"\n",
                   "r", "y");
}

TuningGoal goal_of(const MeasuredSystem& system, TuningGoal::Kind kind, const std::string& objective,
                   const std::vector<std::string>& specs = {}) {
  TuningGoal goal;
  goal.kind = kind;
  if (!objective.empty()) goal.objective = measure_of(objective, system.graph.symbols);
  for (const std::string& spec : specs) goal.specs.push_back(spec_of(spec, system.graph.symbols, true));
  return goal;
}

using Kind = TuningGoal::Kind;

TEST(Tuning, MeetsAPhaseMarginExactly) {
  const MeasuredSystem loop = integrating_loop();
  const Tuning found = tuned(loop, {{"K", 0.01, 100}}, goal_of(loop, Kind::specs, "", {"phase-margin = 45"}));
  EXPECT_TRUE(found.met());
  EXPECT_NEAR(found.parameters[0].value, std::sqrt(2.0), 1e-8);  // ω = 1, |L| = K/√2
  EXPECT_GE(found.starts, 2U);
  EXPECT_FALSE(found.objective);
  EXPECT_EQ(found.parameters[0].before, 10);
}

TEST(Tuning, ChangesNoMoreThanSpecsAskFor) {
  const MeasuredSystem loop = integrating_loop();
  const Tuning kept = tuned(loop, {{"K", 0.01, 100}}, goal_of(loop, Kind::specs, "", {"phase-margin > 5"}));
  EXPECT_EQ(kept.parameters[0].value, 10);
  const Tuning found = tuned(loop, {{"K", 0.01, 100}}, goal_of(loop, Kind::specs, "", {"phase-margin > 45"}));
  EXPECT_TRUE(found.met());
  EXPECT_NEAR(found.parameters[0].value, std::sqrt(2.0), 1e-5);
  EXPECT_GT(found.specs[0].value, 45);
}

TEST(Tuning, FindsTheAbsorberOfLeastPeak) {
  const MeasuredSystem system = absorber();
  const Tuning found = tuned(system, {{"k", 0.01, 0.5}, {"c", 0.001, 0.5}}, goal_of(system, Kind::minimize, "peak"));
  // Two peaks of equal height; Den Hartog's approximate design has √(1 + 2/μ) = 4.583 at the fixed points.
  EXPECT_NEAR(*found.objective, 4.589165566, 1e-8);
  EXPECT_NEAR(*found.objective, std::sqrt(21), 0.01);
}

/// No point of a grid is better, and none near the solution is much worse.
TEST(Tuning, IsAsGoodAsAGrid) {
  const MeasuredSystem system = positioning();
  const std::vector<TunedRange> ranges{{"K", 0.5, 50}, {"D", 0.5, 20}};
  const TuningGoal goal = goal_of(system, Kind::minimize, "settling", {"overshoot < 3", "K*D < 60"});
  const Tuning found = tuned(system, ranges, goal);
  ASSERT_TRUE(found.met());
  const MeasureProgram program(system, {*goal.objective, goal.specs[0].measure, goal.specs[1].measure}, {"K", "D"});
  double least = 1e9;
  for (int i = 0; i <= 60; ++i)
    for (int j = 0; j <= 60; ++j) {
      const double point[]{0.5 * std::pow(100.0, i / 60.0), 0.5 * std::pow(40.0, j / 60.0)};
      double values[3];
      program.evaluate(1, point, values);
      if (values[1] < 3 && values[2] < 60) least = std::min(least, values[0]);
    }
  EXPECT_LE(*found.objective, least);
  EXPECT_GT(*found.objective, 0.9 * least);
}

TEST(Tuning, KeepsToActiveSpecs) {
  const MeasuredSystem system = positioning();
  // K greatest under D ≤ 2√K·ζ …: damping = D/(2√K) ≥ 0.7 and D ≤ 7 by its bound: K = 25.
  const Tuning found = tuned(system, {{"K", 0.1, 100}, {"D", 0.1, 7}}, goal_of(system, Kind::maximize, "K", {"damping >= 0.7"}));
  EXPECT_TRUE(found.met());
  EXPECT_NEAR(*found.objective, 25, 1e-4);
  EXPECT_TRUE(found.parameters[1].at_bound());
}

TEST(Tuning, PlacesPolesInSAndInZ) {
  for (const bool sampled : {false, true}) {
    TuningGoal goal{.kind = Kind::place, .objective = {}, .poles = {}, .specs = {}};
    goal.poles = sampled ? std::vector<std::complex<double>>{{0.8, 0.1}, {0.8, -0.1}}
                         : std::vector<std::complex<double>>{{-2, 3}, {-2, -3}};
    const Tuning found = tuned(positioning(sampled), {{"K", 0.1, 100}, {"D", 0.1, 20}}, goal);
    EXPECT_LT(*found.objective, 1e-9);
    EXPECT_NEAR(found.parameters[0].value, sampled ? 5 : 13, 1e-8);  // (z − 1)² + 0.1 D (z − 1) + 0.01 K
    EXPECT_NEAR(found.parameters[1].value, 4, 1e-8);
  }
}

TEST(Tuning, PlacesADoublePoleAndLeavesOthersFree) {
  TuningGoal goal{.kind = Kind::place, .objective = {}, .poles = {-3, -3}, .specs = {}};
  const Tuning twice = tuned(positioning(), {{"K", 0.1, 100}, {"D", 0.1, 20}}, goal);
  EXPECT_LT(*twice.objective, 1e-5);
  EXPECT_NEAR(twice.parameters[0].value, 9, 1e-8);
  goal.poles = {-5};
  const Tuning one = tuned(positioning(), {{"K", 0.1, 100}, {"D", 0.1, 20}}, goal);
  EXPECT_LT(*one.objective, 1e-9);
  EXPECT_NEAR(25 - 5 * one.parameters[1].value + one.parameters[0].value, 0, 1e-8);
}

/// D alone moves the poles of s² + D s + 1 on the circle and the axis: the nearest to −2 ± j is where the distance is least.
TEST(Tuning, ComesAsNearToPolesAsItCan) {
  TuningGoal goal{.kind = Kind::place, .objective = {}, .poles = {{-2, 1}, {-2, -1}}, .specs = {}};
  const Tuning found = tuned(positioning(), {{"D", 0.1, 20}}, goal);
  EXPECT_NEAR(*found.objective, std::sqrt(5) - 1, 1e-6);  // from the circle's centre through the wanted pole
  EXPECT_NEAR(found.parameters[0].value, 4 / std::sqrt(5), 1e-4);
}

TEST(Tuning, NamesASmallestConflict) {
  const MeasuredSystem loop = integrating_loop();
  const Tuning found = tuned(loop, {{"K", 0.1, 10}},
                             goal_of(loop, Kind::specs, "", {"phase-margin > 60", "K < 9", "gain@1 > 2", "dc > 0", "K > 0.2"}));
  EXPECT_FALSE(found.met());
  // There is no T(0) at all: one spec alone is the smallest conflict.
  EXPECT_EQ(found.conflicts, std::vector<std::string>{"dc > 0"});
  const Tuning two =
      tuned(loop, {{"K", 0.1, 10}}, goal_of(loop, Kind::specs, "", {"phase-margin > 60", "K < 9", "gain@1 > 2", "K > 0.2"}));
  EXPECT_EQ(two.conflicts, (std::vector<std::string>{"phase-margin > 60", "gain@1 > 2"}));
  const MeasuredSystem system = positioning();
  const Tuning three = tuned(system, {{"K", 0.1, 100}, {"D", 0.1, 100}},
                             goal_of(system, Kind::minimize, "peak", {"K > 50", "D < 4", "damping > 0.7", "K < 90"}));
  EXPECT_EQ(three.conflicts, (std::vector<std::string>{"K > 50", "D < 4", "damping > 0.7"}));
}

TEST(Tuning, GivesTheSameForAnyNumberOfThreads) {
  const MeasuredSystem system = absorber();
  const TuningGoal goal = goal_of(system, Kind::minimize, "peak", {"c < 0.03"});
  const std::vector<TunedRange> ranges{{"k", 0.01, 0.5}, {"c", 0.001, 0.5}};
  const Tuning one = tuned(system, ranges, goal, {.threads = 1}), two = tuned(system, ranges, goal, {.threads = 2});
  EXPECT_EQ(one.parameters[0].value, two.parameters[0].value);
  EXPECT_EQ(one.parameters[1].value, two.parameters[1].value);
  EXPECT_EQ(one.evaluations, two.evaluations);
}

TEST(Tuning, StartsParametersWithoutAValueInTheMiddle) {
  const MeasuredSystem loop = system_of("[graph]\nbranches = [[\"r\", \"y\", \"K/(s*(s+1))\"]]\n", "r", "y");
  const Tuning found = tuned(loop, {{"K", 0.01, 100}}, goal_of(loop, Kind::specs, "", {"phase-margin = 45"}));
  EXPECT_NEAR(found.parameters[0].value, std::sqrt(2.0), 1e-8);
  EXPECT_TRUE(std::isnan(found.parameters[0].before));
}

TEST(Tuning, RefusesWhatIsNoGoal) {
  const MeasuredSystem system = positioning();
  const TuningGoal goal = goal_of(system, Kind::minimize, "peak");
  EXPECT_THROW(static_cast<void>(tuned(system, {{"E", 1, 2}}, goal)), Error);  // follows from K
  EXPECT_THROW(static_cast<void>(tuned(system, {{"Q", 1, 2}}, goal)), Error);
  EXPECT_THROW(static_cast<void>(tuned(system, {{"K", 2, 1}}, goal)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(tuned(system, {}, goal)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(tuned(system, {{"K", 1, 2}}, {})), std::invalid_argument);
  TuningGoal placed{.kind = Kind::place, .objective = {}, .poles = {-1, -2, -3}, .specs = {}};
  EXPECT_THROW(static_cast<void>(tuned(system, {{"K", 1, 2}}, placed)), Error);
  placed.poles = {{-1, 2}};
  EXPECT_THROW(static_cast<void>(tuned(system, {{"K", 1, 2}}, placed)), Error);
  EXPECT_THROW(static_cast<void>(tuned(system, {{"K", 1, 2}}, goal_of(system, Kind::minimize, "gain-margin"))), NoAnswer);
}

}  // namespace
}  // namespace sfg
