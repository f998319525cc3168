#include "sfg/expr/compile.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

struct Compiled {
  SymbolTable symbols;
  numeric::Tape tape;
  explicit Compiled(const std::string& text, const std::vector<std::string>& inputs) {
    std::vector<GiNaC::ex> list;
    for (const std::string& input : inputs) list.push_back(symbols.symbol(input));
    tape = compile(std::vector<GiNaC::ex>{parse(text, symbols)}, list);
  }
  double operator()(std::vector<double> x) const { return tape.values<double>(x).front(); }
};

TEST(Compile, EveryFunctionOfTheGrammar) {
  const double x = 0.3, y = -0.7;
  const std::vector<std::pair<std::string, double>> cases{{"sqrt(x)", std::sqrt(x)},
                                                          {"exp(x)", std::exp(x)},
                                                          {"log(x)", std::log(x)},
                                                          {"sin(x)", std::sin(x)},
                                                          {"cos(x)", std::cos(x)},
                                                          {"tan(x)", std::tan(x)},
                                                          {"asin(x)", std::asin(x)},
                                                          {"acos(x)", std::acos(x)},
                                                          {"atan(x)", std::atan(x)},
                                                          {"atan2(y, x)", std::atan2(y, x)},
                                                          {"sinh(x)", std::sinh(x)},
                                                          {"cosh(x)", std::cosh(x)},
                                                          {"tanh(x)", std::tanh(x)},
                                                          {"abs(y)", std::abs(y)},
                                                          {"sign(y)", -1},
                                                          {"min(x, y)", y},
                                                          {"max(x, y, 1/4)", x},
                                                          {"step(y) + step(x)", 1},
                                                          {"pi*x", std::acos(-1.0) * x},
                                                          {"x^3 - y^2/x", x * x * x - y * y / x},
                                                          {"x^(-3/2)", std::pow(x, -1.5)},
                                                          {"x^y", std::pow(x, y)},
                                                          {"(x+y)/(x*y^2-1)", (x + y) / (x * y * y - 1)},
                                                          {"2^x*0.1", std::pow(2, x) * 0.1}};
  for (const auto& [text, expected] : cases) EXPECT_NEAR(Compiled(text, {"x", "y"})({x, y}), expected, 1e-14) << text;
}

TEST(Compile, GivesTheSameTapeWhateverTheOrderOfSymbols) {
  const std::string text = "a*b*c + c*d/(a + b + e) - 3*e*a + sin(d*b)*a^2";
  std::vector<numeric::Instruction> first;
  for (int run = 0; run < 5; ++run) {
    SymbolTable symbols;
    for (int junk = 0; junk < run; ++junk) symbols.symbol("junk" + std::to_string(junk));  // other serial numbers
    if (run % 2 == 1) symbols.symbol("e");
    std::vector<GiNaC::ex> inputs;
    const GiNaC::ex e = parse(text, symbols);
    for (const char* name : {"a", "b", "c", "d", "e"}) inputs.push_back(symbols.symbol(name));
    const numeric::Tape tape = compile(std::vector<GiNaC::ex>{e}, inputs);
    const std::vector<numeric::Instruction> now(tape.instructions().begin(), tape.instructions().end());
    if (run == 0) first = now;
    EXPECT_EQ(now, first);
  }
}

TEST(Compile, TakesValuesOfParameters) {
  SymbolTable symbols;
  const GiNaC::ex e = parse("k*x + 1/3", symbols);
  const numeric::Tape tape = compile(std::vector<GiNaC::ex>{e}, std::vector<GiNaC::ex>{symbols.symbol("x")},
                                     {{symbols.symbol("k"), GiNaC::numeric(5, 2)}});
  EXPECT_DOUBLE_EQ(tape.values<double>(std::vector<double>{2}).front(), 5 + 1.0 / 3);
}

TEST(Compile, NamesTheSymbolsWithoutValue) {
  SymbolTable symbols;
  const GiNaC::ex e = parse("k*x", symbols);
  try {
    compile(std::vector<GiNaC::ex>{e}, std::vector<GiNaC::ex>{symbols.symbol("x")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'k'"), std::string::npos) << error.what();
  }
}

TEST(Compile, SurvivesDeepNesting) {
  SymbolTable symbols;
  const GiNaC::ex x = symbols.symbol("x");
  GiNaC::ex e = x;
  for (int i = 0; i < 5000; ++i) e = GiNaC::sin(e) + 1;
  const numeric::Tape tape = compile(std::vector<GiNaC::ex>{e}, std::vector<GiNaC::ex>{x});
  EXPECT_EQ(tape.operation_count(), 10'000U);
}

TEST(Compile, DerivativesOfTheTapeAreThoseOfTheExpression) {
  SymbolTable symbols;
  const GiNaC::ex e = parse("x^2*sin(y)/(1 + x*y) + max(x, y)*tanh(x) + atan2(x, y) + abs(x - 1)", symbols);
  const std::vector<GiNaC::ex> inputs{symbols.symbol("x"), symbols.symbol("y")};
  const numeric::Tape tape = numeric::with_jacobian(compile(std::vector<GiNaC::ex>{e}, inputs));
  std::vector<GiNaC::ex> derivatives{e};
  for (const GiNaC::ex& input : inputs) derivatives.push_back(e.diff(GiNaC::ex_to<GiNaC::symbol>(input)));
  const std::vector<double> at{0.4, 0.9};
  const auto expected = compile(derivatives, inputs).values<double>(at), found = tape.values<double>(at);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 1e-13) << k;
}

}  // namespace
}  // namespace sfg
