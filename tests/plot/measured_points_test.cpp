#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {
namespace {

/// Elements in each group of measured points of that name.
std::vector<std::size_t> points(const Figure& figure, const std::string& name) {
  std::ostringstream out;
  write_svg(out, figure);
  const std::string svg = out.str();
  std::vector<std::size_t> found;
  for (std::size_t at = svg.find("<g class=\"data "); at != std::string::npos; at = svg.find("<g class=\"data ", at + 1)) {
    const std::string group = svg.substr(at, svg.find("</g>", at) - at);
    if (group.find(name) == std::string::npos) continue;
    std::size_t count = 0;
    for (std::size_t mark = group.find("<circle"); mark != std::string::npos; mark = group.find("<circle", mark + 1)) ++count;
    EXPECT_EQ(group.find("<path"), std::string::npos) << "a line between points";
    found.push_back(count);
  }
  return found;
}

FrequencyResponse lag() {
  FrequencyResponse r{.input = "u", .output = "y"};
  for (double w = 0.1; w < 10; w *= 1.1) {
    r.frequency.push_back(w);
    r.value.push_back(1.0 / std::complex(1.0, w));
    r.magnitude_db.push_back(20 * std::log10(std::abs(r.value.back())));
    r.phase_deg.push_back(std::arg(r.value.back()) * degrees);
  }
  return r;
}

// However far the points lie from the curve, and however many they are: an element a sample in each panel.
TEST(MeasuredPoints, EverySampleIsAnElementOfEachPicture) {
  const FrequencyResponse curve = lag();
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    MeasuredTransfer t{.file = "d.csv", .input = "u", .output = "y"};
    std::size_t filled = 0;
    for (std::size_t k = 0; k < (seed % 3 == 0 ? 300U : 30U); ++k) {
      const bool empty = random() % 5 == 0;
      filled += empty ? 0 : 1;
      t.frequency.push_back(std::exp(uniform(-6, 6)));
      t.value.push_back(empty ? std::complex(undefined, undefined) : std::complex(uniform(-3, 3), uniform(-3, 3)));
      t.magnitude_db.push_back(20 * std::log10(std::abs(t.value.back())));
      t.phase_deg.push_back(std::arg(t.value.back()) * degrees);
      t.near_deg.push_back(t.phase_deg.back());
      t.model.push_back(1.0 / std::complex(1.0, t.frequency.back()));
      t.model_db.push_back(20 * std::log10(std::abs(t.model.back())));
      t.model_deg.push_back(std::arg(t.model.back()) * degrees);
    }
    Figure bode = bode_figure(std::span(&curve, 1)), nyquist = nyquist_figure(std::span(&curve, 1)),
           nichols = nichols_figure(std::span(&curve, 1));
    add_measured_to_bode(bode, std::span(&t, 1), {.hertz = false});
    add_measured_to_nyquist(nyquist, std::span(&t, 1));
    add_measured_to_nichols(nichols, std::span(&t, 1));
    EXPECT_EQ(points(bode, "data-transfer=\"y/u\""), (std::vector<std::size_t>{filled, filled}));
    EXPECT_EQ(points(nyquist, "data-transfer=\"y/u\""), (std::vector<std::size_t>{filled}));
    EXPECT_EQ(points(nichols, "data-transfer=\"y/u\""), (std::vector<std::size_t>{filled}));
    EXPECT_EQ(bode.panels.size(), 4u);
    EXPECT_EQ(bode.panels[1].name, "magnitude-residual");
  }
}

TEST(MeasuredPoints, SignalsOfSeveralUnitsHaveTheirPanels) {
  NamedResponse x{.name = "x", .value = {}, .figures = {}, .unit = "m"};
  x.value.time = x.value.value = {0, 1, 2};
  NamedResponse v = x;
  v.name = "v", v.unit = "m/s";
  const std::vector<NamedResponse> responses{x, v};
  const std::vector<MeasuredSignal> measured{{"d.csv", "v", {-1, 0.5, 1}, {0, 0.5, 9}, {0, 0.5, 1}},
                                             {"d.csv", "x", {0.5}, {undefined}, {0.5}}};
  Figure figure = response_figure(responses, "Response");
  add_measured(figure, responses, measured);
  EXPECT_EQ(points(figure, "data-signal=\"v\""), (std::vector<std::size_t>{3}));
  EXPECT_TRUE(points(figure, "data-signal=\"x\"").empty());
  ASSERT_EQ(figure.panels.size(), 3u);
  EXPECT_EQ(figure.panels[2].series[0].y, (std::vector<double>{0, 0, 8}));
  add_measured(figure = response_figure(responses, "Response"), responses, measured, {.residuals = false});
  EXPECT_EQ(figure.panels.size(), 2u);
}

}  // namespace
}  // namespace sfg
