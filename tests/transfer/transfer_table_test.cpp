#include "sfg/transfer/transfer_table.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/write/mason.hpp"

namespace sfg {
namespace {

SignalFlowGraph random_graph(std::mt19937& random) {
  SignalFlowGraph graph;
  const GiNaC::ex s = graph.op.declare(graph.symbols);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const int n = pick(4, 7);
  for (int i = 0; i < n; ++i) graph.add_node({"x" + std::to_string(i), {}, {}});
  for (int k = 0; k < 2 * n; ++k) {
    const GiNaC::ex parameter = graph.symbols.symbol("k" + std::to_string(pick(1, 3)));
    const std::array<GiNaC::ex, 4> gains{parameter, 1 / (s + pick(1, 3)), -parameter / s, GiNaC::ex(pick(-2, 2)) / 3};
    graph.add_branch(NodeId{static_cast<std::uint32_t>(pick(0, n - 1))}, NodeId{static_cast<std::uint32_t>(pick(2, n - 1))},
                     gains[static_cast<std::size_t>(pick(0, 3))]);
  }
  return graph;
}

// N/Δ is T, what they have in common is what is stated, and no smaller Δ would do.
TEST(TransferTable, IsTheTransferFunctionsOverOneDenominator) {
  std::size_t cancelling = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    std::mt19937 random(seed);
    const SignalFlowGraph graph = random_graph(random);
    std::vector<Question> questions;
    for (const std::uint32_t input : {0U, 1U})
      for (std::uint32_t output = 2; output < graph.nodes().size(); ++output)
        questions.push_back({NodeId{input}, NodeId{output}});
    std::vector<TransferFunction> transfers;
    try {
      transfers = transfer_functions(graph, questions);
    } catch (const NoAnswer&) {
      continue;
    }
    const TransferTable table = transfer_table(transfers);
    ring::Polynomial in_all = table.denominator;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      const ring::Polynomial& T = transfers[i].value.numerator();
      if (T.is_zero()) {
        EXPECT_TRUE(table.numerators[i].is_zero());
        continue;
      }
      ring::Polynomial left = table.numerators[i], right = T;
      left *= transfers[i].value.denominator();
      right *= table.denominator;
      EXPECT_EQ(left, right) << seed;
      EXPECT_EQ(gcd(table.numerators[i], table.denominator), gcd(table.common[i], table.common[i])) << seed;
      in_all = gcd(in_all, table.numerators[i]);
      cancelling += table.common[i].is_constant() ? 0 : 1;
    }
    if (std::ranges::any_of(transfers, [](const auto& t) { return !t.value.numerator().is_zero(); }))
      EXPECT_TRUE(in_all.is_constant()) << seed << ": what is in all of them is in no denominator";
  }
  EXPECT_GT(cancelling, 20U);
}

// The determinant as it is written, single loops before pairs, reads back as the determinant.
TEST(LoopSum, ReadsBackAsTheDeterminant) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph = random_graph(random);
    try {
      const MasonListing listing = mason(graph, {NodeId{0}, NodeId{2}});
      const std::string text = write(loop_sum(listing), Notation::text);
      EXPECT_TRUE(vanishes(parse(text, graph.symbols) - listing.determinant)) << seed << ": " << text;
    } catch (const NoAnswer&) {
    }
  }
}

// Numbers, then pi, then letters, a damping ratio before its frequency; whatever the order, it reads back.
TEST(FactorOrder, IsThatOfBooks) {
  SymbolTable symbols;
  for (const char* name : {"s", "omega_n", "zeta", "w0", "a", "K", "zetas", "f"}) symbols.symbol(name);
  const GiNaC::ex s = symbols.at("s").expr;
  for (const auto& [text, expected] : {std::pair("s*omega_n*zeta*2", "2*zeta*omega_n*s"),
                                       {"w0*pi*zeta*K*2", "2*pi*K*zeta*w0"},
                                       {"f*2*pi*s", "2*pi*f*s"},
                                       {"s^2 + 2*omega_n*zeta*s + omega_n^2", "s^2 + 2*zeta*omega_n*s + omega_n^2"},
                                       {"omega_n*zetas*a", "a*omega_n*zetas"}}) {
    const GiNaC::ex value = parse(text, symbols);
    EXPECT_EQ(print(value, Notation::text, "s"), expected);
    const PolynomialSpace space(std::span(&value, 1), s);
    EXPECT_EQ(print(space.rational(value).numerator()), expected);
  }
}

}  // namespace
}  // namespace sfg
