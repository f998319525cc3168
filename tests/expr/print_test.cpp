#include "sfg/expr/print.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include "sfg/expr/parse.hpp"

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

}  // namespace
}  // namespace sfg
