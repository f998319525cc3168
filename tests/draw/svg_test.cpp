// What holds of every picture as SVG: readable in each theme, and alone with its rules in a page of several.
#include "sfg/draw/svg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/draw/paper_size.hpp"
#include "sfg/draw/picture.hpp"

namespace sfg {
namespace {

SignalFlowGraph loop(const std::string& title) {
  SignalFlowGraph graph;
  graph.title = title;
  const NodeId u = graph.node("u"), e = graph.node("e"), y = graph.node("y");
  graph.add_branch(u, e, 1);
  graph.add_branch(e, y, 5);
  graph.add_branch(y, e, -1);
  return graph;
}

std::string svg(const SignalFlowGraph& graph, const SvgOptions& options = {}) {
  std::ostringstream out;
  write_svg(out, layout(graph), options);
  return out.str();
}

std::string id_of(const std::string& text) {
  std::smatch found;
  std::regex_search(text, found, std::regex(R"(<svg [^>]*\bid="([^"]*)\")"));
  return found[1];
}

/// Relative luminance (WCAG 2.2).
double luminance(std::string_view colour) {
  double sum = 0;
  constexpr std::array<double, 3> weights{0.2126, 0.7152, 0.0722};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(std::string(colour.substr(1 + 2 * i, 2)), nullptr, 16) / 255.0;
    sum += weights[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(std::string_view a, std::string_view b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

TEST(Svg, TextHasContrastInEveryTheme) {
  for (const Theme theme : {Theme::light, Theme::dark, Theme::print, Theme::colorblind}) {
    const DrawingPalette& palette = drawing_palette(theme);
    for (const std::string_view colour : {palette.ink, palette.feedback, palette.law, palette.on, palette.faded})
      EXPECT_GE(contrast(palette.paper, colour), 4.5) << colour << " on " << palette.paper;
  }
}

TEST(Svg, RulesHoldForOnePicture) {
  const std::string one = svg(loop("one")), other = svg(loop("other"));
  EXPECT_NE(id_of(one), id_of(other));
  EXPECT_EQ(id_of(one), id_of(svg(loop("one"))));
  const std::string style = one.substr(one.find("<style>") + 7, one.find("</style>") - one.find("<style>") - 7);
  const std::regex rule(R"(([^{}]+)\{)");
  for (std::sregex_iterator i(style.begin(), style.end(), rule), end; i != end; ++i) {
    const std::string selectors = (*i)[1];
    if (selectors.find("@media") != std::string::npos) continue;
    std::istringstream parts(selectors);
    for (std::string part; std::getline(parts, part, ',');)
      EXPECT_EQ(part.substr(part.find_first_not_of(" \n")).rfind("#" + id_of(one), 0), 0U) << part;
  }
  const std::regex id(R"re( id="([^"]*)")re");
  for (std::sregex_iterator i(one.begin(), one.end(), id), end; i != end; ++i) EXPECT_EQ((*i)[1].str().rfind(id_of(one), 0), 0U);
}

TEST(Svg, TheRestStepsBackFromWhatIsHighlighted) {
  const std::string lit = svg(loop("g"), {.highlight = {.nodes = {NodeId{1}}, .branches = {BranchId{2}}}});
  EXPECT_NE(lit.find("class=\"lit\""), std::string::npos);
  EXPECT_NE(lit.find("<g class=\"branch back on\" data-from=\"y\" data-to=\"e\" data-branch=\"2\">"), std::string::npos);
  EXPECT_NE(lit.find("<g class=\"node on\" data-node=\"e\">"), std::string::npos);
  EXPECT_EQ(svg(loop("g")).find("class=\"lit\""), std::string::npos);
}

// As long as measured, in any font.
TEST(Svg, WordsAreAsLongAsTheyWereMeasured) {
  Scene scene{.width = 100, .height = 100, .text_size = 13, .kind = "plot"};
  scene.groups.push_back(
      {.style = "", .words = {{{50, 20}, "middle", "−0.25"}, {{50, 40}, "end", "3"}, {{50, 60}, "middle", "3 s"}}});
  const std::string svg = picture(scene, PictureFormat::svg);
  for (const char* words : {"−0.25</text>", "3</text>", "3 s</text>"}) {
    const std::size_t end = svg.find(std::string(">") + words);
    ASSERT_NE(end, std::string::npos);
    EXPECT_NE(svg.substr(svg.rfind('<', end), end - svg.rfind('<', end)).find("textLength"), std::string::npos) << words;
  }
}

// "D_x over x": librsvg drops spaces at the ends of a part, hard ones too, unless they are said to count.
TEST(Svg, SpacesBetweenNamesAndWordsStay) {
  Scene scene{.width = 100, .height = 100, .text_size = 13, .kind = "plot"};
  scene.groups.push_back(
      {.style = "",
       .words = {{{50, 20}, "middle head", Caption::name("D_x") + " over " + Caption::name("x")}, {{50, 40}, "end", "3 s"}}});
  const std::string svg = picture(scene, PictureFormat::svg);
  const std::size_t title = svg.find(" over "), plain = svg.find(">3 s<");
  ASSERT_NE(title, std::string::npos);
  ASSERT_NE(plain, std::string::npos);
  EXPECT_NE(svg.substr(svg.rfind("<text", title), 200).find(" xml:space=\"preserve\""), std::string::npos);
  EXPECT_EQ(svg.substr(svg.rfind("<text", plain), plain - svg.rfind("<text", plain)).find("xml:space"), std::string::npos);
}

TEST(Picture, HasTheAskedWidthAndText) {
  const Scene scene{.width = 500, .height = 100, .text_size = 17};
  const double point = 25.4 / 72.27;
  EXPECT_EQ(millimetres_per_pixel(scene, {}), 0);
  EXPECT_NEAR(millimetres_per_pixel(scene, {.font_size = 9}), 9 * point / 17, 1e-12);
  EXPECT_NEAR(millimetres_per_pixel(scene, {.width = 120, .font_size = 9}), 9 * point / 17, 1e-12);  // fits already
  std::vector<Diagnostic> notes;
  EXPECT_NEAR(millimetres_per_pixel(scene, {.width = 86, .font_size = 9, .notes = &notes}), 86.0 / 500, 1e-12);
  EXPECT_TRUE(notes.empty());
  EXPECT_NEAR(millimetres_per_pixel(scene, {.width = 50, .font_size = 9, .notes = &notes}), 50.0 / 500, 1e-12);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes.front().hint.text().find("84 mm"), std::string::npos) << notes.front().hint.text();
}

TEST(Picture, IsDrawnCloserBeforeItsTextShrinks) {
  SignalFlowGraph chain;
  for (int i = 0; i < 7; ++i) chain.node("x" + std::to_string(i));
  for (std::uint32_t i = 0; i < 6; ++i) chain.add_branch(NodeId{i}, NodeId{i + 1}, 2);
  const auto width = [&](const PictureOptions& options) {
    const std::string text = picture(chain, PictureFormat::svg, options);
    std::smatch found;
    std::regex_search(text, found, std::regex(R"(viewBox="0 0 (\d+) )"));
    return std::stod(found[1]);
  };
  const double natural = width({.font_size = 9}), point = 25.4 / 72.27, millimetre = 17 / (9 * point);
  EXPECT_EQ(width({.width = natural / millimetre + 1, .font_size = 9}), natural);
  std::vector<Diagnostic> notes;
  EXPECT_LE(width({.width = 0.8 * natural / millimetre, .font_size = 9, .notes = &notes}), 0.8 * natural + 1);
  EXPECT_TRUE(notes.empty());
}

TEST(Picture, EpsIsEps) { EXPECT_TRUE(picture(loop("g"), PictureFormat::eps).starts_with("%!PS-Adobe-3.0 EPSF")); }

}  // namespace
}  // namespace sfg
