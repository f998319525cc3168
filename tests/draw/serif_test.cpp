#include "sfg/draw/letters.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sfg/draw/ink.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

Formula set(const char* text) {
  SymbolTable symbols;
  return typeset(math(parse(text, symbols)), 20);
}

// Advances of Times as Adobe's metrics file (AFM) has them; the ink as it is seen on paper.
TEST(Serif, MeasuresAreThoseOfATimes) {
  EXPECT_EQ(serif_extent("AVx", false).advance, 722 + 722 + 500);
  EXPECT_EQ(serif_extent("AVx", true).advance, 611 + 611 + 444);
  EXPECT_EQ(serif_extent("−", false).advance, 564);
  EXPECT_EQ(serif_extent("", true).advance, 0);
}

TEST(Serif, GreekLettersAndBracketsHaveTheirDepth) {
  for (const char* deep : {"β", "μ", "φ", "ρ", "χ", "ψ", "ζ", "ξ", "y", "(", ","})
    EXPECT_GT(serif_extent(deep, true).bottom, 100) << deep;
  for (const char* flat : {"α", "ω", "Δ", "x", "1"}) EXPECT_LT(serif_extent(flat, true).bottom, 30) << flat;
  EXPECT_LT(serif_extent("β", true).top, -600);
  EXPECT_GT(serif_extent("x", true).top, -500);
  EXPECT_LT(serif_extent("Č", false).top, serif_extent("C", false).top - 100);
}

TEST(Serif, WhatTheFaceLacksHasRoom) {
  EXPECT_EQ(serif_extent("\xCC\x81", false).advance, 0);                             // a combining accent
  EXPECT_GE(serif_extent("\xE4\xB8\xAD", false).advance, 1000);                      // a Chinese character
  EXPECT_GT(serif_extent("\xD7\xA9", false).right, serif_extent("i", false).right);  // a Hebrew letter
}

TEST(Ink, LiesInTheRoomOfItsFormula) {
  for (const char* text : {"x", "beta*mu", "-phi_y/(1 + T*s)", "sqrt(K_p)/2", "(a + b)^2"}) {
    const Formula f = set(text);
    const Box all = bounds(ink(f));
    EXPECT_GE(all.left, -2) << text;
    EXPECT_LE(all.right, f.width + 3) << text;  // slanted letters lean over
    EXPECT_GE(all.top, -f.ascent - 1.5) << text;
    EXPECT_LE(all.bottom, f.descent + 1.5) << text;
    const Box centred = bounds(ink_about_centre(f));
    EXPECT_NEAR(centred.right - centred.left, all.right - all.left, 1e-9) << text;
  }
}

TEST(Ink, ALineBetweenNumeratorAndBarIsInTheFormula) {
  const Formula f = set("a/(b + c)");
  const double bar = f.rules.at(0).y;
  const Box all = bounds(ink(f));
  const auto through = [&](double y) {
    double least = 1e9;
    for (const Box& part : ink(f)) least = std::min(least, distance(part, Point{all.left - 5, y}, Point{all.right + 5, y}));
    return least;
  };
  EXPECT_EQ(through(bar - 1.2), 0);
  EXPECT_EQ(through(bar + 1.2), 0);
  EXPECT_GT(through(all.bottom + 3), 2);
}

TEST(Ink, DistancesOfBoxes) {
  const Box box{0, 0, 10, 4};
  EXPECT_DOUBLE_EQ(distance(box, Point{13, 8}), 5);
  EXPECT_DOUBLE_EQ(distance(box, Point{5, 2}), 0);
  EXPECT_DOUBLE_EQ(distance(box, Box{13, 8, 20, 20}), 5);
  EXPECT_DOUBLE_EQ(distance(box, Point{-5, 2}, Point{20, 2}), 0);
  EXPECT_DOUBLE_EQ(distance(box, Point{-5, 6}, Point{20, 6}), 2);
  EXPECT_NEAR(distance(box, Point{10, 8}, Point{14, 4}), 4 / std::sqrt(2.0), 1e-12);  // the corner looks at the slanted line
}

}  // namespace
}  // namespace sfg
