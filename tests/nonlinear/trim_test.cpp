// Inputs at which signals have wanted values at rest, and points on a motion: closed forms. Random ones: tests/cli/trims.py.
#include <gtest/gtest.h>

#include <cmath>

#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;

TEST(Trim, FindsEveryInput) {
  const SignalFlowGraph graph = read_dot(
      R"dot(digraph { input=F; output=y; F -> a; a -> b [nonlinear="2*u^2"]; b -> e; e -> y [gain="1/s"]; y -> e [gain=-1]; })dot",
      "");
  const OperatingPoints found = operating_points(graph, {.wanted = {{*graph.find("y"), 8.0}}, .freed = {*graph.find("F")}});
  EXPECT_TRUE(found.complete);
  ASSERT_EQ(found.points.size(), 2u);
  EXPECT_NEAR(std::abs(found.points[0].signals.at("F")), 2, 1e-12);
  EXPECT_NEAR(found.points[0].signals.at("F") + found.points[1].signals.at("F"), 0, 1e-12);
  EXPECT_EQ(found.points[0].stable, true);
  EXPECT_EQ(found.inputs, std::vector<std::string>{"F"});
}

TEST(Trim, NeedsAsManyInputsAsWantedValues) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph { input=F; output=y; F -> y [nonlinear="u^3"]; })dot", "");
  EXPECT_THROW(operating_points(graph, {.wanted = {{*graph.find("y"), 8.0}}}), std::invalid_argument);
}

/// ẋ = −x³: x = x₀/√(1 + 2 x₀² t)
TEST(PointInTime, LiesOnTheMotion) {
  const SignalFlowGraph graph = read_dot(
      R"dot(digraph { input=w; output=x; w -> e; e -> x [gain="1/s"]; x -> f [nonlinear="u^3"]; f -> e [gain=-1]; })dot", "");
  SimulationQuestion question;
  question.initial = {{"x", 1.5}};
  const PointInTime found = point_in_time(graph, question, 2);
  EXPECT_NEAR(found.point.at("x").to_double(), 1.5 / std::sqrt(1 + 2 * 1.5 * 1.5 * 2), 1e-8);
  ASSERT_TRUE(found.error);
  EXPECT_LT(*found.error, 1e-7);
  EXPECT_EQ(point_in_time(graph, question, 0).point.at("x"), exact::Rational(3) / exact::Rational(2));
}

}  // namespace
