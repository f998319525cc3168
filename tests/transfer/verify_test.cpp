#include "sfg/transfer/verify.hpp"

#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "graphs/families.hpp"
#include "response_modulo.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {
namespace {

using test::graph_of;

Question ask(const SignalFlowGraph& graph, const char* input, const char* output, Question::Mode mode = Question::Mode::source,
             std::optional<std::string> reference = {}) {
  Question question{graph.find(input).value(), graph.find(output).value(), mode, {}};
  if (reference) question.reference = graph.find(*reference).value();
  return question;
}

/// The value of an expression given as text.
std::uint64_t value(const SignalFlowGraph& graph, const char* text, const ModularPoint& point) {
  return point(parse_known(text, graph.symbols)).value();
}

TEST(Verify, RandomPointsHavePrimesOf61Bits) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::uint64_t p = random_point(seed).prime();
    EXPECT_EQ(p >> 60, 1u);
    const ring::ModularRing field(p);  // Fermat's little theorem, from an implementation of its own
    EXPECT_EQ(field.power(3, p - 1), 1u);
    EXPECT_EQ(field.power(2, p - 1), 1u);
  }
  EXPECT_NE(random_point(1).prime(), random_point(2).prime());
}

TEST(Verify, ResponseOfAFeedbackLoop) {
  const SignalFlowGraph graph = graph_of({{"r", "e", "1"}, {"e", "c", "G"}, {"c", "e", "-H"}});
  const ModularPoint point = random_point(3);
  EXPECT_EQ(test::response_modulo(graph, ask(graph, "r", "c"), point), value(graph, "G/(1+G*H)", point));
  EXPECT_EQ(test::response_modulo(graph, ask(graph, "e", "c", Question::Mode::inject), point), value(graph, "G/(1+G*H)", point));
  EXPECT_EQ(test::response_modulo(graph, ask(graph, "e", "c", Question::Mode::ratio, "r"), point), value(graph, "G", point));
  EXPECT_EQ(test::response_modulo(graph, ask(graph, "r", "r"), point), 1u);
  EXPECT_EQ(test::response_modulo(graph, ask(graph, "c", "r", Question::Mode::inject), point), 0u);
}

TEST(Verify, DeterminantHasItsSign) {
  // Mason 1956, Fig. 5(a)
  const SignalFlowGraph graph = graph_of({{"1", "2", "1"},
                                          {"2", "3", "a"},
                                          {"3", "4", "b"},
                                          {"4", "5", "c"},
                                          {"2", "5", "d"},
                                          {"3", "2", "e"},
                                          {"4", "3", "f"},
                                          {"5", "4", "g"},
                                          {"5", "6", "1"}});
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    const ModularPoint point = random_point(seed);
    EXPECT_EQ(ModularElimination(graph, point).determinant(), value(graph, "1 - a*e - b*f - c*g - d*g*f*e + a*e*c*g", point));
  }
}

TEST(Verify, PivotsOffTheDiagonal) {
  // self-loops of gain 1 leave zeros on the diagonal of a regular matrix: Δ = (1-1)(1-1) - k*h
  const SignalFlowGraph graph = graph_of({{"r", "a", "1"}, {"a", "a", "1"}, {"b", "b", "1"}, {"a", "b", "k"}, {"b", "a", "h"}});
  const ModularPoint point = random_point(1);
  EXPECT_EQ(ModularElimination(graph, point).determinant(), value(graph, "-k*h", point));
  EXPECT_EQ(test::response_modulo(graph, ask(graph, "r", "b"), point), value(graph, "-1/h", point));
}

/// det(I − Aᵀ) by elimination of the full matrix.
std::uint64_t dense_determinant(const SignalFlowGraph& graph, const ModularPoint& point) {
  const ring::ModularRing field(point.prime());
  const std::size_t n = graph.nodes().size();
  std::vector<std::vector<std::uint64_t>> m(n, std::vector<std::uint64_t>(n, 0));
  for (std::size_t i = 0; i < n; ++i) m[i][i] = 1;
  for (const Branch& branch : graph.branches()) {
    std::uint64_t& entry = m[branch.to.index][branch.from.index];
    entry = field.add(entry, field.negate(point(branch.gain()).value()));
  }
  std::uint64_t product = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && m[pivot][k] == 0) ++pivot;
    if (pivot == n) return 0;
    if (pivot != k) product = field.negate(product), m[pivot].swap(m[k]);
    product = field.multiply(product, m[k][k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const std::uint64_t factor = field.negate(field.divide(m[i][k], m[k][k]));
      for (std::size_t j = k; j < n; ++j) m[i][j] = field.add(m[i][j], field.multiply(factor, m[k][j]));
    }
  }
  return product;
}

// Nodes that many others join, parallel branches that add up to nothing, self-loops of 1: what a sparse elimination keeps count
// of.
TEST(Verify, DeterminantsOfRandomGraphsAreThoseOfTheFullMatrix) {
  std::mt19937 random(5);
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  std::size_t singular = 0;
  for (std::uint64_t round = 0; round < 300; ++round) {
    SignalFlowGraph graph;
    const std::size_t n = 2 + pick(18);
    for (std::size_t i = 0; i < n; ++i) graph.add_node({"n" + std::to_string(i), {}, {}});
    for (std::size_t k = 0; k < 3 * n; ++k) {
      const auto from = static_cast<std::uint32_t>(pick(pick(3) == 0 ? 2 : n)), to = static_cast<std::uint32_t>(pick(n));
      const GiNaC::ex gain =
          pick(3) == 0 ? graph.symbols.symbol("a" + std::to_string(k)) : GiNaC::ex(static_cast<int>(pick(3)) - 1);
      graph.add_branch(NodeId{from}, NodeId{to}, gain);
      if (pick(6) == 0) graph.add_branch(NodeId{from}, NodeId{to}, -gain);
    }
    const ModularPoint point = random_point(round + 1);
    const std::uint64_t expected = dense_determinant(graph, point);
    EXPECT_EQ(ModularElimination(graph, point).determinant(), expected) << round;
    singular += expected == 0 ? 1 : 0;
  }
  EXPECT_GT(singular, 10U);
  EXPECT_LT(singular, 250U);
}

TEST(Verify, UnluckyPointsGiveNothing) {
  const SignalFlowGraph singular = graph_of({{"r", "a", "1"}, {"a", "a", "1"}});
  EXPECT_EQ(test::response_modulo(singular, ask(singular, "r", "a"), random_point(1)), std::nullopt);
}

TEST(Verify, PassesRightAnswersAndCatchesWrongOnes) {
  const SignalFlowGraph graph = graph_of({{"r", "e", "1"}, {"e", "c", "G"}, {"c", "e", "-H"}});
  const auto answer = [&](const char* text) {
    return [&graph, text](const ModularPoint& point) { return point(parse_known(text, graph.symbols)); };
  };
  const Verification found = verified(graph, ask(graph, "r", "c"), answer("G/(1+G*H)"), 4);
  EXPECT_EQ(found.points, 2u);
  EXPECT_GT(found.error_bound, 0);
  EXPECT_LT(found.error_bound, 1e-33);
  EXPECT_THROW(verified(graph, ask(graph, "r", "c"), answer("G/(1-G*H)"), 4), std::logic_error);
  EXPECT_THROW(verified(
                   graph, ask(graph, "r", "c"), [](const ModularPoint&) { return std::nullopt; }, 4),
               std::logic_error);
}

TEST(Verify, LadderOfAThousandSectionsIsQuick) {
  const auto member = test::ladder(1000);
  const SignalFlowGraph graph = graph_of(member.arrows);
  const ModularPoint point = random_point(1);
  EXPECT_TRUE(test::response_modulo(graph, ask(graph, member.input.c_str(), member.output.c_str()), point).has_value());
}

}  // namespace
}  // namespace sfg
