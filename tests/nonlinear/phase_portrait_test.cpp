#include "sfg/nonlinear/run/transient.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sfg/graph/from_equations.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;

std::vector<double> times(double until, std::size_t count) {
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = until * static_cast<double>(i) / static_cast<double>(count - 1);
  return result;
}

/// The portrait of Dx over x, with a constant at the input.
PhasePortrait portrait(const char* text, double w, std::vector<std::vector<InitialValue>> starts, double until = 20) {
  SignalFlowGraph graph = read_dot(text, "test.dot");
  const NodeId x = *graph.find("x"), rate = output_signal(graph, "Dx");
  PhaseQuestion question{.motion = {}, .starts = std::move(starts), .box = {}};
  question.motion.outputs = {x, rate};
  question.motion.time = GiNaC::symbol("t");
  if (w != 0) question.motion.drives = {{*graph.find("w"), GiNaC::ex(GiNaC::numeric(w))}};
  return phase_portrait(graph, question, times(until, 2001));
}

constexpr const char* conservative =
    R"dot(digraph { input=w; output=x; w -> r; r -> x [gain="1/(s^2-1)"]; x -> r [nonlinear="-u^3"]; })dot";
constexpr const char* van_der_pol =
    R"dot(digraph { input=w; output=x; w -> r; r -> x [gain="1/(s^2+1)"]; x -> r [nonlinear="(1-u^2)*v"]; })dot";

/// Without damping every trajectory of x" − x + x³ = 0 is a line of equal energy.
TEST(PhasePortrait, FollowsLinesOfEqualEnergy) {
  const PhasePortrait found = portrait(conservative, 0, {{{"x", 0.2}}, {{"x", 1.8}, {"Dx", 0.3}}, {{"Dx", 0.5}}});
  ASSERT_EQ(found.trajectories.size(), 3u);
  for (const auto& trajectory : found.trajectories) {
    const auto energy = [&](std::size_t i) {
      const double x = trajectory.x[i], v = trajectory.y[i];
      return v * v / 2 - x * x / 2 + x * x * x * x / 4;
    };
    for (std::size_t i = 0; i < trajectory.x.size(); ++i) ASSERT_NEAR(energy(i), energy(0), 1e-6) << i;
  }
  EXPECT_EQ(found.trajectories[1].x.front(), 1.8);
  EXPECT_EQ(found.trajectories[1].y.front(), 0.3);
  ASSERT_TRUE(found.rest);
  EXPECT_EQ(found.rest->points.size(), 3u);
}

/// The cycle of van der Pol's oscillator for mu = 1 reaches 2.00861986…, from inside and from outside.
TEST(PhasePortrait, ComesToTheLimitCycle) {
  const PhasePortrait found = portrait(van_der_pol, 0, {{{"x", 0.01}}, {{"x", 4}}}, 60);
  for (const auto& trajectory : found.trajectories) {
    const auto late = std::span(trajectory.x).last(trajectory.x.size() / 3);
    EXPECT_NEAR(*std::ranges::max_element(late), 2.0086, 1e-3);
  }
  ASSERT_TRUE(found.rest);
  ASSERT_EQ(found.rest->points.size(), 1u);
  EXPECT_EQ(found.rest->points[0].stable, false);
  EXPECT_EQ(found.rest->points[0].signals.at("Dx"), 0);
}

TEST(PhasePortrait, SeesStatesOfRestWhereItIs) {
  const PhasePortrait near = portrait(conservative, 0, {{{"x", 1.05}}}, 5);
  ASSERT_TRUE(near.rest);
  ASSERT_EQ(near.rest->points.size(), 1u);
  EXPECT_NEAR(near.rest->points[0].signals.at("x"), 1, 1e-12);
  const PhasePortrait pushed = portrait(van_der_pol, 3, {{{"x", 2}}});
  ASSERT_TRUE(pushed.rest);
  ASSERT_EQ(pushed.rest->points.size(), 1u);
  EXPECT_NEAR(pushed.rest->points[0].signals.at("x"), 3, 1e-12);
}

TEST(PhasePortrait, HasNoStatesOfRestWhereAnInputChanges) {
  SignalFlowGraph graph = read_dot(van_der_pol, "test.dot");
  PhaseQuestion question;
  const GiNaC::symbol t("t");
  question.motion = {
      .drives = {{*graph.find("w"), GiNaC::ex(sin(t))}}, .outputs = {*graph.find("x"), *graph.find("r")}, .time = t};
  const PhasePortrait found = phase_portrait(graph, question, times(1, 11));
  EXPECT_FALSE(found.rest);
  EXPECT_EQ(found.no_rest, "an input changes with time");
  question.motion.outputs.pop_back();
  EXPECT_THROW(phase_portrait(graph, question, times(1, 11)), std::invalid_argument);
}

TEST(PhaseFigure, MarksStartsAndStatesOfRestByTheirStability) {
  PhasePortrait shown{.x = "x", .y = "Dx"};
  shown.trajectories = {{{}, {0, 1, 2}, {0, 1, 0}}, {{}, {3, 1}, {0, -1}}};
  shown.rest.emplace();
  shown.rest->points = {{{{"x", -1}, {"Dx", 0}}, true}, {{{"x", 0}, {"Dx", 0}}, false}, {{{"x", 2}, {"Dx", 0}}, {}}};
  const Figure figure = phase_figure(shown, {"m", "m/s"});
  ASSERT_EQ(figure.panels.size(), 1u);
  const Panel& panel = figure.panels[0];
  EXPECT_EQ(panel.x.label, "x, m");
  EXPECT_EQ(panel.y.label, "Dx, m/s");
  const auto at = [&](const std::string& label) {
    for (const Series& series : panel.series)
      if (series.label == label) return series;
    return Series{};
  };
  EXPECT_EQ(at("start").x, (std::vector<double>{0, 3}));
  EXPECT_EQ(at("stable rest").x, std::vector<double>{-1});
  EXPECT_EQ(at("stable rest").style, Series::Style::dots);
  EXPECT_EQ(at("unstable rest").x, std::vector<double>{0});
  EXPECT_EQ(at("unstable rest").style, Series::Style::circles);
  EXPECT_EQ(at("rest, stability not known").x, std::vector<double>{2});
  ASSERT_TRUE(panel.x.range);
  EXPECT_LT(panel.x.range->first, -1);
  EXPECT_GT(panel.x.range->second, 3);
}

}  // namespace
