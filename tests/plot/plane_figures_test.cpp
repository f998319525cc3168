// Root loci, maps of poles and regions of stability.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <regex>
#include <sstream>

#include "exact_systems.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {
namespace {

using exact::RationalPolynomial;

Panel locus_panel(const RationalPolynomial& A, const RationalPolynomial& B) {
  const auto coefficients = in_k(A, B);
  return locus_figure(root_locus(coefficients, 0, locus_range(coefficients)), "K").panels.front();
}

bool outside(const Panel& panel, double x, double y) {
  return x <= panel.x.range->first || x >= panel.x.range->second || std::abs(y) >= panel.y.range->second;
}

TEST(LocusFigure, BranchesAndRaysRunToTheFrame) {
  const Panel panel = locus_panel({1, 3, 2, 0}, {1});
  int branches = 0, rays = 0;
  for (const Series& s : panel.series) {
    if (s.style == Series::Style::dashed) {
      ++rays;
      EXPECT_TRUE(outside(panel, s.x.back(), s.y.back()));
    }
    if (s.style != Series::Style::line) continue;
    ++branches;
    bool leaves = false;
    for (std::size_t i = 0; i < s.x.size(); ++i) leaves = leaves || outside(panel, s.x[i], s.y[i]);
    EXPECT_TRUE(leaves);
    EXPECT_FALSE(s.arrows.empty());
  }
  EXPECT_EQ(branches, 3);
  EXPECT_EQ(rays, 3);
}

TEST(LocusFigure, CrossingsBreakawaysAndAnglesHaveTheirValues) {
  const Panel panel = locus_panel(RationalPolynomial{1, 1, 0} * RationalPolynomial{1, 2, 5}, RationalPolynomial{1});
  const auto has = [&](const std::string& text) {
    return std::ranges::any_of(panel.notes, [&](const Note& n) { return n.text.plain().find(text) != std::string::npos; });
  };
  // s⁴ + 3s³ + 7s² + 5s + K: on the axis ω² = 5/3, K = 7ω² − ω⁴
  EXPECT_TRUE(has("K = 8.889, ω = 1.291"));
  EXPECT_TRUE(has("−116.6°"));  // −1/A'(p) with A'(p) = p(p + 1)(p − p̄) = 8 − 16j at p = −1 + 2j
}

TEST(PoleFigure, TransferFunctionsAndMultiplicitiesAreToldApart) {
  std::vector<PolesZeros> all;
  for (const char* name : {"x", "y"}) {
    PolesZeros item = poles_zeros(std::vector<exact::Rational>{1, 2, 1}, Operator("s"));
    item.input = "u", item.output = name;
    all.push_back(item);
  }
  const Panel panel = pole_figure(all).panels.front();
  std::vector<const Series*> crosses;
  for (const Series& s : panel.series)
    if (s.style == Series::Style::crosses) crosses.push_back(&s);
  ASSERT_EQ(crosses.size(), 2U);
  EXPECT_NE(crosses[0]->size, crosses[1]->size);
  EXPECT_NE(crosses[0]->colour, crosses[1]->colour);
  EXPECT_EQ(std::ranges::count_if(panel.notes, [](const Note& n) { return n.text.plain() == "×2"; }), 1);
}

TEST(PoleFigure, OfAPointHasAFrame) {
  for (const exact::Rational& root : {exact::Rational(0), exact::Rational(7), exact::Rational(1) / 1000000}) {
    const std::vector<PolesZeros> one{poles_zeros(std::vector<exact::Rational>{1, root}, Operator("s"))};
    const Panel panel = pole_figure(one).panels.front();
    EXPECT_LT(panel.x.range->first, -root.to_double());
    EXPECT_GT(panel.x.range->second, 0);
    EXPECT_GT(panel.y.range->second, 0);
    EXPECT_LT(panel.x.range->second - panel.x.range->first, 10 * std::max(root.to_double(), root.sign() == 0 ? 1 : 0.0));
  }
}

TEST(PoleFigure, SaysWhereTheyLie) {
  const std::vector<PolesZeros> one{poles_zeros(std::vector<exact::Rational>{1, 2, 5}, Operator("s"))};
  EXPECT_NE(pole_figure(one).description.find("−1 + 2j"), std::string::npos);
}

// Wherever poles lie: the values of ζ stand above the frame, or at its left edge, and none on another.
TEST(PoleFigure, ValuesOfDampingStandAtTheEdge) {
  const std::regex text("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" textLength=\"([0-9.]+)\"[^>]*>ζ = "),
      frame("class=\"frame\" x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const auto number = [&] { return exact::Rational(static_cast<int>(random() % 60) + 1); };
    const std::vector<PolesZeros> one{poles_zeros(std::vector<exact::Rational>{1, number(), number(), number()}, Operator("s"))};
    std::ostringstream out;
    write_svg(out, pole_figure(one));
    const std::string svg = out.str();
    std::smatch box;
    ASSERT_TRUE(std::regex_search(svg, box, frame));
    const double left = std::stod(box[1]), top = std::stod(box[2]);
    std::vector<std::array<double, 3>> seen;  // left, right, baseline
    for (std::sregex_iterator i(svg.begin(), svg.end(), text), end; i != end; ++i) {
      const double x = std::stod((*i)[1]), y = std::stod((*i)[2]);
      EXPECT_TRUE(y <= top || x < left + 8) << x << ' ' << y;
      for (const auto& [from, to, at] : seen)
        EXPECT_TRUE(x > to || x + std::stod((*i)[3]) < from || std::abs(y - at) > 13) << svg;
      seen.push_back({x, x + std::stod((*i)[3]), y});
    }
    EXPECT_GE(seen.size(), 3U) << seed;
  }
}

TEST(RegionFigure, AnEmptyOneSaysSo) {
  StabilityRegion region;
  region.first_range = {1, 2}, region.second_range = {3, 4};
  region.columns = {{1, {}}, {2, {}}};
  const Figure figure = region_figure(region, "K", "a", {});
  EXPECT_FALSE(figure.panels[0].notes.empty());
  EXPECT_NE(figure.description.find("No values of K from 1 to 2 and a from 3 to 4 are stable"), std::string::npos);
  region.columns = {{1, {{3, 4}}}, {2, {{3, 4}}}};
  EXPECT_NE(region_figure(region, "K", "a", {}).description.find("All values"), std::string::npos);
  region.columns = {{1, {{3, 4}}}, {2, {}}};  // it ends between the columns, and no curve is its boundary
  EXPECT_EQ(region_figure(region, "K", "a", {}).description.find("All values"), std::string::npos);
}

}  // namespace
}  // namespace sfg
