// Letters with accents as a formula writes them, however they are encoded; numbers with exponents and imaginary ones.

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>

#include "sfg/expr/latex_text.hpp"
#include "sfg/expr/math_tree.hpp"

namespace sfg {
namespace {

std::string formula(const std::string& word) { return accented_in_latex(word).value_or("none"); }

TEST(AccentedLetter, PrecomposedAndCombiningAreTheSame) {
  const std::pair<const char*, const char*> same[] = {{"ẋ", "x\u0307"}, {"ẍ", "x\u0308"}, {"ŷ", "y\u0302"}, {"ẏ", "y\u0307"},
                                                      {"ñ", "n\u0303"}, {"ū", "u\u0304"}, {"ż", "z\u0307"}, {"Ẇ", "W\u0307"},
                                                      {"ǎ", "a\u030C"}, {"å", "a\u030A"}, {"ά", "α\u0301"}, {"ĝ", "g\u0302"}};
  for (const auto& [one, two] : same) {
    EXPECT_EQ(formula(one), formula(two)) << one;
    EXPECT_NE(formula(one), "none") << one;
  }
  EXPECT_EQ(formula("ẋ"), "\\dot{x}");
  EXPECT_EQ(formula("ǘ"), "\\acute{\\ddot{u}}");
  EXPECT_EQ(formula("ω̄′"), "\\bar{\\omega}'");
  EXPECT_EQ(formula("x″"), "x''");
}

TEST(AccentedLetter, AnythingElseIsNone) {
  for (const char* word : {"", "x", "α", "größe", "ẋy", "1\u0307", "′", "x′y", "ш", "ẋ1"})
    EXPECT_EQ(formula(word), "none") << word;
}

TEST(AccentedLetter, EveryAccentOnEveryLetterIsWrittenInText) {
  const std::pair<const char*, const char*> accents[] = {
      {"\u0300", "grave"}, {"\u0301", "acute"}, {"\u0302", "hat"},  {"\u0303", "tilde"}, {"\u0304", "bar"},
      {"\u0306", "breve"}, {"\u0307", "dot"},   {"\u0308", "ddot"}, {"\u030C", "check"}, {"\u20D7", "vec"}};
  for (const auto& [mark, command] : accents)
    for (char letter = 'a'; letter <= 'z'; ++letter) {
      const std::string accented = std::string(1, letter) + mark;
      EXPECT_EQ(latex_text("of " + accented + "!"), "of $\\" + std::string(command) + "{" + letter + "}$!");
      EXPECT_EQ(write(Math::signal(accented), Notation::latex), "\\" + std::string(command) + "{" + letter + "}");
    }
}

TEST(NumberInLatex, ExponentsHaveNoZerosInFront) {
  for (int exponent = 1; exponent < 300; ++exponent) {
    char text[32];
    for (const char* form : {"1.5e-%02d", "1.5e+%02d", "1.5e-%03d", "1.5e%d"}) {
      std::snprintf(text, sizeof text, form, exponent);
      const std::string minus = std::string(form)[4] == '-' ? "-" : "";
      const Math number = Math::number(text);
      EXPECT_EQ(write(number, Notation::latex), "1.5 \\cdot 10^{" + minus + std::to_string(exponent) + "}");
      EXPECT_NE(mathml(number).find("<mn>" + std::to_string(exponent) + "</mn>"), std::string::npos);
    }
  }
  EXPECT_EQ(write(Math::number("88655.49683j"), Notation::latex), "88655.49683\\,\\mathrm{j}");
  EXPECT_EQ(write(Math::number("2e-06j"), Notation::latex), "2 \\cdot 10^{-6}\\,\\mathrm{j}");
}

}  // namespace
}  // namespace sfg
