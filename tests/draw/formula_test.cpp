#include "sfg/draw/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sfg/draw/math_tree.hpp"

namespace sfg {
namespace {

using Kind = MathNode::Kind;

std::string words(const Formula& formula) {
  std::string text;
  for (const TextRow& row : formula.rows)
    for (const TextRun& run : row.runs) text += run.text;
  return text;
}

const TextRun* run_of(const Formula& formula, const std::string& text) {
  for (const TextRow& row : formula.rows)
    for (const TextRun& run : row.runs)
      if (run.text.find(text) != std::string::npos) return &run;
  return nullptr;
}

/// Of the row in which the text stands.
double height_of(const Formula& formula, const std::string& text) {
  for (const TextRow& row : formula.rows)
    for (const TextRun& run : row.runs)
      if (run.text.find(text) != std::string::npos) return row.y - run.raise;
  return std::nan("");
}

TEST(MathTree, AFractionHasItsParts) {
  const MathNode tree = math_tree("\\frac{a}{b+c}");
  ASSERT_EQ(tree.parts.size(), 1U);
  const MathNode& fraction = tree.parts[0];
  ASSERT_EQ(fraction.kind, Kind::fraction);
  ASSERT_EQ(fraction.parts.size(), 2U);
  EXPECT_EQ(fraction.parts[0].parts[0].text, "a");
  ASSERT_EQ(fraction.parts[1].parts.size(), 3U);
  EXPECT_EQ(fraction.parts[1].parts[1].kind, Kind::sign);
}

TEST(MathTree, AnyTextGivesATree) {
  for (const char* text : {"", "{", "}", "\\", "\\frac", "\\frac{a", "x_", "x^{", "\\left(", "\\right)", "\\unknown{x}", "\xFF",
                           "{{{{{{{{", "\\sqrt{", "_^_^"})
    EXPECT_NO_THROW(typeset(text, 15)) << text;
  EXPECT_NE(words(typeset("\\unknown", 15)).find("unknown"), std::string::npos);
}

TEST(MathTree, SummandsAreThoseOfTheOutermostSum) {
  const std::vector<std::string> found = summands("a + \\left(b - c\\right) - \\frac{d + e}{f}");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0], "a ");
  EXPECT_NE(found[1].find("b - c"), std::string::npos);
  EXPECT_EQ(found[2].front(), '-');
}

TEST(Formula, NamesAreSlantedNumbersUpright) {
  const Formula formula = typeset("2 x", 15);
  ASSERT_NE(run_of(formula, "x"), nullptr);
  EXPECT_TRUE(run_of(formula, "x")->italic);
  ASSERT_NE(run_of(formula, "2"), nullptr);
  EXPECT_FALSE(run_of(formula, "2")->italic);
  EXPECT_FALSE(run_of(typeset_plain("x", 15), "x")->italic);
}

TEST(Formula, TheBarOfAFractionLiesBetweenItsParts) {
  const Formula formula = typeset("\\frac{a}{b}", 15);
  ASSERT_EQ(formula.rules.size(), 1U);
  const TextRule& bar = formula.rules[0];
  EXPECT_LT(height_of(formula, "a"), bar.y);
  EXPECT_GT(height_of(formula, "b"), bar.y);
  EXPECT_LT(bar.x1, bar.x2);
  EXPECT_GE(bar.x1, 0);
  EXPECT_LE(bar.x2, formula.width);
  EXPECT_GT(formula.height(), typeset("a", 15).height());
}

TEST(Formula, ScriptsAreSmallerAndRaisedOrLowered) {
  const Formula power = typeset("x^{2}", 15), index = typeset("x_{1}", 15);
  EXPECT_LT(height_of(power, "2"), height_of(power, "x"));
  EXPECT_GT(height_of(index, "1"), height_of(index, "x"));
  EXPECT_LT(run_of(power, "2")->size, 15);
  EXPECT_LT(run_of(index, "1")->size, 15);
}

TEST(Formula, WidthsAddAndScale) {
  const Formula a = typeset("a", 15), b = typeset("b", 15);
  EXPECT_NEAR(a.followed_by(b, 5).width, a.width + 5 + b.width, 1e-9);
  EXPECT_NEAR(typeset("a", 30).width, 2 * a.width, 1e-9);
  EXPECT_GT(typeset_plain("WWW", 15).width, typeset_plain("iii", 15).width);
  const Formula moved = typeset("\\frac{a}{b}", 15).moved(3, 4);
  EXPECT_NEAR(moved.rules[0].y, typeset("\\frac{a}{b}", 15).rules[0].y + 4, 1e-9);
  EXPECT_NEAR(moved.rows[0].x, typeset("\\frac{a}{b}", 15).rows[0].x + 3, 1e-9);
}

TEST(Formula, LongSumsAreBrokenBeforeSigns) {
  const std::string sum = "aaa + bbb - ccc + ddd - eee";
  const double width = typeset("aaa + bbb", 15).width + 2;
  const std::vector<Formula> lines = typeset_lines(sum, 15, width);
  ASSERT_GT(lines.size(), 1U);
  std::string together;
  for (const Formula& line : lines) {
    EXPECT_LE(line.width, width);
    together += words(line);
  }
  EXPECT_EQ(together, words(typeset(sum, 15)));
  EXPECT_EQ(typeset_lines(sum, 15, 1e6).size(), 1U);
}

}  // namespace
}  // namespace sfg
