#include "sfg/plot/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>

namespace sfg {
namespace {

TEST(Figures, ContoursOfNicholsChartAreThoseOfTheClosedLoop) {
  FrequencyResponse response;
  response.input = "R";
  response.output = "Y";
  for (double w = 0.01; w < 1000; w *= 1.1) {
    const std::complex<double> s(0, w), L = 3.0 / (s * (s + 1.0) * (s + 2.0));
    response.frequency.push_back(w);
    response.value.push_back(L);
    response.magnitude_db.push_back(20 * std::log10(std::abs(L)));
    response.phase_deg.push_back(std::arg(L) * 180 / std::numbers::pi - (std::arg(L) > 0 ? 360 : 0));
  }
  const Figure figure = nichols_figure(std::span(&response, 1), {});
  std::set<double> seen;
  for (const Series& series : figure.panels[0].series) {
    if (series.style != Series::Style::guide) continue;
    std::optional<double> magnitude, phase;
    bool equal_magnitude = true, equal_phase = true;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!std::isfinite(series.x[i])) continue;
      const std::complex<double> L = std::polar(std::pow(10, series.y[i] / 20), series.x[i] * std::numbers::pi / 180);
      const std::complex<double> closed = L / (1.0 + L);
      const double decibels = 20 * std::log10(std::abs(closed)), degrees = std::arg(closed) * 180 / std::numbers::pi;
      if (!magnitude) magnitude = decibels, phase = degrees;
      equal_magnitude = equal_magnitude && std::abs(decibels - *magnitude) < 1e-6;
      equal_phase = equal_phase && std::abs(std::remainder(degrees - *phase, 360)) < 1e-6;
    }
    ASSERT_TRUE(magnitude);
    EXPECT_TRUE(equal_magnitude || equal_phase);
    if (!equal_magnitude) continue;
    const std::optional<double> value = magnitude;
    seen.insert(std::round(*value * 1e6) / 1e6);
  }
  EXPECT_TRUE(seen.contains(3) && seen.contains(0) && seen.contains(-20));
}

/// Poles −1 ± jk at speeds k, and a third that meets neither.
PolesZeros poles_at(double k) {
  PolesZeros poles;
  for (const std::complex<double> p : {std::complex<double>(-1, k), std::complex<double>(-1, -k), std::complex<double>(-9, 0)}) {
    Mode mode;
    mode.pole.value = p;
    poles.modes.push_back(mode);
  }
  return poles;
}

TEST(Figures, OfASweepNameTheValuesOfEveryCurve) {
  std::vector<NamedResponse> responses(3);
  for (NamedResponse& r : responses) r.name = "y", r.value.time = {0, 1}, r.value.value = {0, 1};
  const Figure figure = response_figure(responses, "", {.sets = {"k=1", "k=2", "k=3"}});
  ASSERT_EQ(figure.panels[0].series.size(), 3U);
  EXPECT_EQ(figure.panels[0].series[1].set, "k=2");
  EXPECT_EQ(figure.panels[0].series[1].label, "k = 2");
  std::ostringstream svg;
  write_svg(svg, figure);
  EXPECT_NE(svg.str().find("data-set=\"k=2\""), std::string::npos);
}

TEST(Figures, UnitsOfSignalsAreSetAsElsewhere) {
  std::vector<NamedResponse> responses(1);
  responses[0].name = "y", responses[0].value.time = {0, 1}, responses[0].value.value = {0, 1};
  responses[0].unit = "kg*m/s^2";
  EXPECT_EQ(response_figure(responses, "").panels[0].y.label.plain(), "y, kg m/s²");
  responses[0].unit = "1";  // a pure number
  EXPECT_EQ(response_figure(responses, "").panels[0].y.label.plain(), "y");
}

TEST(Figures, OfManySetsTheLegendNamesSomeAndTheColoursRun) {
  std::vector<NamedResponse> responses(40);
  FigureOptions options;
  for (std::size_t i = 0; i < responses.size(); ++i) {
    responses[i].name = "y";
    options.sets.push_back("k=" + std::to_string(i));
  }
  const Figure figure = response_figure(responses, "", options);
  std::size_t named = 0;
  for (const Series& series : figure.panels[0].series) named += series.label.empty() ? 0 : 1;
  EXPECT_EQ(named, 6U);
  EXPECT_EQ(figure.panels[0].series.front().label, "k = 0");
  EXPECT_EQ(figure.panels[0].series.back().label, "k = 39");
  EXPECT_EQ(figure.panels[0].series.front().shade, 0.0);
  EXPECT_EQ(figure.panels[0].series.back().shade, 1.0);
}

TEST(Figures, TwoOutputsOfASetAreToldApart) {
  std::vector<NamedResponse> responses(4);
  for (std::size_t i = 0; i < 4; ++i) responses[i].name = i % 2 == 0 ? "x" : "y";
  const Figure figure = response_figure(responses, "", {.sets = {"k=1", "k=1", "k=2", "k=2"}});
  EXPECT_EQ(figure.panels[0].series[3].label, "y, k = 2");
  EXPECT_EQ(figure.panels[0].y.label, "signals");
}

TEST(Figures, CampbellsDiagramHasLinesOfItsOrders) {
  const Sweep speed({{"Om", {0, 1, 2, 3}}});
  std::vector<PolesZeros> poles;
  for (const double k : {5.0, 5.5, 6.0, 7.0}) poles.push_back(poles_at(k));
  std::reverse(poles[2].modes.begin(), poles[2].modes.end());  // the order of the roots does not matter
  const Figure figure = campbell_figure(poles, speed, {.orders = {1, 2.5}, .per_unit = 2});
  std::vector<std::string> notes;
  for (const Note& note : figure.panels[0].notes) notes.push_back(note.text.plain());
  EXPECT_EQ(notes, (std::vector<std::string>{"1×", "2.5×"}));
  bool followed = false;
  for (const Series& series : figure.panels[0].series) {
    if (series.label == "2.5×") {
      EXPECT_EQ(series.y.back(), 2.5 * 2 * 3);
    }
    followed = followed || (series.label.empty() && series.y == std::vector<double>{5, 5.5, 6, 7});
  }
  EXPECT_TRUE(followed);
}

TEST(Figures, PathsOfPolesAreFollowedWhateverTheirOrder) {
  const Sweep sweep({{"k", {1, 2, 3}}});
  std::vector<PolesZeros> poles{poles_at(1), poles_at(2), poles_at(3)};
  std::reverse(poles[1].modes.begin(), poles[1].modes.end());
  const Figure figure = pole_paths_figure(poles, sweep, {.sets = {"k=1", "k=2", "k=3"}});
  const Series& path = figure.panels[0].series.front();
  EXPECT_EQ(path.y, (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace sfg
