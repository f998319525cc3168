#include "sfg/plot/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

namespace sfg {
namespace {

std::string svg(const Figure& figure) {
  std::ostringstream out;
  write_svg(out, figure);
  return out.str();
}

Series curve(std::vector<double> x, std::vector<double> y, std::string label = "") {
  Series series;
  series.label = std::move(label);
  series.x = std::move(x);
  series.y = std::move(y);
  return series;
}

Figure figure_of(Series series, Series::Style style = Series::Style::line) {
  series.style = style;
  Figure figure;
  figure.title = "one";
  figure.panels.emplace_back().series.push_back(std::move(series));
  return figure;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

// Every mark opened is closed in its turn, and outside of marks no "<" or "&" stands alone.
void expect_well_formed(const std::string& text) {
  std::vector<std::string> open;
  static const std::regex mark(R"re(<(/?)(\w+)[^<>]*?(/?)>)re");
  std::string outside;
  auto end = text.begin();
  for (std::sregex_iterator i(text.begin(), text.end(), mark), none; i != none; ++i) {
    outside.append(end, (*i)[0].first);
    end = (*i)[0].second;
    if ((*i)[1].length() > 0) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*i)[2]);
      open.pop_back();
    } else if ((*i)[3].length() == 0) {
      open.push_back((*i)[2]);
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(outside.find('<'), std::string::npos);
  EXPECT_FALSE(std::regex_search(text, std::regex("&(?!amp;|lt;|gt;|quot;|#\\d+;)")));
}

TEST(Plot, TicksAreRoundAndLieInTheRange) {
  EXPECT_EQ(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  for (const auto& [low, high] : {std::pair{-3.7, 12.1}, {1e-7, 3e-7}, {-2e9, -1e9}, {0.1, 0.9}}) {
    const std::vector<double> found = ticks(low, high, 6);
    ASSERT_GE(found.size(), 3U) << low << " .. " << high;
    EXPECT_LE(found.size(), 13U);
    const double step = found[1] - found[0], lead = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-6 || std::abs(lead - 2) < 1e-6 || std::abs(lead - 5) < 1e-6) << lead;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_GE(found[i], low - 1e-9 * step);
      EXPECT_LE(found[i], high + 1e-9 * step);
      EXPECT_NEAR(found[i], found[0] + static_cast<double>(i) * step, 1e-6 * step);
    }
  }
}

TEST(Plot, TheSameFigureGivesTheSameBytes) {
  const Figure figure = figure_of(curve({0, 1, 2}, {0, 1, 4}, "a"));
  EXPECT_EQ(svg(figure), svg(figure));
  EXPECT_TRUE(svg(figure).starts_with("<svg "));
  expect_well_formed(svg(figure));
}

TEST(Plot, NamesOfAnyBytesLeaveThePictureWellFormed) {
  Figure figure = figure_of(curve({0, 1}, {0, 1}, "a<b & \"c\""));
  figure.panels[0].series.push_back(curve({0, 1}, {1, 0}, "bad \xFF\x01 byte"));
  figure.title = "<script>";
  figure.panels[0].notes.push_back({.x = 0.5, .y = 0.5, .text = "1 < 2"});
  const std::string text = svg(figure);
  expect_well_formed(text);
  EXPECT_NE(text.find("a&lt;b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_NE(text.find("bad \xEF\xBF\xBD byte"), std::string::npos) << "what is no UTF-8 is replaced";
  EXPECT_EQ(text.find('\xFF'), std::string::npos);
}

TEST(Plot, WhatIsNotANumberBreaksTheCurveAndStaysOutOfTheFile) {
  const double gap = std::nan("");
  const auto moves = [](const std::string& text) {
    std::smatch path;
    const bool found = std::regex_search(text, path, std::regex(R"re(<path class="line"[^>]* d="([^"]*)")re"));
    return found ? count(path[1].str(), "M") : 0;
  };
  const std::string whole = svg(figure_of(curve({0, 1, 2, 3, 4}, {0, 1, 0, 1, 0})));
  const std::string broken = svg(figure_of(curve({0, 1, 2, 3, 4}, {0, 1, gap, 1, 0})));
  EXPECT_EQ(moves(whole), 1U);
  EXPECT_EQ(moves(broken), 2U);
  for (const double value : {gap, std::numeric_limits<double>::infinity()}) {
    const std::string text = svg(figure_of(curve({0, 1, 2}, {1, value, 2})));
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
  }
}

TEST(Plot, MarksAreAsManyAsPoints) {
  const std::string few = svg(figure_of(curve({0, 1, 2}, {0, 1, 2}), Series::Style::circles));
  const std::string none = svg(figure_of(curve({}, {}), Series::Style::circles));
  EXPECT_EQ(count(few, "<circle") - count(none, "<circle"), 3U);
}

TEST(Plot, DarkPicturesHaveOtherColours) {
  Figure figure = figure_of(curve({0, 1}, {0, 1}, "a"));
  figure.theme = Theme::light;
  const std::string light = svg(figure);
  figure.theme = Theme::dark;
  const std::string dark = svg(figure);
  static const std::regex colour("#[0-9a-f]{6}");
  EXPECT_EQ(std::regex_replace(light, colour, "#"), std::regex_replace(dark, colour, "#"));
  EXPECT_NE(light.find("#ffffff"), std::string::npos);
  EXPECT_EQ(dark.find("#ffffff"), std::string::npos);
}

TEST(Plot, PanelsLieOneBelowTheOther) {
  Figure figure = figure_of(curve({0, 1}, {0, 1}));
  const auto height = [](const std::string& text) {
    std::smatch found;
    return std::regex_search(text, found, std::regex(R"re(viewBox="0 0 \d+ (\d+)")re")) ? std::stoi(found[1]) : 0;
  };
  const int one = height(svg(figure));
  figure.panels.push_back(figure.panels[0]);
  figure.panels[1].x.label = "another";  // with numbers of its own
  EXPECT_GE(height(svg(figure)), one + figure.panel_height);
}

}  // namespace
}  // namespace sfg
