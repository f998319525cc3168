// Nyquist's, Nichols' and Bode's diagrams.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>
#include <sstream>

#include "exact_systems.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {
namespace {

using exact::RationalPolynomial;

std::vector<FrequencyResponse> response_of(const ExactTransfer& transfer, bool smooth = true) {
  return frequency_responses(std::span(&transfer, 1), {.smooth = smooth});
}

Panel nyquist(const ExactTransfer& transfer) { return nyquist_figure(response_of(transfer)).panels.front(); }

std::size_t count_of(const Panel& panel, Series::Style style) {
  return static_cast<std::size_t>(std::ranges::count(panel.series, style, &Series::style));
}

const Series& first_of(const Panel& panel, Series::Style style) {
  return *std::ranges::find(panel.series, style, &Series::style);
}

bool has_note(const Panel& panel, const std::string& text) {
  return std::ranges::any_of(panel.notes, [&](const Note& note) { return note.text.plain().find(text) != std::string::npos; });
}

bool has_remark(const Panel& panel, const std::string& text) {
  return std::ranges::any_of(panel.remarks,
                             [&](const Caption& remark) { return remark.plain().find(text) != std::string::npos; });
}

// Any responses in any units: every unit that is stated has one panel, which says it and holds the responses in it, no others.
TEST(BodeFigure, MagnitudesOfEachUnitHaveAxesOfTheirOwn) {
  const std::array<std::string, 4> units{"", "m", "rad/V", "N s/m"};
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    std::vector<FrequencyResponse> responses;
    const std::size_t count = 1 + random() % 5;
    for (std::size_t i = 0; i < count; ++i) {
      responses.push_back(response_of(of({exact::Rational(static_cast<int>(i) + 1)}, {1, 1})).front());
      responses.back().input = "u", responses.back().output = "y" + std::to_string(i);
      responses.back().unit = units.at(random() % units.size());
    }
    const Figure figure = bode_figure(responses);
    std::map<std::string, std::size_t> panels;  // by the label of the axis
    std::set<std::string> seen;
    for (const Panel& panel : figure.panels) {
      if (panel.name != "magnitude") continue;
      EXPECT_EQ(++panels[panel.y.label.plain()], 1U);
      for (const Series& s : panel.series)
        for (const FrequencyResponse& r : responses)
          if (s.transfer == r.output + "/u") {
            seen.insert(r.output);
            EXPECT_EQ(panel.y.label.plain(), r.unit.empty() ? "magnitude, dB" : "magnitude, dB re 1 " + unit_text(r.unit));
          }
    }
    EXPECT_EQ(seen.size(), count);
    EXPECT_EQ(std::ranges::count(figure.panels, "phase", &Panel::name), 1);
    const Figure chosen = with_options(figure, {.panels = {"magnitude"}});
    EXPECT_EQ(chosen.panels.size(), panels.size());
  }
}

// What closes a loop is decided near −1: the unit circle fills most of the height of the frame, wherever the locus runs away to.
TEST(NyquistFigure, OfWhatRunsAwayShowsTheUnitCircleLarge) {
  for (int pole = 1; pole <= 9; ++pole) {
    const Panel panel = nyquist(of({1}, {1, 2 * pole + 1, pole * (pole + 1), 0}));
    EXPECT_GE(panel.y.range->second, 1.2);
    EXPECT_LE(panel.y.range->second, 2) << pole;
    EXPECT_LT(panel.x.range->first, -1.2);
  }
}

TEST(NyquistFigure, OfAnIntegratorClosesByHalfATurnClockwise) {
  const Panel panel = nyquist(of({3}, {1, 3, 2, 0}));
  ASSERT_EQ(count_of(panel, Series::Style::dotted), 1U);
  const Series& arc = first_of(panel, Series::Style::dotted);
  EXPECT_TRUE(has_remark(panel, "clockwise by 180°"));
  double turned = 0;
  for (std::size_t i = 1; i < arc.x.size(); ++i)
    turned += std::arg(std::complex<double>(arc.x[i], arc.y[i]) / std::complex<double>(arc.x[i - 1], arc.y[i - 1]));
  // from the mirror image to the locus at its radius, where neither has come to its asymptote
  EXPECT_LT(turned * 180 / std::numbers::pi, -180);
  EXPECT_GT(turned * 180 / std::numbers::pi, -360);
  EXPECT_GT(arc.y.front(), 0);                             // from ω = 0−
  EXPECT_LT(arc.y.back(), 0);
  EXPECT_GT(*std::ranges::max_element(arc.x), 0);  // through the right half
}

TEST(NyquistFigure, OfThreeIntegratorsTurnsThreeTimesAsFar) {
  const Panel panel = nyquist(of({2}, RationalPolynomial{1, 5}.shifted_up(3)));
  EXPECT_TRUE(has_remark(panel, "540° (3 × 180°)"));
  const Series& arc = first_of(panel, Series::Style::dotted);
  double turned = 0;
  for (std::size_t i = 1; i < arc.x.size(); ++i)
    turned += std::arg(std::complex<double>(arc.x[i], arc.y[i]) / std::complex<double>(arc.x[i - 1], arc.y[i - 1]));
  EXPECT_NEAR(turned * 180 / std::numbers::pi, -540, 60);
}

TEST(NyquistFigure, PolesOnTheAxisLeaveAGapAndAnArcOnEitherBranch) {
  const Panel panel = nyquist(of({1}, RationalPolynomial{1, 0, 4} * RationalPolynomial{1, 1}));
  EXPECT_EQ(count_of(panel, Series::Style::dotted), 2U);
  const Series& locus = first_of(panel, Series::Style::line);
  EXPECT_TRUE(std::ranges::any_of(locus.x, [](double x) { return std::isnan(x); }));
}

/// Arrows show rising frequency on both branches: the mirror image is walked through backwards.
TEST(NyquistFigure, ArrowsOfBothBranchesFollowRisingFrequency) {
  const Panel panel = nyquist(of({1}, {1, 1}));
  const Series &upper = first_of(panel, Series::Style::line), &lower = first_of(panel, Series::Style::dashed);
  EXPECT_FALSE(upper.arrows.empty());
  EXPECT_FALSE(lower.arrows.empty());
  EXPECT_GT(upper.x.front(), upper.x.back());  // from 1 to 0
  EXPECT_LT(lower.x.front(), lower.x.back());
  EXPECT_LT(upper.y[upper.y.size() / 2], 0);
  EXPECT_GT(lower.y[lower.y.size() / 2], 0);
}

TEST(NyquistFigure, OfAConstantIsAPointWithItsValue) {
  const Panel panel = nyquist(of({5}, {1}));
  ASSERT_EQ(count_of(panel, Series::Style::dots), 1U);
  EXPECT_EQ(first_of(panel, Series::Style::dots).x, std::vector<double>{5});
  EXPECT_TRUE(has_note(panel, "5"));
  EXPECT_EQ(count_of(panel, Series::Style::line), 0U);
}

TEST(NyquistFigure, ASharpResonanceDoesNotBlowUpTheFrame) {
  const Panel panel = nyquist(of({1}, {1, exact::Rational(1) / 1000000, 1}));
  EXPECT_LT(panel.x.range->second, 10);
  EXPECT_TRUE(has_remark(panel, "outside of the frame"));
  EXPECT_GT(nyquist(of({100}, {1, 1})).x.range->second, 100);  // but what is large throughout is shown
}

TEST(NyquistFigure, MarginsAreThoseOfTheLoop) {
  const ExactTransfer loop = of({3}, {1, 3, 2, 0});
  const Margins margin = margins(loop);
  const Panel panel = nyquist_figure(response_of(loop), {.margins = {margin}}).panels.front();
  EXPECT_TRUE(has_note(panel, "gain margin 6.021 dB"));
  EXPECT_TRUE(std::ranges::any_of(panel.series, [](const Series& s) {
    return s.style == Series::Style::dots && s.x.size() == 1 && std::abs(s.x[0] + 0.5) < 1e-9 && s.y[0] == 0;
  }));
}

TEST(NicholsFigure, HasOneTurnOfContoursEachWithItsValueOnce) {
  const ExactTransfer dead = of({1}, {1, 1}, 10);
  const Figure figure = nichols_figure(response_of(dead, false));
  const Panel& panel = figure.panels.front();
  std::vector<std::string> values;
  for (const Note& note : panel.notes)
    if (note.close) values.push_back(note.text.plain());
  std::ranges::sort(values);
  EXPECT_EQ(std::ranges::adjacent_find(values), values.end());
  double low = 0, high = -1e9;
  for (const Series& s : panel.series)
    if (s.style == Series::Style::guide)
      for (const double x : s.x)
        if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  EXPECT_LE(high - low, 360);
  std::ostringstream svg;
  write_svg(svg, figure);
  EXPECT_LT(svg.str().size(), 200'000U);
}

/// A contour that leaves the frame does so at its edge: none ends at −180° in its middle.
TEST(NicholsFigure, ContoursLieOnBothSidesOfTheCriticalPoint) {
  const Figure figure = nichols_figure(response_of(of({3}, {1, 3, 2, 0}), false));
  for (const Series& s : figure.panels.front().series) {
    if (s.style != Series::Style::guide) continue;
    std::optional<double> magnitude;
    bool constant = true, left = false, right = false;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!std::isfinite(s.x[i])) continue;
      const auto L = std::polar(std::pow(10, s.y[i] / 20), s.x[i] * std::numbers::pi / 180);
      const double closed = 20 * std::log10(std::abs(L / (1.0 + L)));
      constant = constant && (!magnitude || std::abs(closed - *magnitude) < 1e-6);
      magnitude = closed;
      (s.x[i] < -180 ? left : right) = true;
    }
    if (constant) {
      EXPECT_TRUE(left && right) << *magnitude;
    }
  }
}

TEST(BodeFigure, AsymptotesAreTheLinesOfTheirValues) {
  const ExactTransfer lag = of({10}, {1, 2});
  const BodeAsymptotes lines = bode_asymptotes(lag);
  const Figure figure = bode_figure(response_of(lag, false), {.asymptotes = {lines}});
  const Series& line = first_of(figure.panels[0], Series::Style::dashed);
  ASSERT_EQ(line.x.size(), 3U);
  EXPECT_EQ(line.x[1], 2);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(line.y[i], lines.magnitude_at(line.x[i]), 1e-9);
  EXPECT_TRUE(has_note(figure.panels[0], "2 rad/s"));
}

TEST(BodeFigure, MarginsStandAtTheCrossovers) {
  const ExactTransfer loop = of({3}, {1, 3, 2, 0});
  const Margins margin = margins(loop);
  const Figure figure = bode_figure(response_of(loop, false), {.margins = {margin}});
  EXPECT_TRUE(has_note(figure.panels[0], "gain margin 6.021 dB"));
  EXPECT_TRUE(has_note(figure.panels[1], "phase margin"));
  EXPECT_TRUE(has_remark(figure.panels[1], "The closed loop is stable"));
  const auto crossover = std::ranges::find_if(
      figure.panels[0].series, [](const Series& s) { return s.style == Series::Style::dots && s.y == std::vector<double>{0}; });
  ASSERT_NE(crossover, figure.panels[0].series.end());
  EXPECT_NEAR(crossover->x[0], margin.gain_crossovers[0].frequency, 1e-12);
}

TEST(FrequencyFigures, SayWhatTheDataAre) {
  const ExactTransfer lag = of({10}, {1, 2});
  EXPECT_NE(bode_figure(response_of(lag, false)).description.find("at most"), std::string::npos);
  EXPECT_NE(nyquist_figure(response_of(lag)).description.find("furthest from the origin 5"), std::string::npos);
}

}  // namespace
}  // namespace sfg
