#include "sfg/plot/figures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <set>

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
    std::optional<double> value;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!std::isfinite(series.x[i])) continue;
      const std::complex<double> L = std::polar(std::pow(10, series.y[i] / 20), series.x[i] * std::numbers::pi / 180);
      const double closed = 20 * std::log10(std::abs(L / (1.0 + L)));
      if (!value) value = closed;
      EXPECT_NEAR(closed, *value, 1e-6);
    }
    ASSERT_TRUE(value);
    seen.insert(std::round(*value * 1e6) / 1e6);
  }
  EXPECT_TRUE(seen.contains(3) && seen.contains(0) && seen.contains(-20));
  for (const Note& note : figure.panels[0].notes) EXPECT_TRUE(note.close) << note.text;
}

}  // namespace
}  // namespace sfg
