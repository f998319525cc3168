// What a reader asks of any plot: its size on paper, panels, title, legend, grid.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "sfg/error.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {
namespace {

Figure figure(std::size_t panels, bool legend) {
  Figure f;
  f.title = "A title";
  for (std::size_t i = 0; i < panels; ++i) {
    Panel& panel = f.panels.emplace_back();
    panel.name = "panel" + std::to_string(i);
    panel.x.label = "time, s";
    panel.y.label = "signal";
    for (int k = 0; k < 3; ++k) {
      Series& s = panel.series.emplace_back();
      if (legend) s.label = "curve " + std::to_string(k);
      for (int x = 0; x <= 50; ++x) s.x.push_back(x), s.y.push_back((k + 1) * x * (i + 1.0));
    }
  }
  return f;
}

std::string svg(const Figure& f) {
  std::ostringstream out;
  write_svg(out, f);
  return out.str();
}

double value(const std::string& text, const char* pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? std::stod(found[1]) : -1;
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// In a column of a journal, too, one reads values between the ends.
TEST(PlotOptions, ANarrowPictureHasFourNumbersAtItsAbscissa) {
  Figure f = figure(1, false);
  f.panels[0].x.range = {0, 8};
  const std::string text = svg(with_options(std::move(f), {.width = 84}));
  for (const char* number : {">0</text>", ">2</text>", ">4</text>", ">6</text>", ">8</text>"})
    EXPECT_NE(text.find(number), std::string::npos) << number;
}

// Where the names of one panel's bars widen the margin, the title of another panel's axis stays with its numbers.
TEST(PlotOptions, TheTitleOfAnOrdinateStandsBesideItsNumbers) {
  Figure f = figure(2, false);
  f.panels[1].y.names = {"a very long name of a bar", "b"};
  f.panels[1].y.range = {0, 3};
  f.panels[1].y.label = {};
  const std::string text = svg(f);
  const double title = value(text, R"(translate\(([\d.]+),)"), number = value(text, R"(class="end" x="([\d.]+)\")");
  ASSERT_GT(title, 0);
  const double frame = value(text, R"re(<rect class="frame" x="([\d.]+)")re");
  ASSERT_GT(frame, 0) << number;
  EXPECT_LT(frame - title, 80);
}

TEST(PlotOptions, APictureIsAsLargeAsAsked) {
  for (const std::size_t panels : {1U, 2U, 3U})
    for (const auto& [width, height, points] :
         {std::tuple(84.0, 90.0, 8.0), std::tuple(170.0, 120.0, 9.0), std::tuple(120.0, 200.0, 11.0)}) {
      const std::string text = svg(with_options(figure(panels, true), {.width = width, .height = height, .font_size = points}));
      EXPECT_EQ(value(text, R"( width="([\d.]+)mm")"), width);
      EXPECT_EQ(value(text, R"( height="([\d.]+)mm")"), height);
      const double pixels = value(text, R"(viewBox="0 0 ([\d.]+) )"), per = width / pixels;
      EXPECT_NEAR(value(text, R"(viewBox="0 0 [\d.]+ ([\d.]+))") * per, height, 3 * per);
      EXPECT_NEAR(13 * per, points * 25.4 / 72, 0.01 * points);  // numbers at the axes have 13 pixels
      EXPECT_EQ(occurrences(text, "class=\"frame\""), panels);
    }
}

TEST(PlotOptions, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(svg(with_options(figure(3, true), {.width = 84, .height = 30, .font_size = 8})), NoAnswer);
  EXPECT_THROW(svg(with_options(figure(1, true), {.width = 10, .font_size = 12})), NoAnswer);
}

TEST(PlotOptions, PanelsAreChosenByName) {
  const Figure chosen = with_options(figure(3, true), {.panels = {"panel2", "panel0"}});
  ASSERT_EQ(chosen.panels.size(), 2U);
  EXPECT_EQ(chosen.panels[0].name, "panel2");
  EXPECT_THROW(with_options(figure(3, true), {.panels = {"other"}}), NoAnswer);
  EXPECT_THROW(with_options(figure(3, true), {.panels = {"panel1", "panel1"}}), NoAnswer);
}

TEST(PlotOptions, ThePanelThatHadTheLegendMayBeLeftOut) {
  Figure f = figure(2, true);
  for (Panel& panel : f.panels)
    for (std::size_t k = 0; k < 3; ++k) panel.series[k].transfer = "y/u" + std::to_string(k);
  for (Series& s : f.panels[1].series) s.label.clear();
  const Figure chosen = with_options(f, {.panels = {"panel1"}});
  for (const Series& s : chosen.panels[0].series) EXPECT_FALSE(s.label.empty());
}

TEST(PlotOptions, TheLegendStandsWhereItIsAsked) {
  using Place = Figure::LegendPlace;
  const auto frame_and_key = [](const std::string& text) {
    const auto box = [&](const char* style) {
      const std::string head =
          std::string("<rect class=\"") + style + "\" x=\"([-\\d.]+)\" y=\"([-\\d.]+)\" width=\"([\\d.]+)\" height=\"([\\d.]+)\"";
      std::smatch m;
      std::array<double, 4> b{};
      if (std::regex_search(text, m, std::regex(head)))
        b = {std::stod(m[1]), std::stod(m[2]), std::stod(m[1]) + std::stod(m[3]), std::stod(m[2]) + std::stod(m[4])};
      return b;
    };
    return std::pair(box("frame"), box("key"));
  };
  const std::string none = svg(with_options(figure(1, true), {.legend = Place::none}));
  EXPECT_EQ(occurrences(none, "class=\"key\""), 0U);
  for (const bool beside : {false, true}) {
    Figure f = figure(1, true);
    f.panels[0].legend_beside = beside;
    const auto [frame, key] = frame_and_key(svg(with_options(f, {.legend = Place::inside})));
    EXPECT_TRUE(key[0] >= frame[0] && key[2] <= frame[2] && key[1] >= frame[1] && key[3] <= frame[3] && key[2] > key[0]);
    const auto [around, out] = frame_and_key(svg(with_options(f, {.legend = Place::outside})));
    EXPECT_TRUE(out[0] >= around[2] || out[1] >= around[3]);
  }
  EXPECT_THROW(with_options(figure(1, false), {.legend = Place::inside}), NoAnswer);
}

TEST(PlotOptions, TitleAndGridCanBeLeftOut) {
  const std::string all = svg(figure(1, false)), bare = svg(with_options(figure(1, false), {.title = "", .grid = false}));
  EXPECT_NE(all.find(">A title</text>"), std::string::npos);
  EXPECT_EQ(bare.find(">A title</text>"), std::string::npos);
  EXPECT_GT(occurrences(all, "class=\"grid\""), 0U);
  EXPECT_EQ(occurrences(bare, "class=\"grid\"") + occurrences(bare, "class=\"minor\""), 0U);
  EXPECT_NE(svg(with_options(figure(1, false), {.title = "Other"})).find(">Other</text>"), std::string::npos);
}

TEST(PlotOptions, PanelsOverOneAbscissaShareItsNumbers) {
  const std::string text = svg(figure(3, false));
  EXPECT_EQ(occurrences(text, ">time, s</text>"), 1U);
  Figure apart = figure(2, false);
  apart.panels[1].x.label = "other time, s";
  EXPECT_EQ(occurrences(svg(apart), "time, s</text>"), 2U);
}

TEST(PlotOptions, SignalsOfDifferentUnitsHaveAxesOfTheirOwn) {
  std::vector<NamedResponse> responses;
  for (const auto& [name, unit] : {std::pair("x", "m"), std::pair("v", "m/s"), std::pair("y", "m")}) {
    NamedResponse r;
    r.name = name, r.output = name, r.input = "u", r.unit = unit;
    r.value.time = {0, 1, 2}, r.value.value = {0, 1, 0.5};
    responses.push_back(r);
  }
  const Figure f = response_figure(responses, "Step response");
  ASSERT_EQ(f.panels.size(), 2U);
  EXPECT_EQ(f.panels[0].series.size(), 2U);
  EXPECT_EQ(f.panels[1].y.label.plain(), "v, m/s");
}

}  // namespace
}  // namespace sfg
