#include "sfg/ddd/elimination.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ddd/families.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg::ddd {
namespace {

using ring::ModularRing;

std::vector<std::uint64_t> random_values(std::mt19937_64& random, const Pattern& pattern, std::uint64_t below) {
  std::vector<std::uint64_t> values(pattern.entries().size());
  for (auto& value : values) value = random() % below;
  return values;
}

Pattern random_pattern(std::mt19937_64& random, std::size_t n, double density) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      if (static_cast<double>(random() % 1000) < 1000 * density) entries.push_back({i, j});
  return Pattern(n, entries);
}

TEST(Elimination, AgreesWithTheDiagram) {
  std::mt19937_64 random(1);
  const ModularRing ring;
  for (int trial = 0; trial < 2000; ++trial) {
    const Pattern pattern = random_pattern(random, random() % 9, 0.2 + 0.1 * static_cast<double>(random() % 7));
    const DeterminantDiagram diagram(pattern);
    const Elimination plan(pattern);
    ASSERT_EQ(plan.is_singular(), diagram.is_zero()) << "trial " << trial;
    if (plan.is_singular()) continue;
    const auto values = random_values(random, pattern, ModularRing::mersenne61 - 1);
    EXPECT_EQ(eliminate(plan, ring, values).determinant, evaluate(diagram, ring, values)) << "trial " << trial;
  }
}

TEST(Elimination, OfNodesGivesTheSameDeterminant) {
  std::mt19937_64 random(7);
  const ModularRing ring;
  for (int trial = 0; trial < 500; ++trial) {
    const Pattern pattern = random_pattern(random, 1 + random() % 8, 0.4);
    const EliminationOptions options{.pivots = EliminationOptions::Pivots::diagonal};
    const Elimination plan(pattern, options);
    if (plan.is_singular()) continue;
    const auto values = random_values(random, pattern, ModularRing::mersenne61 - 1);
    EXPECT_EQ(eliminate(plan, ring, values).determinant, evaluate(DeterminantDiagram(pattern), ring, values))
        << "trial " << trial;
  }
}

TEST(Elimination, OfNodesTakesDiagonalPivots) {
  const Pattern pattern = families::ladder(50);
  const Elimination plan(pattern, {.pivots = EliminationOptions::Pivots::diagonal});
  for (const std::uint32_t pivot : plan.pivots()) {
    ASSERT_LT(pivot, pattern.entries().size());
    EXPECT_EQ(pattern.entries()[pivot].row, pattern.entries()[pivot].column);
  }
}

TEST(Elimination, TakesNoPivotThatVanishesAtTheSample) {
  std::mt19937_64 random(2);
  const ModularRing ring;
  int singular = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Pattern pattern = random_pattern(random, 1 + random() % 6, 0.6);
    const auto values = random_values(random, pattern, 3);  // 0, 1 and 2: much cancels
    const Elimination plan(pattern, {.sample = values});
    const std::uint64_t expected = evaluate(DeterminantDiagram(pattern), ring, values);
    ASSERT_EQ(plan.is_singular(), expected == 0) << "trial " << trial;
    if (!plan.is_singular()) {
      EXPECT_EQ(eliminate(plan, ring, values).determinant, expected) << "trial " << trial;
    } else {
      ++singular;
    }
  }
  EXPECT_GT(singular, 100);
}

TEST(Elimination, KeptLinesBecomeTheSchurComplement) {
  // det [A B; C D] = det A · det (D − C A⁻¹ B), also for every single kept row and column.
  std::mt19937_64 random(3);
  const ModularRing ring;
  for (int trial = 0; trial < 500; ++trial) {
    const std::uint32_t n = 2 + random() % 6, kept = 1 + random() % 2;
    const Pattern pattern = random_pattern(random, n, 0.7);
    const auto values = random_values(random, pattern, ModularRing::mersenne61 - 1);
    const Elimination plan(pattern, {.kept = kept});
    if (plan.is_singular()) continue;
    const auto result = eliminate(plan, ring, values);
    for (std::uint32_t i = 0; i < kept; ++i) {
      for (std::uint32_t j = 0; j < kept; ++j) {
        const std::uint32_t m = n - kept;  // the bordered matrix of kept row i and kept column j
        std::vector<Entry> entries;
        std::vector<std::uint64_t> bordered;
        for (std::size_t e = 0; e < values.size(); ++e) {
          const Entry entry = pattern.entries()[e];
          if ((entry.row >= m && entry.row != m + i) || (entry.column >= m && entry.column != m + j)) continue;
          entries.push_back({std::min(entry.row, m), std::min(entry.column, m)});
          bordered.push_back(values[e]);
        }
        const DeterminantDiagram diagram(Pattern(m + 1, entries));
        EXPECT_EQ(ring.multiply(result.determinant, result.schur[i * kept + j]), evaluate(diagram, ring, bordered));
      }
    }
  }
}

TEST(Elimination, CostsLittleOnLargeSparseGraphs) {
  const Elimination ladder(families::ladder(1000));
  EXPECT_EQ(ladder.fill(), 0U);
  EXPECT_LE(ladder.multiplication_count(), 2000U);
  const Elimination random(families::random_graph(60, 3, 1));
  EXPECT_LE(random.multiplication_count(), 20'000U);
}

TEST(Elimination, MakesTapes) {
  std::mt19937_64 random(4);
  const Pattern pattern = families::random_graph(30, 3, 7);
  numeric::TapeBuilder builder;
  std::vector<numeric::TapeBuilder::Value> inputs;
  std::vector<double> values;
  for (std::size_t e = 0; e < pattern.entries().size(); ++e) {
    inputs.push_back(builder.input("x" + std::to_string(e)));
    values.push_back(static_cast<double>(random() % 1000) / 1000 +
                     (pattern.entries()[e].row == pattern.entries()[e].column ? 3 : 0));
  }
  const auto value = eliminate(Elimination(pattern), numeric::TapeRing{&builder}, inputs).determinant;
  const double found = builder.tape(std::vector{value}).values<double>(values).front();
  numeric::TapeBuilder other;
  inputs.clear();
  for (std::size_t e = 0; e < values.size(); ++e) inputs.push_back(other.input("x" + std::to_string(e)));
  const auto of_diagram = evaluate(DeterminantDiagram(pattern), numeric::TapeRing{&other}, inputs);
  const double expected = other.tape(std::vector{of_diagram}).values<double>(values).front();
  EXPECT_NEAR(found / expected, 1, 1e-9);
}

TEST(Elimination, RefusesAtTheLimit) {
  EXPECT_THROW(Elimination(families::complete(40), {.max_operations = 1000}), TooLarge);
  EXPECT_THROW(Elimination(families::complete(3), {.kept = 4}), std::invalid_argument);
}

}  // namespace
}  // namespace sfg::ddd
