#include "sfg/expr/math_tree.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

#include "random_text.hpp"
#include "sfg/expr/condition.hpp"
#include "sfg/expr/decimal_fraction.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {
namespace {

using Kind = Math::Kind;

Math tree(std::string_view text, std::string_view main = {}) {
  SymbolTable symbols;
  return math(parse(text, symbols), main);
}

TEST(MathTree, HasTheOrderOfTheText) {
  const Math sum = tree("k + c*s - m*s^2/2", "s");
  ASSERT_EQ(sum.kind, Kind::sum);
  ASSERT_EQ(sum.parts.size(), 3U);
  EXPECT_TRUE(sum.parts[0].is_negative());
  EXPECT_EQ(sum.parts[0].parts[0].kind, Kind::quotient);
  EXPECT_EQ(sum.parts[1], Math::product({Math::name("c"), Math::name("s")}));
  EXPECT_EQ(sum.parts[2], Math::name("k"));
}

TEST(MathTree, ANegativeIsSoAsAWhole) {
  EXPECT_TRUE(tree("-a*b").is_negative());
  EXPECT_TRUE(tree("-a/(b + 1)").is_negative());
  EXPECT_TRUE(tree("-3").is_negative());
  EXPECT_FALSE(tree("-a - b").is_negative());
  EXPECT_FALSE(tree("b - a").is_negative());
}

TEST(MathTree, ByHandNeedsNoParentheses) {
  const Math a = Math::name("a"), b = Math::name("b"), two = Math::number("2");
  const Math sum = Math::sum({a, Math::negative(b)});
  EXPECT_EQ(write(Math::product({sum, sum}), Notation::text), "(a - b)*(a - b)");
  EXPECT_EQ(write(Math::negative(sum), Notation::text), "-(a - b)");
  EXPECT_EQ(write(Math::sum({a, Math::negative(sum)}), Notation::latex), "a - \\left(a - b\\right)");
  EXPECT_EQ(write(Math::power(Math::quotient(a, b), two), Notation::unicode), "(a/b)²");
  EXPECT_EQ(write(Math::quotient(Math::quotient(a, b), Math::product({a, b})), Notation::text), "(a/b)/(a*b)");
  EXPECT_EQ(write(Math::equation(a, Math::quotient(sum, two)), Notation::latex), "a = \\frac{a - b}{2}");
  EXPECT_EQ(write(Math::relation(a, "≤", b), Notation::text), "a <= b");
  EXPECT_EQ(write(Math::matrix({a, b, two, a}, 2), Notation::latex), "\\begin{pmatrix} a & b \\\\ 2 & a \\end{pmatrix}");
  EXPECT_EQ(write(Math::matrix({a, b, two, a}, 2), Notation::octave), "[a, b; 2, a]");
  EXPECT_EQ(write(Math::signal("v(out) & 50 %"), Notation::latex), "\\text{v(out) \\& 50 \\%}");
  EXPECT_EQ(write(Math::signal("x1"), Notation::latex), "x_{1}");
}

TEST(MathTree, ALineOfTermsShowsItsSign) {
  const Math sum = tree("a - b + c - d");
  EXPECT_EQ(terms(sum).size(), 4U);
  EXPECT_EQ(write(line_of_terms(sum, 0, 2), Notation::text), "a - b");
  EXPECT_EQ(write(line_of_terms(sum, 2, 4), Notation::latex), "+ c - d");
  EXPECT_EQ(write(line_of_terms(sum, 1, 2), Notation::unicode), "− b");
  EXPECT_EQ(terms(tree("a*b")).size(), 1U);
}

TEST(MathTree, LatexOfEachKind) {
  const auto latex = [](std::string_view text) { return write(tree(text, "s"), Notation::latex); };
  EXPECT_EQ(latex("K1/(s*(1+T*s))"), "\\frac{K_{1}}{s \\left(T s + 1\\right)}");
  EXPECT_EQ(latex("-(a+b)/2"), "-\\frac{a}{2} - \\frac{b}{2}");
  EXPECT_EQ(latex("sin(x)^2*exp(-t)*abs(y)"), "\\left|y\\right| \\mathrm{e}^{-t} \\sin^{2}\\left(x\\right)");
  EXPECT_EQ(latex("2*sqrt(6)*2^x"), "2 \\cdot 2^{x} \\sqrt{6}");
}

/// A reader of the elements that mathml() writes, back to the grammar of parse().
class MathmlReader {
 public:
  explicit MathmlReader(std::string text) : text_(std::move(text)) {}

  /// Nothing where an element is not closed, or has not the parts it needs.
  std::optional<std::string> expression() {
    const auto opened = tag();
    if (!opened || !opened->starts_with("math")) return std::nullopt;
    const auto inside = children("math");
    if (!inside || at_ != text_.size() || inside->size() != 1) return std::nullopt;
    return inside->front();
  }

 private:
  std::optional<std::string> tag() {
    if (at_ >= text_.size() || text_[at_] != '<') return std::nullopt;
    const std::size_t end = text_.find('>', at_);
    if (end == std::string::npos) return std::nullopt;
    const std::string name = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return name.substr(0, name.find(' '));
  }

  std::optional<std::vector<std::string>> children(const std::string& parent) {
    std::vector<std::string> made;
    while (true) {
      if (text_.substr(at_).starts_with("</")) return tag() == "/" + parent ? std::optional(made) : std::nullopt;
      auto next = element();
      if (!next) return std::nullopt;
      made.push_back(std::move(*next));
    }
  }

  std::optional<std::string> element() {
    const auto name = tag();
    if (!name) return std::nullopt;
    if (*name == "mi" || *name == "mn" || *name == "mo" || *name == "mtext") return leaf(*name);
    const auto parts = children(*name);
    if (!parts) return std::nullopt;
    return joined(*name, *parts);
  }

  std::optional<std::string> leaf(const std::string& name) {
    const std::size_t end = text_.find('<', at_);
    if (end == std::string::npos) return std::nullopt;
    std::string text = text_.substr(at_, end - at_);
    at_ = end;
    if (tag() != "/" + name) return std::nullopt;
    const std::map<std::string, std::string> signs{{"−", "-"}, {"·", "*"}, {"\u2062", "*"}, {"\u2061", ""}, {"π", "pi"}};
    const auto known = signs.find(text);
    return known == signs.end() ? text : known->second;
  }

  static std::optional<std::string> joined(const std::string& name, const std::vector<std::string>& p) {
    if (name == "mrow" || name == "msqrt") {
      std::string all;
      for (const std::string& part : p) all += part;
      if (name == "mrow" && p.size() == 3 && p[0] == "|" && p[2] == "|") return "abs(" + p[1] + ")";
      return name == "msqrt" ? "sqrt(" + all + ")" : all;
    }
    if (name == "msubsup" && p.size() == 3) return p[0] + p[1] + "^(" + p[2] + ")";
    if (p.size() != 2) return std::nullopt;
    if (name == "mfrac") return "((" + p[0] + ")/(" + p[1] + "))";
    if (name == "msub") return p[0] + p[1];
    if (name == "msup") return p[0] == "e" ? "exp(" + p[1] + ")" : p[0] + "^(" + p[1] + ")";
    return std::nullopt;
  }

  std::string text_;
  std::size_t at_ = 0;
};

TEST(MathTree, TextAndMathmlOfRandomExpressionsReadBack) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SymbolTable symbols;
    const auto e = test::random_expression(seed, symbols);
    if (!e) continue;
    ++tried;
    const Math formula = math(*e, "s");
    const std::string text = write(formula, Notation::text);
    EXPECT_EQ(text, print(*e, Notation::text, "s"));
    const auto same = [&](const std::string& read) {
      const GiNaC::ex back = parse(read, symbols);
      return back.is_equal(*e) || vanishes(back - *e);
    };
    EXPECT_TRUE(same(text)) << "seed " << seed << ": " << text;
    const std::string element = mathml(formula);
    const auto read = MathmlReader(element).expression();
    ASSERT_TRUE(read.has_value()) << "seed " << seed << ": " << element;
    EXPECT_TRUE(same(*read)) << "seed " << seed << ": " << text << " in MathML reads " << *read;
  }
  EXPECT_GT(tried, 250);
}

TEST(MathTree, MathmlEscapesNames) {
  EXPECT_EQ(mathml(Math::word("a<b & c")),
            "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mtext>a&lt;b &amp; c</mtext></math>");
  EXPECT_EQ(mathml(Math::name("K_p"), true),
            "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\"><msub><mi>K</mi><mi>p</mi></msub></math>");
}

TEST(MathTree, PolynomialsToo) {
  SymbolTable symbols;
  const PolynomialSpace space(std::vector<GiNaC::ex>{parse("k1*s^2+k2*s^2+c*s+1", symbols)}, symbols.symbol("s"));
  const auto polynomial = space.rational(parse("k1*s^2+k2*s^2+c*s+1", symbols)).numerator();
  const Math collected = math(polynomial);
  EXPECT_EQ(terms(collected).size(), 3U);
  EXPECT_EQ(write(collected, Notation::text), print(polynomial));
  EXPECT_EQ(terms(math(polynomial, Terms::expanded)).size(), 4U);
}

TEST(DecimalFraction, IsNormalisedAndRounded) {
  const auto decimals = [](std::string_view text, std::size_t digits) {
    SymbolTable symbols;
    const GiNaC::ex e = parse(text, symbols), s = symbols.symbol("s");
    const DecimalFraction made = decimal_fraction(PolynomialSpace(std::span(&e, 1), s).rational(e).reduced(), digits);
    return write(made.above, Notation::text) + (made.below ? " over " + write(*made.below, Notation::text) : "") +
           (made.rounded ? " rounded" : "");
  };
  EXPECT_EQ(decimals("2.5/(0.125*s^2 + s + 2.5)", 6), "20 over s^2 + 8*s + 20");
  EXPECT_EQ(decimals("1/(3*s + 2)", 4), "0.3333 over s + 0.6667 rounded");
  EXPECT_EQ(decimals("1/(3*s + 2)", 1), "0.3 over s + 0.7 rounded");
  EXPECT_EQ(decimals("999.9996/(s + 1)", 6), "1000 over s + 1 rounded");
  EXPECT_EQ(decimals("1/(1e-9*s + 1.5e-3)", 6), "1e9 over s + 1500000");
  EXPECT_EQ(decimals("-K/(8*G*H - 8)", 6), "-0.125*K over G*H - 1");
  EXPECT_EQ(decimals("x^(1/3)/4", 2), "0.25*x^(1/3)");
  EXPECT_EQ(decimals("1/(123456789123456789*s + 1)", 20).substr(0, 25), "8.1000000656100006052e-18");
}

TEST(Condition, IsReadAsALimit) {
  SymbolTable symbols;
  const auto condition = [&](std::string_view text, const PositiveLetters& letters = {}) {
    return write(positive_condition(parse(text, symbols), letters), Notation::text);
  };
  const PositiveLetters all{.all = true};
  EXPECT_EQ(condition("4*w^2 - 4*d^2*w^2"), "d^2 < 1");
  EXPECT_EQ(condition("4*w^2 - 4*d^2*w^2", all), "d < 1");
  EXPECT_EQ(condition("4*w^2 - 4*d^2*w^2", {.values = {{symbols.symbol("d"), GiNaC::numeric(1, 2)}}}), "d < 1");
  EXPECT_EQ(condition("4*k*m - c^2"), "4*k*m > c^2");
  EXPECT_EQ(condition("K"), "K > 0");
  EXPECT_EQ(condition("-K"), "K < 0");
  EXPECT_EQ(condition("(1 - K)/w", all), "K < 1");
  EXPECT_EQ(condition("(1 - K)/w"), "w > K*w");
}

}  // namespace
}  // namespace sfg
