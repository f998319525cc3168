#include "sfg/draw/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

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

Math tree(std::string_view text) {
  SymbolTable symbols;
  return math(parse(text, symbols));
}

TEST(Formula, NamesAreSlantedNumbersUpright) {
  const Formula formula = typeset(tree("2*x"), 15);
  ASSERT_NE(run_of(formula, "x"), nullptr);
  EXPECT_TRUE(run_of(formula, "x")->italic);
  ASSERT_NE(run_of(formula, "2"), nullptr);
  EXPECT_FALSE(run_of(formula, "2")->italic);
  EXPECT_FALSE(run_of(typeset_plain("x", 15), "x")->italic);
}

TEST(Formula, TheBarOfAFractionLiesBetweenItsParts) {
  const Formula formula = typeset(tree("a/b"), 15);
  ASSERT_EQ(formula.rules.size(), 1U);
  const TextRule& bar = formula.rules[0];
  EXPECT_LT(height_of(formula, "a"), bar.y);
  EXPECT_GT(height_of(formula, "b"), bar.y);
  EXPECT_LT(bar.x1, bar.x2);
  EXPECT_GE(bar.x1, 0);
  EXPECT_LE(bar.x2, formula.width);
  EXPECT_GT(formula.height(), typeset(tree("a"), 15).height());
}

TEST(Formula, ScriptsAreSmallerAndRaisedOrLowered) {
  const Formula power = typeset(tree("x^2"), 15), index = typeset(tree("x1"), 15);
  EXPECT_LT(height_of(power, "2"), height_of(power, "x"));
  EXPECT_GT(height_of(index, "1"), height_of(index, "x"));
  EXPECT_LT(run_of(power, "2")->size, 15);
  EXPECT_LT(run_of(index, "1")->size, 15);
}

TEST(Formula, WidthsAddAndScale) {
  const Formula a = typeset(tree("a"), 15), b = typeset(tree("b"), 15);
  EXPECT_NEAR(a.followed_by(b, 5).width, a.width + 5 + b.width, 1e-9);
  EXPECT_NEAR(typeset(tree("a"), 30).width, 2 * a.width, 1e-9);
  EXPECT_GT(typeset_plain("WWW", 15).width, typeset_plain("iii", 15).width);
  const Formula moved = typeset(tree("a/b"), 15).moved(3, 4);
  EXPECT_NEAR(moved.rules[0].y, typeset(tree("a/b"), 15).rules[0].y + 4, 1e-9);
  EXPECT_NEAR(moved.rows[0].x, typeset(tree("a/b"), 15).rows[0].x + 3, 1e-9);
}

TEST(Formula, LongSumsAreBrokenBeforeSigns) {
  const Math sum = tree("aaa + bbb - ccc + ddd - eee");
  const double width = typeset(tree("aaa + bbb"), 15).width + 2;
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

TEST(Formula, EveryKindOfFormulaHasItsTextAndRoom) {
  for (const char* text : {"-(a + b)^2/(c*d)", "sqrt(x)*sin(y)^2", "exp(-t/T)", "abs(x) + 2^n", "1.5e-13*x*2^y", "min(a, b)"}) {
    const Formula formula = typeset(tree(text), 15);
    EXPECT_GT(formula.width, 0) << text;
    for (const TextRow& row : formula.rows) {
      EXPECT_GE(row.x - row.width / 2, -1e-9) << text;
      EXPECT_LE(row.x + row.width / 2, formula.width + 1e-9) << text;
    }
  }
  EXPECT_EQ(words(typeset(tree("-sqrt(2)*K_p"), 15)), "−√2Kp");
  EXPECT_EQ(words(typeset(Math::matrix({tree("a"), tree("b"), tree("c"), tree("d")}, 2), 15)), "(abcd)");
}

}  // namespace
}  // namespace sfg
