// The letters of pictures are outlines: of the same measures as the labels are placed by, and of every letter that has some.
#include "sfg/draw/letters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/svg.hpp"

namespace sfg {
namespace {

struct Extent {
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
};

/// Of relative path data m, l, q, c, z; ends of curves and the middles of quadratic ones, which touch the extremes.
Extent extent(std::string_view path) {
  Extent made;
  double x = 0, y = 0, start_x = 0, start_y = 0;
  const auto add = [&](double px, double py) {
    made = {std::min(made.left, px), std::min(made.top, py), std::max(made.right, px), std::max(made.bottom, py)};
  };
  static const std::regex piece("([mlqcz])([^mlqcz]*)"), number("-?\\d+");
  const std::string text(path);
  for (std::sregex_iterator i(text.begin(), text.end(), piece), end; i != end; ++i) {
    const std::string letter = (*i)[1], numbers = (*i)[2];
    if (letter == "z") {
      x = start_x, y = start_y;
      continue;
    }
    std::vector<double> n;
    for (std::sregex_iterator k(numbers.begin(), numbers.end(), number); k != end; ++k) n.push_back(std::stod(k->str()));
    if (n.size() % 2 != 0 || n.empty()) {
      ADD_FAILURE() << path;
      return made;
    }
    if (letter == "q") add(x + n[0] / 2 + n[2] / 4, y + n[1] / 2 + n[3] / 4);
    x += n[n.size() - 2], y += n.back();
    add(x, y);
    if (letter == "m") start_x = x, start_y = y;
  }
  return made;
}

TEST(Letters, AreAsLargeAsTheyAreMeasured) {
  constexpr double close = 25;  // thousandths: curves between the points looked at, and hinting
  std::size_t seen = 0;
  for (const bool italic : {false, true})
    for (char32_t c = 0x21; c < 0x2265; ++c) {
      const LetterOutline* letter = letter_outline(c, italic);
      if (c > 0x7E && (c < 0x391 || c > 0x3C9)) continue;  // of other letters the versions of the font differ
      if (letter == nullptr || letter->path.empty() || letter->advance > 0) continue;
      const SerifGlyph measured = serif_glyph(c, italic);
      const Extent drawn = extent(letter->path);
      EXPECT_NEAR(drawn.left, measured.left, close) << static_cast<int>(c) << italic;
      EXPECT_NEAR(drawn.right, measured.right, close) << static_cast<int>(c) << italic;
      EXPECT_NEAR(drawn.top, measured.top, close) << static_cast<int>(c) << italic;
      EXPECT_NEAR(drawn.bottom, measured.bottom, close) << static_cast<int>(c) << italic;
      ++seen;
    }
  EXPECT_GT(seen, 250U);
}

TEST(Letters, ThoseOfTheGrammarHaveOutlines) {
  for (const char* text :
       {"abcxyzABCXYZ0123456789", "+−·/=()[]{}|,.;:→…≤≥≈√", "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ", "ẋẍ∥∞°′²³", "äöüßéñČ"})
    for (const bool italic : {false, true}) {
      EXPECT_EQ(without_outline({{text, 10, italic}}), "");
      EXPECT_FALSE(outlined({{text, 10, italic}}).empty()) << text;
    }
  EXPECT_EQ(without_outline({{"a中b", 10}}), "中");
  EXPECT_TRUE(outlined({{"a中b", 10}}).empty());
}

TEST(Letters, OfOneSizeAreOnePath) {
  const auto runs = outlined({{"K", 17, true}, {"p", 12, true, -3, 0.5}, {"+", 17}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].size, 17);
  EXPECT_EQ(runs[0].path.substr(0, 5), "M0 0m");
  EXPECT_NE(runs[1].path.find(" 250m"), std::string::npos) << runs[1].path;  // 3 pixels down
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(Letters, AGainThatChangesAltersTheLinesOfItsLabelAlone) {
  const auto drawn = [](const char* gain) {
    SignalFlowGraph graph;
    graph.title = "loop";
    const NodeId u = graph.node("u"), e = graph.node("e"), y = graph.node("y");
    graph.add_branch(u, e, 1);
    graph.add_branch(e, y, graph.symbols.symbol(gain));
    graph.add_branch(y, e, -graph.symbols.symbol("H"));
    std::ostringstream out;
    write_svg(out, layout(graph));
    return lines_of(out.str());
  };
  const auto one = drawn("G3"), other = drawn("G7");
  std::vector<std::string> gone;
  std::set_difference(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(gone));
  EXPECT_GE(gone.size(), 1U);
  EXPECT_LE(gone.size(), 6U);
}

TEST(Letters, AnOutlinedPictureHasNoText) {
  SignalFlowGraph graph;
  const NodeId u = graph.node("u"), y = graph.node("y");
  graph.add_branch(u, y, graph.symbols.symbol("K"));
  std::ostringstream text, outlines;
  write_svg(text, layout(graph));
  write_svg(outlines, layout(graph), {.outline = true});
  EXPECT_NE(text.str().find("visibility=\"hidden\""), std::string::npos);
  EXPECT_NE(text.str().find("data-tex=\"K\""), std::string::npos) << text.str();
  EXPECT_EQ(outlines.str().find("<text"), std::string::npos);
  EXPECT_NE(outlines.str().find("class=\"letters\""), std::string::npos);
}

}  // namespace
}  // namespace sfg
