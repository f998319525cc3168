// Tapes as text: read again by the grammar of expressions, they have the same values.
#include "sfg/export/c/code_lines.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>

#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

using numeric::TapeBuilder;
using Value = TapeBuilder::Value;

CodeSyntax grammar() {
  return {.number = code_number,
          .power =
              [](const std::string& base, int n) {
                return CodeText{base + "^" + std::to_string(n), Binding::power};
              },
          .function =
              [](numeric::Operation f, const std::string& a, const std::string& b) {
                return CodeText{std::string(name(f)) + "(" + a + (b.empty() ? "" : ", " + b) + ")", Binding::atom};
              }};
}

/// What the text says, by the parser and compiler of expressions.
std::vector<double> values_of(const CodeLines& code, const std::vector<std::string>& names, const std::vector<double>& x) {
  SymbolTable symbols;
  GiNaC::exmap assigned;
  std::vector<GiNaC::ex> inputs;
  for (const std::string& name : names) inputs.push_back(symbols.symbol(name));
  const auto value = [&](const std::string& text) { return parse(text, symbols).subs(assigned); };
  for (const auto& [name, formula] : code.assignments) assigned[symbols.symbol(name)] = value(formula);
  std::vector<GiNaC::ex> outputs;
  for (const std::string& text : code.outputs) outputs.push_back(value(text));
  return compile(outputs, inputs).values(std::span<const double>(x));
}

TEST(CodeLines, RandomTapesHaveTheSameValuesAsTheirText) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int k = 0; k < 300; ++k) {
    TapeBuilder builder;
    std::vector<Value> made{builder.input("a"), builder.input("b"), builder.constant(0.1), builder.constant(-3)};
    for (int i = 0; i < 14; ++i) {
      const Value x = made[below(made.size())], y = made[below(made.size())];
      switch (below(7)) {
        case 0: made.push_back(builder.add(x, y)); break;
        case 1: made.push_back(builder.subtract(x, y)); break;
        case 2: made.push_back(builder.multiply(x, y)); break;
        case 3: made.push_back(builder.divide(x, builder.add(builder.multiply(y, y), builder.constant(1)))); break;
        case 4: made.push_back(builder.negate(x)); break;
        case 5: made.push_back(builder.power(builder.apply(numeric::Operation::cos, x), below(2) != 0 ? 3 : 2)); break;
        default: made.push_back(builder.apply(numeric::Operation::sin, x)); break;
      }
    }
    const std::vector<Value> outputs{made.back(), made[made.size() - 2], made[5]};
    const numeric::Tape tape = builder.tape(outputs);
    const std::vector<std::string> names{"a", "b"};
    CodeSyntax syntax = grammar();
    syntax.longest = below(2) != 0 ? 90 : 12;
    const CodeLines code = code_lines(tape, names, syntax, "v");
    const std::vector<double> x{0.7, -1.3}, want = tape.values(std::span<const double>(x)), got = values_of(code, names, x);
    for (std::size_t o = 0; o < want.size(); ++o) ASSERT_NEAR(got[o], want[o], 1e-9 * (1 + std::abs(want[o]))) << code.outputs[o];
  }
}

TEST(CodeLines, WhatIsUsedOnceStandsWhereItIsUsed) {
  TapeBuilder builder;
  const Value a = builder.input("a"), b = builder.input("b"), sum = builder.add(a, b);
  const std::vector<Value> outputs{builder.subtract(a, builder.subtract(b, a)),
                                   builder.divide(builder.multiply(sum, sum), builder.multiply(a, b)), builder.power(b, -2)};
  const std::vector<std::string> names{"x", "y"};
  const CodeLines code = code_lines(builder.tape(outputs), names, grammar(), "v");
  EXPECT_EQ(code.assignments, (std::vector<std::pair<std::string, std::string>>{{"v1", "x + y"}}));
  EXPECT_EQ(code.outputs, (std::vector<std::string>{"x - (y - x)", "v1*v1/(x*y)", "1.0/y^2"}));
}

TEST(CodeLines, NumbersReadBack) {
  EXPECT_EQ(code_number(2), "2.0");
  EXPECT_EQ(code_number(0.1), "0.1");
  EXPECT_EQ(code_number(1e-7), "1e-07");
  EXPECT_EQ(code_number(1e22), "1e+22");
}

TEST(CodeLines, NoNumberNoText) {
  TapeBuilder builder;
  const std::vector<Value> outputs{builder.add(builder.input("a"), builder.constant(1e308 * 10))};
  const std::vector<std::string> names{"a"};
  EXPECT_THROW(code_lines(builder.tape(outputs), names, grammar(), "v"), NoAnswer);
}

}  // namespace
}  // namespace sfg
