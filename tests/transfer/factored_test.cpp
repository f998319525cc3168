// Factors say what they are: random factors of order 1 and 2, with numbers or with letters that have values of any sign, against
// the polynomial at the roots that the words stand for; in z the radius and the angle of a pair, and the value at z = 1.
#include "sfg/transfer/factored.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <sstream>

#include "graphs/families.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/forms/transfer.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

struct Case {
  SignalFlowGraph graph;
  TransferFunction transfer;
  GiNaC::exmap values;
  FactoredTransfer factors;

  Case(const std::string& gain, const std::string& variable, const std::vector<std::pair<std::string, int>>& stated,
       const PositiveLetters& letters = {})
      : graph(test::graph_of({{"u", "y", gain}})), transfer(solved(variable)) {
    for (const auto& [name, value] : stated)
      if (const Symbol* symbol = graph.symbols.find(name)) values[symbol->expr] = value;
    PositiveLetters known = letters;
    known.values = values;
    factors = factored(transfer, known);
  }
  /// NaN where the values divide by zero.
  double number(const GiNaC::ex& e) const {
    return value([&] { return double_value(e.subs(values, GiNaC::subs_options::no_pattern)); }, std::nan(""));
  }
  Complex at(const GiNaC::ex& e, Complex point) const {
    const GiNaC::ex variable = graph.op.in(graph.symbols);
    return value([&] { return complex_value(e.subs(values, GiNaC::subs_options::no_pattern), variable, point); },
                 Complex(std::nan("")));
  }
  template <class Find, class Number>
  static Number value(const Find& find, Number otherwise) {
    try {
      return find().value_or(otherwise);
    } catch (const std::exception&) {
      return otherwise;
    }
  }
  std::string text() const {
    std::ostringstream out;
    write_text(out, page(graph, {&factors, 1}, {&transfer, 1}), {});
    return out.str();
  }

 private:
  TransferFunction solved(const std::string& variable) {
    graph.op = variable;
    graph.op.declare(graph.symbols);
    return transfer_function(graph, {*graph.find("u"), *graph.find("y"), Question::Mode::source, {}});
  }
};

/// How much of the polynomial is left at a point, of the size of its terms.
double left_over(const Case& one, const FactoredTransfer::Factor& factor, Complex root) {
  const double size = std::abs(one.at(factor.value, std::abs(root) + 1));
  return std::abs(one.at(factor.value, root)) / (1 + size);
}

struct Count {
  int pairs = 0, seconds = 0, roots = 0, firsts = 0;
};

void expect_meaning(const Case& one, const FactoredTransfer::Factor& factor, bool discrete, Count& count) {
  SCOPED_TRACE(print(factor.value));
  if (factor.order == 0) return;
  EXPECT_EQ(factor.pair.has_value() + factor.second.has_value() + factor.first.has_value() + !factor.roots.empty(),
            factor.order <= 2 ? 1 : 0);
  EXPECT_FALSE(discrete && (factor.first || factor.second));
  EXPECT_FALSE(!discrete && factor.pair);
  for (const GiNaC::ex& root : factor.roots) {
    EXPECT_LT(left_over(one, factor, one.number(root)), 1e-9);
    ++count.roots;
  }
  if (factor.pair) {
    const double angle = one.number(factor.pair->angle);
    EXPECT_GT(angle, 0);
    EXPECT_LT(angle, 3.15);
    EXPECT_FALSE(factor.pair->positive);
    EXPECT_LT(left_over(one, factor, std::polar(one.number(factor.pair->radius), angle)), 1e-9);
    ++count.pairs;
  }
  if (factor.second) {
    const double w = one.number(factor.second->frequency), damping = one.number(factor.second->damping);
    EXPECT_GT(w, 0);
    EXPECT_FALSE(factor.second->positive);
    for (const int side : {1, -1})
      EXPECT_LT(left_over(one, factor, -damping * w + w * static_cast<double>(side) * std::sqrt(Complex(damping * damping - 1))),
                1e-9);
    ++count.seconds;
  }
  if (factor.first) {
    EXPECT_LT(left_over(one, factor, -1 / one.number(factor.first->time_constant)), 1e-9);
    EXPECT_GT(one.number(factor.first->corner), 0);
    ++count.firsts;
  }
}

TEST(Factored, WordsAreThoseOfTheRootsAtAnyValues) {
  std::mt19937_64 random(11);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  Count count;
  for (int k = 0; k < 300; ++k) {
    const bool discrete = k % 2 == 0, letters = k % 3 == 0;
    const std::string v = discrete ? "z" : "s";
    std::vector<std::pair<std::string, int>> stated;
    const auto coefficient = [&] {
      int value = 0;
      while (value == 0) value = below(19) - 9;
      if (!letters) return "(" + std::to_string(value) + ")";
      stated.emplace_back("k" + std::to_string(stated.size()), value);
      return stated.back().first;
    };
    const auto polynomial = [&] {
      const std::string order2 = below(3) == 0 ? "" : coefficient() + "*" + v + "^2 + ";
      return "(" + order2 + coefficient() + "*" + v + " + " + coefficient() + ")";
    };
    const Case one(polynomial() + "/(" + polynomial() + "*" + polynomial() + ")", v, stated);
    SCOPED_TRACE(print(one.transfer.value.expression()));
    for (const auto* side : {&one.factors.above, &one.factors.below})
      for (const FactoredTransfer::Factor& factor : *side) expect_meaning(one, factor, discrete, count);
    const Complex still = one.at(one.transfer.value.expression(), discrete ? 1.0 : 0.0);
    if (!one.factors.dc_gain) {
      EXPECT_GT(one.factors.pole_at_rest, 0);
    } else if (std::isfinite(one.number(*one.factors.dc_gain))) {
      EXPECT_NEAR(one.number(*one.factors.dc_gain), still.real(), 1e-9 * (1 + std::abs(still)));
    }
    EXPECT_TRUE(!discrete || one.text().find("z = 0") == std::string::npos);
  }
  EXPECT_GT(std::min({count.pairs, count.seconds, count.roots, count.firsts}), 30);
}

TEST(Factored, OfSamplesTheRestIsAtOne) {
  const Case lag("b/(z - 1)", "z", {});
  EXPECT_FALSE(lag.factors.dc_gain);
  EXPECT_EQ(lag.factors.pole_at_rest, 1);
  const Case difference("(z - 1)^2/(z*(z - a))", "z", {});
  EXPECT_EQ(print(*difference.factors.dc_gain), "0");
  EXPECT_EQ(print(difference.factors.below.front().roots.front()), "a");
}

TEST(Factored, WhatIsNotKnownStandsAsACondition) {
  const auto condition = [](const char* gain, const char* variable) {
    const std::string text = Case(gain, variable, {}).text();
    const std::size_t at = text.find(" where ");
    return at == std::string::npos ? std::string() : text.substr(at + 7, text.find('\n', at) - at - 7);
  };
  EXPECT_EQ(condition("1/(s^2 + 2*s + K - 1)", "s"), "K > 1");
  EXPECT_EQ(condition("1/(m*s^2 + b*s + k)", "s"), "");
  EXPECT_EQ(condition("1/(z^2 + b*z + c)", "z"), "4*c > b^2");
}

}  // namespace
}  // namespace sfg
