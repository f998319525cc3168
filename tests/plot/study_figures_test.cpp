#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "sfg/draw/palette.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/plot/inks.hpp"
#include "sfg/plot/panel_frame.hpp"
#include "sfg/response/noise.hpp"
#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/study/local/local_study.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/sensitivity.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg {
namespace {

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

struct Box {
  double left, right, bottom, top;
};

/// The closed polygons of a series of bars.
std::vector<Box> boxes_of(const Series& series) {
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < series.x.size(); i += 6) {
    const auto [left, right] = std::minmax(series.x[i], series.x[i + 1]);
    const auto [bottom, top] = std::minmax(series.y[i], series.y[i + 2]);
    boxes.push_back({left, right, bottom, top});
  }
  return boxes;
}

std::string svg(const Figure& figure) {
  std::ostringstream out;
  write_svg(out, figure);
  return out.str();
}

const Series& labelled(const Panel& panel, const std::string& label) {
  const auto found = std::ranges::find(panel.series, label, &Series::label);
  EXPECT_NE(found, panel.series.end()) << label;
  return *found;
}

bool has_formula(const Caption& caption, const std::string& name) {
  return std::ranges::any_of(caption.parts(), [&](const Caption::Part& part) { return part.formula && part.text == name; });
}

/// What the legend shows of a series but for its colour.
std::tuple<Series::Style, std::size_t, std::size_t, std::size_t> form_of(const Series& series) {
  const bool bars = series.style == Series::Style::bars;
  return {series.style, pattern_of(series).dash, pattern_of(series).mark, bars ? series.pattern.value_or(0) : 0};
}

bool differ_without_colours(const Panel& panel) {
  for (const Series& a : panel.series)
    for (const Series& b : panel.series)
      if (a.in_legend() && b.in_legend() && a.colour != b.colour && form_of(a) == form_of(b)) return false;
  return true;
}

// On paper without colours, and for eyes that miss some.
TEST(NoiseFigure, CurvesOfElementsDifferWithoutColours) {
  NoiseAnalysis noise{.output = "out", .frequency = {1, 10, 100}, .output_density = {9, 9, 9}};
  for (int k = 0; k < 6; ++k) {
    NoiseContribution& of = noise.contributions.emplace_back();
    of.element = "R" + std::to_string(k);
    of.values = {1.0 + k, 1.0 + k, 1.0 + k};
  }
  const Panel panel = noise_figure(noise, "V", {}).panels.at(0);
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const Series& s : panel.series) seen.insert({pattern_of(s).dash, pattern_of(s).mark});
  EXPECT_EQ(seen.size(), 7U);
}

TEST(MonteCarloFigure, NamesAreSetInTypeAndValuesStandBehindAColon) {
  MonteCarlo study;
  study.input = "z1", study.output = "phi_x", study.samples = 4;
  MeasureStatistics& measure = study.measures.emplace_back();
  measure.name = "peak", measure.nominal = 1e-5, measure.minimum = 0.5, measure.maximum = 2;
  const Figure figure = monte_carlo_figure(study, {});
  EXPECT_TRUE(has_formula(figure.title, "z1") && has_formula(figure.title, "phi_x")) << figure.title;
  const Series& nominal = labelled(figure.panels.at(0), "nominal: 1e−5");
  EXPECT_TRUE(has_formula(nominal.label, "1e−5"));  // a power of ten, as on the axes
}

TEST(Plot, WhatALegendNamesDiffersWithoutColours) {
  EXPECT_TRUE(differ_without_colours(tornado_figure({{{"rise", 10, {{"k", 8, 13}}}}}, {}).panels.at(0)));
  SobolStudy study{{"a"}, 8, 1, 32, {{"dc", 1, {0.1}, {0.2}, {0.01}, {0.03}, 0}}};
  EXPECT_TRUE(differ_without_colours(sobol_figure(study).panels.at(0)));
  study.correlated = true;
  study.measures[0].shapley = study.measures[0].shapley_error = {0.1};
  EXPECT_TRUE(differ_without_colours(sobol_figure(study).panels.at(0)));
  StabilityRegion region;
  region.first_range = {1, 2}, region.second_range = {3, 5};
  region.columns = {{1, {{3, 4}}}, {2, {{3, 5}}}};
  using Crossing = StabilityRegion::Crossing;
  region.boundary = {{1, 3, Crossing::zero}, {1, 4, Crossing::pair}, {2, 3, Crossing::zero}, {2, 5, Crossing::infinity}};
  const Panel panel = region_figure(region, "K", "a", {}).panels.at(0);
  EXPECT_EQ(std::ranges::count_if(panel.series, &Series::in_legend), 4);
  EXPECT_TRUE(differ_without_colours(panel));
}

TEST(Plot, ANameThatTheLegendHasStandsOnNoCurve) {
  Panel panel;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "curve " + std::to_string(i);
    panel.series.push_back({name, {0, 1}, {static_cast<double>(i), static_cast<double>(i)}});
    panel.notes.push_back({0.5, static_cast<double>(i), name});
  }
  Figure figure;
  figure.panels = {panel};
  figure.legend = Figure::LegendPlace::outside;
  EXPECT_EQ(svg(figure).find("class=\"note"), std::string::npos) << "between curves there is no room for one";
}

// A grey print has the order of a sweep, too: lightness after CIE 1976.
TEST(Plot, ShadesOfASweepGrowLighterInEveryTheme) {
  const auto lightness = [](const std::array<int, 3>& colour) {
    constexpr std::array<double, 3> share{0.2126, 0.7152, 0.0722};
    double y = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double part = colour[k] / 255.0;
      y += share[k] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
    }
    return y <= 0.008856 ? 903.3 * y : 116 * std::cbrt(y) - 16;
  };
  for (const Theme theme : {Theme::light, Theme::dark, Theme::print, Theme::colorblind, Theme::automatic}) {
    const auto& ramp = series_palette(theme).ramp;
    EXPECT_GT(lightness(ramp[1]), lightness(ramp[0]) + 10) << static_cast<int>(theme);
    EXPECT_GT(lightness(ramp[2]), lightness(ramp[1]) + 10) << static_cast<int>(theme);
  }
}

TEST(TornadoFigure, BarsGoFromTheNominalValueToBothEnds) {
  const TornadoStudy study{{{"rise", 10, {{"k", 8, 13}, {"m", 11, 9}}}}};
  const Panel panel = tornado_figure(study, {}).panels.at(0);
  const std::vector<Box> low = boxes_of(labelled(panel, "at the lower end")),
                         high = boxes_of(labelled(panel, "at the upper end"));
  ASSERT_EQ(low.size(), 2U);
  EXPECT_EQ(std::pair(low[0].left, low[0].right), std::pair(8.0, 10.0));
  EXPECT_EQ(std::pair(high[0].left, high[0].right), std::pair(10.0, 13.0));
  EXPECT_EQ(std::pair(low[1].left, low[1].right), std::pair(10.0, 11.0));
  EXPECT_GT(low[0].bottom, low[1].top) << "the first one is on top";
  EXPECT_EQ(panel.y.names, (std::vector<std::string>{"m", "k"})) << "names are counted from below";
  std::set<std::string> texts;
  for (const Note& note : panel.notes) texts.insert(note.text.plain());
  EXPECT_EQ(texts, (std::set<std::string>{"8", "13", "11", "9"}));
}

TEST(TornadoFigure, NumbersStandBehindTheEndsOfTheirBarsInANarrowFrameToo) {
  constexpr double away = 5;
  const Panel panel = tornado_figure({{{"peak", 0.9731, {{"k", 0.8995, 1.041}, {"m", 1.017, 0.9338}}}}}, {}).panels.at(0);
  const PanelFrame frame(panel, 100, 290, 0, 200);
  ASSERT_EQ(panel.notes.size(), 4U);
  for (const Note& note : panel.notes) {
    const double at = frame.at_x(note.x), width = width_of(note.text, text_size) + away;
    EXPECT_TRUE(note.side == Note::Side::left ? at - width > frame.box().left : at + width < frame.box().right) << note.text;
  }
}

// As wide as a column of text on A4, all rows and the axis are no higher than it; names, ranges and numbers stand one below the
// other.
TEST(TornadoFigure, OfManyRowsFitsOnAPage) {
  constexpr double wide = 170, high = 257;  // mm
  for (const std::size_t rows : {1U, 24U, 25U, 40U, 70U}) {
    TornadoStudy study{{{"rise", 10, {}}}};
    for (std::size_t i = 0; i < rows; ++i)
      study.measures[0].bars.push_back({"k" + std::to_string(i), 8 + 0.01 * i, 13 - 0.01 * i});
    const std::string picture = svg(tornado_figure(study, {}));
    std::smatch found;
    ASSERT_TRUE(std::regex_search(picture, found, std::regex("viewBox=\"0 0 ([0-9.]+) ([0-9.]+)\"")));
    EXPECT_LE(std::stod(found[2]), std::stod(found[1]) * high / wide) << rows;
    EXPECT_EQ(picture.find("…<"), std::string::npos);
  }
}

TEST(TornadoFigure, BarsOnOneSideOfTheNominalValueDoNotCoverEachOther) {
  const TornadoStudy study{{{"rise", 10, {{"k", 12, 13}}}}};
  const Panel panel = tornado_figure(study, {}).panels.at(0);
  const Box low = boxes_of(labelled(panel, "at the lower end")).at(0), high = boxes_of(labelled(panel, "at the upper end")).at(0);
  EXPECT_TRUE(low.bottom >= high.top || high.bottom >= low.top);
}

TEST(TornadoFigure, RoundingIsNoInfluence) {
  const TornadoStudy study{{{"dc", 0.25, {{"k", 0.25, std::nextafter(0.25, 1)}}}}};
  const Panel panel = tornado_figure(study, {}).panels.at(0);
  EXPECT_EQ(panel.title, "no parameter alone moves dc");
  EXPECT_GT(panel.x.range->second, 0.4);
}

TEST(TornadoFigure, AnEndWithoutAValueIsSaid) {
  const TornadoStudy study{{{"phase-margin", 40, {{"k", nowhere, 45}}}}};
  const Panel panel = tornado_figure(study, {}).panels.at(0);
  EXPECT_TRUE(std::ranges::any_of(panel.notes, [](const Note& n) { return n.text == "none at its lower end"; }));
  EXPECT_EQ(svg({.panels = {panel}}).find("nan"), std::string::npos);
}

TEST(TornadoFigure, EndsOfTheParametersStandBelowTheirNames) {
  const TornadoStudy study{{{"dc", 1, {{"k", 0.9, 1.1}}}}};
  const Variation variation{{{"k", 100, 5, Distribution::uniform}}, {}};
  const Panel panel = tornado_figure(study, variation, {.units = {{"k", "kg*m^2"}}}).panels.at(0);
  EXPECT_EQ(panel.y.details.at(0), "95 … 105 kg m²");
}

TEST(TornadoFigure, NumbersHaveFourDigits) {
  const TornadoStudy study{{{"dc", 1e5, {{"k", 76000, 123456}, {"l", 1.5e7, -2.5e-7}}}}};
  std::set<std::string> texts;
  const Panel panel = tornado_figure(study, {}).panels.at(0);
  for (const Note& note : panel.notes) texts.insert(note.text.plain());
  EXPECT_EQ(texts, (std::set<std::string>{"76000", "123500", "1.5e7", "−2.5e−7"}));
}

TEST(TornadoFigure, OfManyParametersTheFirstAreShownAndTheRestCounted) {
  TornadoStudy study{{{"dc", 1, {}}}};
  for (int i = 0; i < 60; ++i) study.measures[0].bars.push_back({"k" + std::to_string(i), 1 - 0.01 * (60 - i), 1});
  const Panel panel = tornado_figure(study, {}).panels.at(0);
  EXPECT_EQ(panel.title, "the first 40 of 60");
  EXPECT_EQ(panel.y.names.back(), "k0");
}

TEST(TornadoFigure, DecadesAreOnALogarithmicAxis) {
  const TornadoStudy study{{{"dc", 1, {{"k", 0.01, 100}}}}};
  EXPECT_EQ(tornado_figure(study, {}).panels.at(0).x.scale, Axis::Scale::logarithmic);
  EXPECT_EQ(tornado_figure({{{"dc", 1, {{"k", -1, 100}}}}}, {}).panels.at(0).x.scale, Axis::Scale::linear);
}

TEST(SobolFigure, TheGreatestTotalIsOnTopAndErrorsLieAboutTheirIndices) {
  const SobolStudy study{{"a", "b"}, 8, 1, 32, {{"dc", 1, {0.1, 0.7}, {0.2, 0.8}, {0.01, 0.02}, {0.03, 0.04}, 0}}};
  const Panel panel = sobol_figure(study).panels.at(0);
  EXPECT_EQ(panel.y.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(boxes_of(labelled(panel, "first index S")).at(0).right, 0.7);
  EXPECT_EQ(boxes_of(labelled(panel, "total index ST")).at(1).right, 0.2);
  const Series& errors = labelled(panel, "95 %");
  for (const double end : {0.68, 0.72, 0.76, 0.84, 0.09, 0.11, 0.17, 0.23})
    EXPECT_TRUE(std::ranges::any_of(errors.x, [&](double x) { return std::abs(x - end) < 1e-12; })) << end;
}

TEST(MorrisFigure, NamesStandAtTheirPoints) {
  const MorrisStudy study{{"a", "b"}, 4, 1, 12, {{"dc", {-2, 1}, {2, 1}, {0.1, 0.5}, 0}}};
  const Panel panel = morris_figure(study).panels.at(0);
  const auto note = std::ranges::find(panel.notes, "b", &Note::text);
  ASSERT_NE(note, panel.notes.end());
  EXPECT_EQ(std::pair(note->x, note->y), std::pair(1.0, 0.5));
}

std::vector<SensitivityValue> values_of(std::size_t parameters) {
  std::vector<SensitivityValue> values;
  for (const double w : {1.0, 2.0, 4.0, 8.0})
    for (std::size_t k = 0; k < parameters; ++k) {
      SensitivityValue v;
      v.frequency = w;
      v.parameter = "k_" + std::to_string(k);
      v.relative = {0, static_cast<double>(k) * w};
      values.push_back(v);
    }
  return values;
}

TEST(SensitivityFigure, ManyCurvesAreToldApartAlsoInGrey) {
  const Panel panel = sensitivity_figure("u → y", values_of(40)).panels.at(0);
  std::set<std::size_t> seen;
  std::size_t grey = 0;
  for (const Series& series : panel.series) {
    if (series.style == Series::Style::guide) {
      ++grey;
      continue;
    }
    EXPECT_TRUE(series.pattern && seen.insert(*series.pattern).second) << series.label.plain();
    EXPECT_TRUE(std::ranges::any_of(panel.notes, [&](const Note& note) { return note.text == series.label; }));
  }
  EXPECT_EQ(seen.size(), 9U);
  EXPECT_EQ(grey, 30U);
  EXPECT_EQ(panel.series[grey].label, "k_39") << "the greatest first";
  EXPECT_EQ(panel.title, "grey (≤ 240): k_30, k_29, k_28 and 27 more; no influence: k_0");
}

TEST(SensitivityFigure, SlopesOverTimeAreTimesTheirParameters) {
  const ResponseSensitivity response{"u", "y", {0, 1}, {0, 2}, {"a", "b", "c"}, {{0, 1}, {0, -3}, {0, 9}}, {}, true};
  const Figure figure = sensitivity_figure(response, {{"a", 100}, {"b", 10}});
  ASSERT_EQ(figure.panels.size(), 2U);
  const Panel& slopes = figure.panels[1];
  ASSERT_EQ(slopes.series.size(), 2U) << "c has no value";
  EXPECT_EQ(slopes.series[0].label, "a");
  EXPECT_EQ(slopes.series[0].y, (std::vector<double>{0, 100}));
  EXPECT_EQ(slopes.series[1].y, (std::vector<double>{0, -30}));
}

TEST(SensitivityFigure, FrequenciesAreInHertzWhereAsked) {
  const Panel panel = sensitivity_figure("u → y", values_of(2), {.hertz = true}).panels.at(0);
  EXPECT_NEAR(panel.series.at(0).x.at(0), 1 / (2 * M_PI), 1e-15);
}

/// A study of one measure with these values, none of which failed.
MonteCarlo study_of(const std::vector<double>& values) {
  MeasureStatistics measure;
  measure.name = "peak";
  measure.nominal = values.front();
  measure.minimum = *std::ranges::min_element(values);
  measure.maximum = *std::ranges::max_element(values);
  measure.quantiles = {1, 2, 3, 4, 5, 6, 7};
  measure.histogram.add(values);
  MonteCarlo study;
  study.samples = values.size();
  study.measures.push_back(std::move(measure));
  return study;
}

TEST(MonteCarloFigure, AHistogramHasEverySampleOnce) {
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) values.push_back(std::sin(i) + 0.001 * i);
  const Panel panel = monte_carlo_figure(study_of(values)).panels.at(0);
  double shares = 0, right = -10;
  for (const Box& box : boxes_of(panel.series.at(0))) {
    shares += box.top;
    EXPECT_GE(box.left, right - 1e-12) << "bars do not overlap";
    right = box.right;
  }
  EXPECT_NEAR(shares, 100, 1e-9);
}

TEST(MonteCarloFigure, AConstantMeasureIsOneBar) {
  for (const double value : {0.25, 0.0, -1e300}) {
    const Figure figure = monte_carlo_figure(study_of(std::vector<double>(50, value)));
    const Panel& panel = figure.panels.at(0);
    const std::vector<Box> bars = boxes_of(panel.series.at(0));
    ASSERT_EQ(bars.size(), 1U);
    EXPECT_EQ(bars[0].top, 100);
    EXPECT_TRUE(bars[0].left < value && value < bars[0].right);
    EXPECT_EQ(panel.title, "peak does not vary");
    EXPECT_LT(svg(figure).size(), 20'000U);
  }
}

TEST(MonteCarloFigure, WhereEverySampleFailedThePanelSaysSo) {
  MonteCarlo study = study_of({1});
  study.samples = 7;
  study.measures[0] = {};
  study.measures[0].name = "peak";
  study.measures[0].failed = 7;
  study.measures[0].minimum = study.measures[0].maximum = study.measures[0].nominal = nowhere;
  const Figure figure = monte_carlo_figure(study);
  EXPECT_EQ(figure.panels.at(0).title, "peak does not exist at 7 of 7 samples");
  EXPECT_EQ(svg(figure).find("nan"), std::string::npos);
}

TEST(MonteCarloFigure, OfDecadesTheBarsAreAreasOnALogarithmicAxis) {
  std::vector<double> values;
  for (int i = 0; i < 3000; ++i) values.push_back(std::pow(10, i * 0.001));
  const Panel panel = monte_carlo_figure(study_of(values)).panels.at(0);
  ASSERT_EQ(panel.x.scale, Axis::Scale::logarithmic);
  double area = 0;
  for (const Box& box : boxes_of(panel.series.at(0))) area += box.top * std::log10(box.right / box.left);
  EXPECT_NEAR(area, 100, 1e-9);
}

TEST(MonteCarloFigure, SpecsStandAtTheirValuesWithTheirYields) {
  MonteCarlo study = study_of({1, 2, 3, 4});
  const SymbolTable none;
  for (const char* text : {"peak < 2.5", "rise < 1"}) {
    SpecStatistics item{spec_of(text, none), 2, 0.5, {0.1, 0.9}};
    study.specs.push_back(item);
  }
  study.met = 1;
  const Figure figure = monte_carlo_figure(study);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(labelled(figure.panels[0], "peak < 2.5: 50 %").x, (std::vector<double>{2.5, 2.5}));
  EXPECT_TRUE(differ_without_colours(figure.panels[0]));
  for (const Series& series : figure.panels[0].series) EXPECT_FALSE(series.label.plain().starts_with("rise"));
  EXPECT_EQ(figure.panels[1].y.names, (std::vector<std::string>{"all at once", "rise < 1", "peak < 2.5"}));
  EXPECT_EQ(boxes_of(figure.panels[1].series.at(0)).at(2).right, 25);
}

TEST(MonteCarloFigure, ABandIsBrokenWhereNoSampleHasAValue) {
  MonteCarlo study;
  study.samples = 10;
  study.frequency = {1, 2, 3, 4, 5};
  const std::vector<double> low{0, 0, nowhere, 0, 0}, high{1, 1, nowhere, 1, 1};
  study.magnitude_db = {low, high, {low, high, high}};
  study.phase_deg = study.magnitude_db;
  const Figure figure = monte_carlo_figure(study, {.magnitude_db = {1, 1, 1, 1, 1}});
  const auto bands =
      std::ranges::count_if(figure.panels.at(0).series, [](const Series& s) { return s.style == Series::Style::area; });
  EXPECT_EQ(bands, 2);
  EXPECT_EQ(labelled(figure.panels[0], "nominal").y.size(), 5U);
  EXPECT_EQ(svg(figure).find("nan"), std::string::npos);
}

TEST(LocalFigure, RelativeSensitivitiesAreOrderedBySize) {
  LocalStudy study{"u", "y", {"a", "b", "c"}, {{"peak", "", 2, {1, 1, 1}, {0.1, -3, nowhere}}}, {}, {}};
  const Panel panel = local_figure(study, {}).panels.at(0);
  EXPECT_EQ(panel.y.names, (std::vector<std::string>{"c", "a", "b"}));
  EXPECT_EQ(boxes_of(panel.series.at(0)).at(0).left, -3);
}

TEST(LocalFigure, WaysOfPolesEndWhereTheSlopeLeads) {
  RootSensitivity simple, twice;
  simple.root.value = -4;
  simple.slope = {-2};
  twice.root.value = -1;
  twice.root.multiplicity = 2;
  twice.slope = {{0, 1}};
  LocalStudy study{"u", "y", {"k"}, {}, RootSensitivities{{"k"}, {simple, twice}}, {}};
  const Panel panel = local_figure(study, {{"k", 4}}).panels.at(0);
  const Series& way = labelled(panel, "k");
  ASSERT_EQ(panel.title, "each parameter greater by 10 %") << "2·0.4 is a fifth of the picture";
  ASSERT_EQ(way.x.size(), 9U);
  EXPECT_NEAR(way.x[1], -4 - 2 * 0.4, 1e-12);
  EXPECT_NEAR(way.y[4], std::sqrt(0.4), 1e-12);
  EXPECT_NEAR(way.y[7], -std::sqrt(0.4), 1e-12);
}

TEST(WorstCaseFigure, BoundsAndAttainedValuesStandWhereTheyAre) {
  WorstCases study{"u", "y", {}, {}};
  WorstCase worst{measure_of("peak", {}), 1, {0.5, 0.6, {}}, {std::nullopt, 1.4, {}}, false, 1};
  study.measures.push_back(worst);
  const Panel panel = worst_case_figure(study).panels.at(0);
  EXPECT_EQ(boxes_of(labelled(panel, "attained")).at(0).right, 1.4);
  EXPECT_EQ(labelled(panel, "bounds").x.size(), 3U);
  EXPECT_TRUE(differ_without_colours(panel));
  EXPECT_TRUE(std::ranges::any_of(panel.notes, [](const Note& n) { return n.text == "no bound" && n.x == 1.4; }));
}

TEST(WorstCaseFigure, MagnitudesAtManyFrequenciesAreABand) {
  WorstCases study{"u", "y", {}, {}};
  for (const char* name : {"gain@1", "gain@10", "gain@100"})
    study.measures.push_back({measure_of(name, {}), 1, {0.1, 0.1, {}}, {10, 10, {}}, true, 1});
  const Figure figure = worst_case_figure(study);
  ASSERT_EQ(figure.panels.size(), 1U);
  EXPECT_EQ(labelled(figure.panels[0], "bounds").y, (std::vector<double>{20, 20, 20, -20, -20, -20}));
}

TEST(Plot, ALegendBesideThePanelAndLongNamesLeaveItTheRest) {
  Figure figure = tornado_figure({{{"dc", 1, {{"a_rather_long_name_of_a_parameter", 0.9, 1.1}}}}}, {});
  const std::string text = svg(figure);
  const std::string frame = "<rect class=\"frame\" x=\"";
  const auto start = text.find(frame) + frame.size();
  const double left = std::stod(text.substr(start)), width = std::stod(text.substr(text.find("width=\"", start) + 7));
  EXPECT_GT(left, 150);
  EXPECT_LT(left + width, 760 - 120);
  EXPECT_EQ(text.find("&amp;"), std::string::npos);
}

TEST(Plot, TicksOfARangeThatNumbersCannotResolveAreOne) {
  EXPECT_EQ(ticks(0.25, std::nextafter(0.25, 1), 6).size(), 1U);
  EXPECT_EQ(ticks(1e16, 1e16 + 8, 6).size(), 1U);
}

TEST(Plot, NamesAreSetInType) {
  Panel panel;
  panel.series.push_back({"", {1}, {1}, Series::Style::dots, 0});
  panel.y.names = {"omega_n"};
  const std::string text = svg({.panels = {panel}});
  EXPECT_NE(text.find(">ω</tspan>"), std::string::npos) << text;
  EXPECT_NE(text.find(">n</tspan>"), std::string::npos);
}

}  // namespace
}  // namespace sfg
