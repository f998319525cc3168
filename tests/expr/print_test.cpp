#include "sfg/expr/print.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {
namespace {

std::string printed(std::string_view text, Notation notation = Notation::text, std::string_view main = {}) {
  SymbolTable symbols;
  return print(parse(text, symbols), notation, main);
}

TEST(Print, OrdersTermsByNameAndDegree) {
  EXPECT_EQ(printed("1+x+x^2"), "x^2 + x + 1");
  EXPECT_EQ(printed("b-a"), "b - a");
  EXPECT_EQ(printed("a-b"), "a - b");
  EXPECT_EQ(printed("-a-b"), "-a - b");
  EXPECT_EQ(printed("k10*k2*k1"), "k1*k2*k10");
  EXPECT_EQ(printed("0"), "0");
  EXPECT_EQ(printed("-3"), "-3");
  EXPECT_EQ(printed("c*s+k+m*s^2", Notation::text, "s"), "m*s^2 + c*s + k");
  EXPECT_EQ(printed("1-s^2", Notation::text, "s"), "-s^2 + 1");
}

TEST(Print, ANumberComesFirstInASumWithoutTheOperator) {
  const auto in_s = [](std::string_view text) { return printed(text, Notation::text, "s"); };
  EXPECT_EQ(in_s("G*H + 1"), "1 + G*H");
  EXPECT_EQ(in_s("G1*G2/(G2*H1 - 1)"), "-G1*G2/(1 - G2*H1)");
  EXPECT_EQ(in_s("K*(G - 1)"), "K*(G - 1)");
  EXPECT_EQ(in_s("K/(T*s + 1)"), "K/(T*s + 1)");
  EXPECT_EQ(in_s("K/(1 - s)"), "-K/(s - 1)");
  EXPECT_EQ(in_s("K/(1 - T*s)"), "K/(-T*s + 1)");
  EXPECT_EQ(in_s("1 + K/s"), "1 + K/s");
}

TEST(Print, WritesFractions) {
  EXPECT_EQ(printed("K/(s*(1+T*s))"), "K/(s*(T*s + 1))");
  EXPECT_EQ(printed("a/b"), "a/b");
  EXPECT_EQ(printed("1/(a*b)"), "1/(a*b)");
  EXPECT_EQ(printed("x/2"), "x/2");
  EXPECT_EQ(printed("-2*x/3"), "-2*x/3");
  EXPECT_EQ(printed("x/(2*y^2)"), "x/(2*y^2)");
  EXPECT_EQ(printed("0.25"), "1/4");
  EXPECT_EQ(printed("1e-15*x"), "1e-15*x");
  EXPECT_EQ(printed("1.5e-13"), "1.5e-13");
  EXPECT_EQ(printed("12.00000000000001"), "12.00000000000001");
  EXPECT_EQ(printed("1/3000000000000000"), "1/3000000000000000");
}

TEST(Print, WritesPowersAndFunctions) {
  EXPECT_EQ(printed("sqrt(x)"), "sqrt(x)");
  EXPECT_EQ(printed("1/sqrt(x)"), "1/sqrt(x)");
  EXPECT_EQ(printed("x^(3/2)"), "x^(3/2)");
  EXPECT_EQ(printed("x^y"), "x^y");
  EXPECT_EQ(printed("x^(-y)"), "x^(-y)");
  EXPECT_EQ(printed("(x^y)^z"), "(x^y)^z");
  EXPECT_EQ(printed("(a+b)^2"), "(a + b)^2");
  EXPECT_EQ(printed("(-1)^x"), "(-1)^x");
  EXPECT_EQ(printed("2^x"), "2^x");
  EXPECT_EQ(printed("(1/2)^x"), "(1/2)^x");
  EXPECT_EQ(printed("sqrt(2)*x"), "sqrt(2)*x");
  EXPECT_EQ(printed("atan2(y,x)*pi"), "pi*atan2(y, x)");
  EXPECT_EQ(printed("sin(b-a)^2"), "sin(b - a)^2");
  EXPECT_EQ(printed("sqrt(-1)*I"), "sqrt(-1)*I");
}

TEST(Print, SignsOfSumsUnderPowersAreSettled) {
  EXPECT_EQ(printed("1/(y-x)"), "-1/(x - y)");
  EXPECT_EQ(printed("-1/(x-y)"), "-1/(x - y)");
  EXPECT_EQ(printed("(y-x)^2"), "(x - y)^2");
  EXPECT_EQ(printed("a/(y-x)^3"), "-a/(x - y)^3");
}

// GiNaC orders by the identity of symbols: other orders of creation stand for other runs.
TEST(Print, IsTheSameForEveryOrderOfSymbols) {
  const std::string text = "(y-x)^3*(k2-k1+3)/(b-a*sin(x-y))^5 + sqrt(x-y)*(z-a)*(a-2*z)^2/(x*y-z) - exp(-x*z)*(b-x)";
  std::vector<std::string> names{"a", "b", "k1", "k2", "x", "y", "z"};
  const std::string expected = printed(text);
  for (int order = 0; order < 200; ++order) {
    SymbolTable symbols;
    std::vector<GiNaC::symbol> waste(static_cast<std::size_t>(order % 7));
    for (const std::string& name : names) symbols.symbol(name);
    const std::string actual = print(parse(text, symbols));
    ASSERT_EQ(actual, expected);
    std::next_permutation(names.begin(), names.end());
    std::swap(names[static_cast<std::size_t>(order) % 7], names[0]);
  }
}

TEST(Print, DoublesReadBack) {
  EXPECT_EQ(print(0.1), "0.1");
  EXPECT_EQ(print(-2.0), "-2");
  EXPECT_EQ(print(1e300), "1e+300");
}

TEST(Print, WritesCode) {
  EXPECT_EQ(printed("x^2/2+sqrt(a)*abs(b)", Notation::c), "sqrt(a)*fabs(b) + pow(x, 2)/2.0");
  EXPECT_EQ(printed("x^2/2+min(a,b)", Notation::python), "min(a, b) + x**2/2");
  EXPECT_EQ(printed("x^2/2+step(a-b)", Notation::octave), "(a - b >= 0) + x^2/2");
  EXPECT_EQ(printed("1/2", Notation::c), "1.0/2.0");
}

TEST(Print, WritesLatex) {
  const auto latex = [](std::string_view text) { return printed(text, Notation::latex, "s"); };
  EXPECT_EQ(latex("K1/(s*(1+T*s))"), "\\frac{K_{1}}{s \\left(T s + 1\\right)}");
  EXPECT_EQ(latex("1/(s+1)"), "\\frac{1}{s + 1}");
  EXPECT_EQ(latex("-x/2"), "-\\frac{x}{2}");
  EXPECT_EQ(latex("phi1*Jx^2"), "J_{x}^{2} \\varphi_{1}");
  EXPECT_EQ(latex("sin(x)^2+sqrt(a+b)"), "\\sqrt{a + b} + \\sin^{2}\\left(x\\right)");
  EXPECT_EQ(latex("exp(-T*s)"), "\\mathrm{e}^{-T s}");
  EXPECT_EQ(latex("2*3^x"), "2 \\cdot 3^{x}");
  EXPECT_EQ(latex("1.5e-13*x"), "1.5 \\cdot 10^{-13} x");
  EXPECT_EQ(latex("abs(x)*sign(y)"), "\\left|x\\right| \\operatorname{sign}\\left(y\\right)");
}

TEST(Print, WritesUnicode) {
  const auto unicode = [](std::string_view text) { return printed(text, Notation::unicode, "s"); };
  EXPECT_EQ(unicode("K1*s^2/(1+T*s)"), "K₁·s²/(T·s + 1)");
  EXPECT_EQ(unicode("-a-b"), "−a − b");
  EXPECT_EQ(unicode("x^(-y)*omega"), "ω·x^(−y)");
  EXPECT_EQ(unicode("sqrt(k/m)"), "√(k/m)");
  EXPECT_EQ(unicode("sqrt(k1)/2"), "√k₁/2");
  EXPECT_EQ(unicode("pi*x12"), "π·x₁₂");
  EXPECT_EQ(unicode("1.5e-13"), "1.5·10⁻¹³");
}

TEST(Print, WritesMarkup) {
  const auto markup = [](std::string_view text) { return printed(text, Notation::markup, "s"); };
  EXPECT_EQ(markup("K1*s^2/(1+T*s)"), "<I>K</I><SUB>1</SUB>·<I>s</I><SUP>2</SUP>/(<I>T</I>·<I>s</I> + 1)");
  EXPECT_EQ(markup("exp(-T*s)"), "e<SUP>−<I>T</I>·<I>s</I></SUP>");
  EXPECT_EQ(markup("Jx/phix"), "<I>J</I><SUB>x</SUB>/<I>φ</I><SUB>x</SUB>");
}

TEST(Print, NamesShowTheirLettersAndSubscripts) {
  const auto latex = [](std::string_view name) { return print_name(name, Notation::latex); };
  EXPECT_EQ(latex("k"), "k");
  EXPECT_EQ(latex("k12"), "k_{12}");
  EXPECT_EQ(latex("K_p"), "K_{p}");
  EXPECT_EQ(latex("l_1_2"), "l_{1,2}");
  EXPECT_EQ(latex("phi"), "\\varphi");
  EXPECT_EQ(latex("φ1"), "\\varphi_{1}");
  EXPECT_EQ(latex("phix"), "\\varphi_{x}");
  EXPECT_EQ(latex("Omega_max"), "\\Omega_{\\mathrm{max}}");
  EXPECT_EQ(latex("mass"), "\\mathrm{mass}");
  EXPECT_EQ(latex("_x"), "\\mathrm{\\_x}");
  EXPECT_EQ(latex("x_"), "\\mathrm{x\\_}");
  EXPECT_EQ(latex("Gäin"), "\\text{Gäin}");
  EXPECT_EQ(print_name("delta12", Notation::unicode), "δ₁₂");
  EXPECT_EQ(print_name("K_p", Notation::unicode), "K_p");
  EXPECT_EQ(print_name("φ", Notation::c), "phi");
  EXPECT_EQ(print_name("ä", Notation::c), "uc3a4");
  EXPECT_EQ(print_name("lambda", Notation::python), "lambda_");
  EXPECT_EQ(print_name("sin", Notation::octave), "sin_");
  EXPECT_EQ(print_name("i", Notation::octave), "i_");
  EXPECT_EQ(print_name("i", Notation::c), "i");
}

ring::Polynomial polynomial(std::string_view text, SymbolTable& symbols) {
  const GiNaC::ex e = parse(text, symbols);
  return PolynomialSpace(std::span(&e, 1), symbols.symbol("s")).rational(e).numerator();
}

TEST(PrintPolynomial, CollectsThePowersOfTheFirstVariable) {
  SymbolTable symbols;
  EXPECT_EQ(print(polynomial("k1*s^2+k2*s^2+c*s+1", symbols)), "(k1 + k2)*s^2 + c*s + 1");
  EXPECT_EQ(print(polynomial("k1*s^2+k2*s^2+c*s+1", symbols), Notation::text, Terms::expanded), "k1*s^2 + k2*s^2 + c*s + 1");
  EXPECT_EQ(print(polynomial("-k1*s^2+k2*s^2-a-b", symbols)), "(k2 - k1)*s^2 - a - b");
  EXPECT_EQ(print(polynomial("s*x/2-3*s^3", symbols)), "-3*s^3 + x*s/2");
  EXPECT_EQ(print(polynomial("s-s", symbols)), "0");
  EXPECT_EQ(print(polynomial("s*(2^x)^y*(2^x)^y+a", symbols)), "((2^x)^y)^2*s + a");
  EXPECT_EQ(print(polynomial("k1*s^2+k2*s^2+c*s+1", symbols), Notation::latex), "\\left(k_{1} + k_{2}\\right) s^{2} + c s + 1");
  EXPECT_EQ(print(polynomial("(k1+k2)*s^2/2-sin(x)^2", symbols), Notation::unicode), "(k₁/2 + k₂/2)·s² − sin(x)²");
}

TEST(Print, FiniteDecimalsAreExact) {
  const auto decimal = [](long numerator, long denominator) { return finite_decimal(GiNaC::numeric(numerator, denominator)); };
  EXPECT_EQ(decimal(-369, 100), "-3.69");
  EXPECT_EQ(decimal(7, 1), "7");
  EXPECT_EQ(decimal(1, 8), "0.125");
  EXPECT_EQ(decimal(1, 1000000), "1e-6");
  EXPECT_FALSE(decimal(1, 3));
}

}  // namespace
}  // namespace sfg
