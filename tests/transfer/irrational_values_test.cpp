// Graphs whose irrational values cancel: what is left is known by algebra, here on paper.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sfg/control/poles.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/transfer/characteristic.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

SignalFlowGraph branch(const std::string& gain, const std::string& variable = "s") {
  SignalFlowGraph graph;
  graph.op = variable;
  graph.symbols.symbol(variable);
  graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
  return graph;
}

ExactTransfer transfer(const SignalFlowGraph& graph) {
  const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
  return exact_transfers(graph, std::span(&question, 1)).front();
}

PolesZeros poles(const std::string& gain, const std::string& variable = "s") {
  return poles_zeros(transfer(branch(gain, variable)));
}

TEST(IrrationalValues, VanishingCoefficientsDecideNoDegree) {
  for (const char* zero : {"sqrt(2)*sqrt(3) - sqrt(6)", "sin(1)^2 + cos(1)^2 - 1", "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)",
                           "atan(1/2) + atan(1/3) - pi/4", "sqrt(2)^2 - 2"}) {
    const ExactTransfer T = transfer(branch(std::string("1/((") + zero + ")*s^2 + s + 1)"));
    EXPECT_EQ(T.denominator.polynomial(), (exact::RationalPolynomial{1, 1})) << zero;
    EXPECT_EQ(T.numerator.polynomial(), exact::RationalPolynomial{1}) << zero;
  }
}

TEST(IrrationalValues, RandomRadicandsOfLeadingCoefficients) {
  std::mt19937 random(7);
  for (int i = 0; i < 15; ++i) {
    const auto draw = [&] { return std::to_string(std::uniform_int_distribution<int>(2, 30)(random)); };
    const std::string a = draw(), b = draw();
    SignalFlowGraph graph = branch("1/((p*q - r)*s^3 + s + p)");  // the values come after the symbolic answer
    graph.symbols.find("p")->value = parse("sqrt(" + a + ")", graph.symbols);
    graph.symbols.find("q")->value = parse("sqrt(" + b + ")", graph.symbols);
    graph.symbols.find("r")->value = parse("sqrt(" + a + "*" + b + ")", graph.symbols);
    const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
    const PolesZeros found = poles_zeros(exact_transfer(transfer_function(graph, question), graph));
    ASSERT_EQ(found.modes.size(), 1U) << a << ", " << b;
    EXPECT_NEAR(found.modes[0].pole.value.real(), -std::sqrt(std::stod(a)), 1e-14) << a;
    EXPECT_TRUE(found.stable);
  }
}

TEST(IrrationalValues, DoubleRootsAreDouble) {
  const PolesZeros found = poles("1/(s^2 + 2*sqrt(2)*s + 2)");
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_EQ(found.modes[0].pole.multiplicity, 2U);
  EXPECT_EQ(found.modes[0].pole.value, std::complex<double>(-std::sqrt(2.0)));
}

TEST(IrrationalValues, CommonFactorsOfNumbersCancel) {
  const PolesZeros found = poles("(s^2 + sqrt(2))*(s + 1)/((s^2 + sqrt(2))*(s + sqrt(3)))");
  ASSERT_EQ(found.modes.size(), 1U);
  EXPECT_EQ(found.zeros.size(), 1U);
  const PolesZeros hidden = poles("(s + sqrt(2))/(s^2 - 2)");
  ASSERT_EQ(hidden.modes.size(), 1U);
  EXPECT_NEAR(hidden.modes[0].pole.value.real(), std::sqrt(2.0), 1e-15);
}

TEST(IrrationalValues, UndampedPolesAreUndamped) {
  const PolesZeros found = poles("1/((s^2 + sqrt(2))*(s + sqrt(3)))");
  EXPECT_EQ(std::count_if(found.modes.begin(), found.modes.end(), [](const Mode& m) { return m.pole.on_axis; }), 2);
  EXPECT_FALSE(found.stable);
  EXPECT_FALSE(poles("1/(z^2 - sqrt(2)*z + 1)", "z").stable);
}

TEST(IrrationalValues, TheTransferFunctionIsPrintedWithoutThem) {
  const auto text = [](const std::string& gain) {
    const SignalFlowGraph graph = branch(gain);
    return transfer_function(graph, {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}}).value.text();
  };
  EXPECT_EQ(text("1/((sin(1)^2 + cos(1)^2 - 1)*s^2 + s + 1)"), "1/(s + 1)");
  EXPECT_EQ(text("1/(sqrt(2)^2*s + 1)"), "1/(2*s + 1)");
}

TEST(IrrationalValues, ConstantsVanishExactly) {
  SymbolTable symbols;
  EXPECT_TRUE(vanishes(parse("sqrt(2)*sqrt(3) - sqrt(6)", symbols)));
  EXPECT_TRUE(vanishes(parse("a*(sin(1)^2 + cos(1)^2) - a", symbols)));
  EXPECT_FALSE(vanishes(parse("a*sqrt(2) - a*sqrt(3)", symbols)));
  EXPECT_TRUE(normal_form(parse("(sqrt(2)*sqrt(3) - sqrt(6))*a + b - b", symbols)).is_zero());
  const GiNaC::ex x = symbols.symbol("x");
  EXPECT_EQ(polynomial_coefficients(parse("(sqrt(8) - 2*sqrt(2))*x^2 + x", symbols), x)->size(), 2U);
}

TEST(IrrationalValues, RouthSeesRowsThatVanish) {
  SymbolTable symbols;
  const auto array = [&](const char* text) {
    const GiNaC::ex s = symbols.symbol("s");
    return routh(*polynomial_coefficients(parse(text, symbols), s));
  };
  const RouthArray edge = array("s^3 + sqrt(2)*s^2 + sqrt(3)*s + sqrt(6)");
  EXPECT_TRUE(edge.never_stable);
  EXPECT_EQ(edge.counts->axis, 2U);
  EXPECT_EQ(edge.counts->left, 1U);
  EXPECT_EQ(edge.notes.size(), 1U);
  EXPECT_EQ(array("s^2 + sqrt(2)*s + K").stable_if, "K > 0");
}

TEST(IrrationalValues, RangesEndWhereTheyDo) {
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s"), K = symbols.symbol("K");
  const auto ranges = [&](const char* text) { return stable_ranges(exact_coefficients_in(parse(text, symbols), s, K)); };
  const auto found = ranges("s^3 + sqrt(2)*s^2 + sqrt(3)*s + sqrt(6)*K");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].low->number, 0);
  EXPECT_EQ(found[0].high->number, 1);
  EXPECT_TRUE(ranges("(s^2 + sqrt(2))*(s + K)").empty());  // a pair on the axis whatever K is
}

TEST(IrrationalValues, WhatCannotBeDecidedIsNamed) {
  SymbolTable symbols;
  try {
    const GiNaC::ex x = symbols.symbol("x");
    (void)polynomial_coefficients(parse("(cos(exp(-9000)) - 1)*x^2 + x", symbols), x);
    FAIL() << "decided";
  } catch (const NoAnswer& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("the coefficient of x^2, cos(exp(-9000)) - 1, may be zero"), std::string::npos)
        << refusal.what();
  }
}

}  // namespace
}  // namespace sfg
