// Poles and zeros on the axis, and transfer functions that vanish.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "sfg/plot/figures.hpp"
#include "sfg/read/dot.hpp"

namespace sfg {
namespace {

std::vector<FrequencyResponse> responses(const std::string& gain, std::vector<double> frequency) {
  const SignalFlowGraph graph = read_dot("digraph { u -> y [label=\"" + gain + "\"]; u -> v [label=\"1/(s+1)\"] }", "test.dot");
  const std::vector<Question> questions{{*graph.find("u"), *graph.find("y")}};
  SweepOptions options;
  options.frequency = std::move(frequency);
  return frequency_responses(graph, questions, options);
}

/// Values of y at an x, in order.
std::vector<double> at(const Series& s, double x) {
  std::vector<double> found;
  for (std::size_t i = 0; i < s.x.size(); ++i)
    if (std::abs(s.x[i] - x) < 1e-12) found.push_back(s.y[i]);
  return found;
}

const std::vector<double> grid{0.25, 0.5, 0.75, 1, 1.5, 2, 3}, beside{0.25, 0.5, 0.75, 0.9, 1.5, 2, 3};

TEST(BrokenCurves, AtAPoleOnTheAxisTheMagnitudeHasNoValueAndThePhaseJumpsByHalfATurn) {
  for (const std::vector<double>& frequency : {grid, beside}) {  // the pole 1 on the grid, and between its points
    const Figure figure = bode_figure(responses("1/(s^2+1)", frequency));
    for (const double y : at(figure.panels[0].series[0], 1)) EXPECT_EQ(y, std::numeric_limits<double>::infinity());
    const std::vector<double> phase = at(figure.panels[1].series[0], 1);
    ASSERT_EQ(phase.size(), 3U);
    EXPECT_NEAR(phase[0], 0, 1e-9);
    EXPECT_TRUE(std::isnan(phase[1]));
    EXPECT_NEAR(phase[2], -180, 1e-9) << "a pole on the axis counts as one on its left";
  }
}

TEST(BrokenCurves, AZeroOnTheAxisRunsDown) {
  const Figure figure = bode_figure(responses("(s^2+1)/(s+1)^3", grid));
  for (const double y : at(figure.panels[0].series[0], 1)) EXPECT_EQ(y, -std::numeric_limits<double>::infinity());
  const std::vector<double> phase = at(figure.panels[1].series[0], 1);
  ASSERT_EQ(phase.size(), 3U);
  EXPECT_GT(phase[2] - phase[0], 90);
}

TEST(BrokenCurves, OfAZeroTransferNothingIsDrawnAndThePictureSaysSo) {
  const Figure figure = bode_figure(responses("0", grid));
  ASSERT_EQ(figure.panels[0].remarks.size(), 1U);
  EXPECT_EQ(figure.panels[0].remarks[0], "u → y is 0: no magnitude in decibels, no phase");
  for (const double y : figure.panels[1].series[0].y) EXPECT_TRUE(std::isnan(y));
  std::ostringstream svg;
  write_svg(svg, figure);
  EXPECT_EQ(svg.str().find("class=\"line\""), std::string::npos);
  EXPECT_NE(svg.str().find("is 0: no magnitude"), std::string::npos);
}

TEST(BrokenCurves, CurvesSayWhatTheyShow) {
  std::ostringstream svg;
  const Figure figure = bode_figure(responses("1/(s+2)", grid));
  write_svg(svg, figure);
  for (const char* kind : {"bode-magnitude", "bode-phase"})
    EXPECT_NE(svg.str().find("data-curve=\"" + std::string(kind) + "\" data-transfer=\"y/u\""), std::string::npos) << kind;
  EXPECT_EQ(figure.title, "Bode diagram of u → y");
  EXPECT_NE(svg.str().find("y/u: from "), std::string::npos) << "what the curve does, in words";
}

}  // namespace
}  // namespace sfg
