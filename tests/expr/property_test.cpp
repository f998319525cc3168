// Properties that hold for every expression, tried on random ones; a failure prints the text and the seed's number.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "expect.hpp"
#include "random_text.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using ring::ModularRing;

using test::random_expression;
using test::RandomText;

const std::array<std::string, 6> names_of_leaves{"a", "b2", "b10", "s", "I", "φ"};

/// The expression of a random text with symbols that were made in another order: GiNaC's order of terms and factors, which is
/// that of addresses from process to process, decides whether a sum carries a sign or what stands before it.
std::optional<ex> expression_in_other_order(std::uint64_t seed, SymbolTable& symbols, std::mt19937& random) {
  auto names = names_of_leaves;
  std::ranges::shuffle(names, random);
  for (const std::string& name : names) symbols.symbol(name);
  try {
    return parse(RandomText(seed)(6), symbols);
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(Properties, PrintsTheSameWhicheverSumsCarryTheSigns) {
  std::mt19937 random(1);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::string first;
    for (int order = 0; order < 5; ++order) {
      SymbolTable symbols;
      const auto e = expression_in_other_order(seed, symbols, random);
      if (!e) break;
      const std::string now = print(*e) + "\n" + print(*e, Notation::text, "s");
      if (order == 0) first = now;
      ASSERT_EQ(now, first) << "seed " << seed << ": " << print(*e);
    }
  }
}

TEST(Properties, CompilesTheSameWhicheverSumsCarryTheSigns) {
  std::mt19937 random(1);
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::vector<numeric::Instruction> first;
    for (int order = 0; order < 5; ++order) {
      SymbolTable symbols;
      const auto e = expression_in_other_order(seed, symbols, random);
      if (!e) break;
      std::vector<ex> inputs;
      GiNaC::exmap values;
      std::vector<double> at;
      for (const std::string& name : names_of_leaves) {
        inputs.push_back(symbols.symbol(name));
        at.push_back(0.3 + 0.17 * static_cast<double>(at.size()));
        values[inputs.back()] = at.back();
      }
      const numeric::Tape tape = compile(std::vector<ex>{*e}, inputs);
      const std::vector<numeric::Instruction> now(tape.instructions().begin(), tape.instructions().end());
      if (order == 0) first = now;
      ASSERT_EQ(now, first) << "seed " << seed << ": " << print(*e);
      const double value = tape.values<double>(at).front();
      ex direct;
      try {
        direct = e->subs(values).evalf();
      } catch (const std::exception&) {  // GiNaC's: divided by zero
        continue;
      }
      if (order > 0 || !GiNaC::is_exactly_a<GiNaC::numeric>(direct) || !std::isfinite(value)) continue;
      const auto& number = GiNaC::ex_to<GiNaC::numeric>(direct);
      if (!number.is_real() || std::abs(number.to_double()) > 1e6) continue;
      EXPECT_NEAR(value, number.to_double(), 1e-6 * (1 + std::abs(value))) << "seed " << seed;
      ++tried;
    }
  }
  EXPECT_GT(tried, 100);
}

TEST(Properties, WhatIsPrintedReadsBack) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SymbolTable symbols;
    const auto e = random_expression(seed, symbols);
    if (!e) continue;
    ++tried;
    for (const char* main : {"", "s"}) {
      const std::string text = print(*e, Notation::text, main);
      const ex back = parse(text, symbols);
      EXPECT_TRUE(back.is_equal(*e) || vanishes(back - *e)) << "seed " << seed << ": " << text << " became " << print(back);
      EXPECT_EQ(print(back, Notation::text, main), text) << "seed " << seed;
    }
  }
  EXPECT_GT(tried, 400);
}

TEST(Properties, TheTextDoesNotDependOnTheOrderOfSymbols) {
  const std::array<std::vector<std::string>, 3> orders{
      {{"a", "b2", "b10", "s", "I", "φ"}, {"φ", "I", "s", "b10", "b2", "a"}, {"s", "φ", "a", "I", "b10", "b2"}}};
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::vector<std::string> texts, forms;
    for (const auto& order : orders) {
      SymbolTable symbols;
      for (const std::string& name : order) symbols.symbol(name);
      const auto e = random_expression(seed, symbols);
      if (!e) continue;
      texts.push_back(print(*e));
      try {
        forms.push_back(print(normal_form(*e, symbols.symbol("s")), Notation::text, "s"));
      } catch (const LimitReached&) {
      }
    }
    for (const std::string& text : texts) EXPECT_EQ(text, texts.front()) << "seed " << seed;
    for (const std::string& form : forms) EXPECT_EQ(form, forms.front()) << "seed " << seed;
  }
}

TEST(Properties, NormalFormsAreEqualExpressions) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SymbolTable symbols;
    const auto e = random_expression(seed, symbols, seed % 2 == 0);
    if (!e) continue;
    try {
      const PolynomialSpace space(std::span(&*e, 1), symbols.symbol("s"));
      const RationalFunction f = space.rational(*e).reduced();
      const ex back = parse(f.text(), symbols);
      for (std::uint64_t point_seed = 1; point_seed <= 3; ++point_seed) {
        const ModularPoint point(ModularRing::mersenne61, point_seed);
        const auto direct = point(*e), reduced = point(back);
        if (!direct || !reduced) continue;
        ++tried;
        EXPECT_EQ(*direct, *reduced) << "seed " << seed << ": " << print(*e) << " became " << f.text();
        EXPECT_EQ(point(f.expression()), *direct) << "seed " << seed;
      }
      EXPECT_TRUE(f.common_factor().is_one());
    } catch (const LimitReached&) {
    }
  }
  EXPECT_GT(tried, 500);
}

TEST(Properties, DerivativesAgreeWithDifferenceQuotients) {
  // (f(s + h) − f(s))/h in lowest terms, at h = 0, is f'(s).
  int tried = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SymbolTable symbols;
    RandomText text(seed, false);
    try {
      const ex f = parse(text(3), symbols), s = symbols.symbol("s"), h = symbols.symbol("h");
      const ex difference = (f.subs(s == s + h) - f) / h;
      const ex at_zero = normal_form(difference, h).subs(h == 0);
      EXPECT_EXPRESSION(at_zero, f.diff(GiNaC::ex_to<GiNaC::symbol>(s))) << "seed " << seed << ": " << print(f);
      ++tried;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(tried, 80);
}

TEST(Properties, BothWaysOfPrintingAPolynomialAgree) {
  std::mt19937_64 random(7);
  const auto context = std::make_shared<const ring::PolynomialContext>(std::vector<std::string>{"s", "a", "b", "sin(x)", "2^x"});
  for (int i = 0; i < 200; ++i) {
    std::vector<ring::Polynomial::Term> terms;
    for (std::uint64_t n = random() % 6; n > 0; --n) {
      ring::Polynomial::Term term{exact::Rational(static_cast<long>(random() % 9) - 4) / (random() % 3 == 0 ? 3 : 1), {}};
      for (std::size_t v = 0; v < 5; ++v)
        if (random() % 2 == 0) term.powers.emplace_back(v, random() % 3);
      terms.push_back(std::move(term));
    }
    const auto p = ring::Polynomial::sum_of(context, terms);
    for (const Terms form : {Terms::expanded, Terms::collected}) {
      SymbolTable symbols;
      const ex read = parse(print(p, Notation::text, form), symbols);
      const ex octave = parse(print(p, Notation::octave, form), symbols);
      EXPECT_EXPRESSION(read, octave) << print(p);
      std::vector<std::uint64_t> values;
      const ModularPoint point(ModularRing::mersenne61, 3);
      for (const std::string& name : context->variables()) values.push_back(point.residue(name));
      EXPECT_EQ(point(read), p.modulo(point.prime(), values)) << print(p);
    }
  }
}

/// Slopes at an operating point have exponents of dozens of digits; what belongs together does modulo a prime, too.
TEST(Properties, LongExponentsAddModuloAPrime) {
  std::mt19937_64 random(9);
  const auto number = [&](unsigned words) {
    GiNaC::numeric value(0);
    for (unsigned i = 0; i < words; ++i)
      value = value * GiNaC::numeric(2).power(62) + GiNaC::numeric(static_cast<long>(random() >> 2));
    return value + 1;
  };
  SymbolTable symbols;
  const ex x = symbols.symbol("x");
  int tried = 0;
  for (std::uint64_t trial = 1; trial <= 60; ++trial) {
    const GiNaC::numeric denominator = number(1 + trial % 2), a = number(1 + trial % 3) / denominator,
                         b = number(2) / denominator;
    const ModularPoint point = random_point(trial);
    const auto power = [&](const GiNaC::numeric& multiple) { return point(GiNaC::exp(multiple * x)); };
    const auto first = power(a), second = power(-b), both = power(a - b);
    if (!first || !second || !both) continue;  // no such root modulo this prime
    ++tried;
    EXPECT_EQ(ModularRing(point.prime()).multiply(*first, *second), *both) << trial;
  }
  EXPECT_GT(tried, 40);
}

}  // namespace
}  // namespace sfg
