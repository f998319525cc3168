#include "sfg/ddd/determinant_diagram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "ddd/families.hpp"
#include "sfg/ddd/block_form.hpp"
#include "sfg/ddd/ordering.hpp"
#include "sfg/ring/integer.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg::ddd {
namespace {

using ring::Integer;
using ring::ModularRing;

struct Sample {
  Pattern pattern;
  std::vector<std::uint64_t> values;  // one for every entry, modulo 2^61 − 1; 0 for probes
};

Sample random_sample(std::mt19937_64& random, std::size_t n, double density, std::size_t probe_count = 0) {
  std::vector<Entry> entries, probes;
  std::uniform_real_distribution<double> uniform;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      if (uniform(random) < density) entries.push_back({i, j});
  for (std::size_t k = 0; k < probe_count && n > 0; ++k)
    probes.push_back({static_cast<std::uint32_t>(random() % n), static_cast<std::uint32_t>(random() % n)});
  std::shuffle(entries.begin(), entries.end(), random);
  Sample sample{Pattern(n, entries, probes), {}};
  for (std::size_t e = 0; e < sample.pattern.entries().size(); ++e)
    sample.values.push_back(sample.pattern.is_probe(e) ? 0 : random() % ModularRing::mersenne61);
  return sample;
}

using Matrix = std::vector<std::vector<std::uint64_t>>;

Matrix dense(const Sample& sample) {
  Matrix m(sample.pattern.size(), std::vector<std::uint64_t>(sample.pattern.size()));
  for (std::size_t e = 0; e < sample.values.size(); ++e)
    m[sample.pattern.entries()[e].row][sample.pattern.entries()[e].column] = sample.values[e];
  return m;
}

// Gaussian elimination: shares nothing with the diagram.
std::uint64_t determinant(Matrix m) {
  const ModularRing ring;
  std::uint64_t result = 1;
  for (std::size_t c = 0; c < m.size(); ++c) {
    std::size_t pivot = c;
    while (pivot < m.size() && m[pivot][c] == 0) ++pivot;
    if (pivot == m.size()) return 0;
    if (pivot != c) {
      std::swap(m[pivot], m[c]);
      result = ring.negate(result);
    }
    result = ring.multiply(result, m[c][c]);
    const std::uint64_t inverse = ring.inverse(m[c][c]);
    for (std::size_t r = c + 1; r < m.size(); ++r) {
      const std::uint64_t factor = ring.multiply(m[r][c], inverse);
      for (std::size_t k = c; k < m.size(); ++k) m[r][k] = ring.subtract(m[r][k], ring.multiply(factor, m[c][k]));
    }
  }
  return result;
}

std::uint64_t signed_minor(const Matrix& m, std::size_t row, std::size_t column) {
  Matrix rest;
  for (std::size_t r = 0; r < m.size(); ++r) {
    if (r == row) continue;
    rest.push_back(m[r]);
    rest.back().erase(rest.back().begin() + static_cast<std::ptrdiff_t>(column));
  }
  const std::uint64_t minor = determinant(rest);
  return (row + column) % 2 == 0 ? minor : ModularRing().negate(minor);
}

Order rows_as_given(const Pattern& pattern) {
  std::vector<std::uint32_t> lines(pattern.size());
  std::iota(lines.begin(), lines.end(), 0U);
  return order_of(pattern, std::move(lines));
}

// Rows, columns or both, shuffled.
Order random_order(std::mt19937_64& random, const Pattern& pattern) {
  const auto kind = random() % 3;
  std::vector<std::uint32_t> lines(kind == 2 ? 2 * pattern.size() : pattern.size());
  std::iota(lines.begin(), lines.end(), static_cast<std::uint32_t>(kind == 1 ? pattern.size() : 0));
  std::shuffle(lines.begin(), lines.end(), random);
  return order_of(pattern, std::move(lines));
}

TEST(DeterminantDiagram, AgreesWithEliminationInAnyOrder) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = random() % 10;
    const Sample sample = random_sample(random, n, 0.2 + 0.1 * static_cast<double>(random() % 8));
    const std::uint64_t expected = determinant(dense(sample));
    const ModularRing ring;
    EXPECT_EQ(evaluate(DeterminantDiagram(sample.pattern), ring, sample.values), expected) << "trial " << trial;
    EXPECT_EQ(evaluate(DeterminantDiagram(sample.pattern, random_order(random, sample.pattern)), ring, sample.values), expected)
        << "trial " << trial;
  }
}

TEST(DeterminantDiagram, CofactorsAreSignedMinors) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t n = 1 + random() % 8;
    const Sample sample = random_sample(random, n, 0.2 + 0.1 * static_cast<double>(random() % 8), random() % 4);
    const DeterminantDiagram diagram(sample.pattern, random_order(random, sample.pattern));
    const Matrix m = dense(sample);
    const ModularRing ring;
    const std::uint64_t whole = evaluate(diagram, ring, sample.values);
    for (std::size_t e = 0; e < sample.values.size(); ++e) {  // a determinant is linear in each of its entries
      std::vector<std::uint64_t> moved = sample.values;
      moved[e] = ring.add(moved[e], 1);
      const Entry entry = sample.pattern.entries()[e];
      EXPECT_EQ(ring.subtract(evaluate(diagram, ring, moved), whole), signed_minor(m, entry.row, entry.column))
          << "trial " << trial << " entry " << e;
    }
  }
}

TEST(DeterminantDiagram, BlocksMultiplyToTheDeterminant) {
  std::mt19937_64 random(3);
  const ModularRing ring;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = random() % 10;
    const Sample sample = random_sample(random, n, 0.1 + 0.1 * static_cast<double>(random() % 4));
    const BlockForm form = block_form(sample.pattern);
    EXPECT_EQ(form.structurally_singular, DeterminantDiagram(sample.pattern).is_zero());
    std::uint64_t product = form.structurally_singular ? 0 : form.negative ? ring.negate(1) : 1;
    for (const auto& block : form.blocks) {
      std::vector<std::uint64_t> values;
      for (const std::uint32_t e : block.entries) values.push_back(sample.values[e]);
      product = ring.multiply(product, evaluate(DeterminantDiagram(block.pattern), ring, values));
    }
    EXPECT_EQ(product, determinant(dense(sample))) << "trial " << trial;
  }
}

std::string term_count(const Pattern& pattern) {
  return to_string(evaluate(DeterminantDiagram(pattern), ring::CountRing(), std::vector<Integer>(pattern.entries().size(), 1)));
}

TEST(DeterminantDiagram, LadderTermsAreFibonacciNumbers) {
  // Tridiagonal 2n×2n: as many products as tilings of a strip of length 2n by squares and dominoes.
  EXPECT_EQ(term_count(families::ladder(2)), "5");
  EXPECT_EQ(term_count(families::ladder(10)), "10946");
  EXPECT_EQ(term_count(families::ladder(14)), "514229");
  Integer a = 1, b = 1;
  for (int k = 0; k < 2000; ++k) a = std::exchange(b, a + b);
  EXPECT_EQ(term_count(families::ladder(1000)), to_string(a));
}

TEST(DeterminantDiagram, CompleteGraphsHaveFactoriallyManyTerms) {
  EXPECT_EQ(term_count(families::complete(8)), "40320");
  EXPECT_EQ(term_count(families::complete(14)), "87178291200");
  const DeterminantDiagram diagram(families::complete(14));
  EXPECT_EQ(diagram.edge_count(), 114'688U);  // n·2^(n−1)
  EXPECT_EQ(diagram.vertex_count(), std::size_t{1} << 14);
}

TEST(DeterminantDiagram, GridsHaveTheKnownNumbersOfTerms) {
  // From an implementation of Mason's rule of another origin, to two digits: 6.9·10^14 and 1.1·10^25. Small ones: see below.
  const auto leading = [](const std::string& count) { return count.substr(0, 2) + "e" + std::to_string(count.size() - 2); };
  EXPECT_EQ(leading(term_count(families::grid(7))), "69e13");
  EXPECT_EQ(leading(term_count(families::grid(9))), "11e24");
}

// Ryser's formula: shares nothing with the diagram.
std::int64_t permanent(const Pattern& pattern) {
  const std::size_t n = pattern.size();
  std::int64_t sum = 0;
  for (std::uint32_t columns = 0; columns < (1U << n); ++columns) {
    std::int64_t product = 1;
    for (std::size_t row = 0; row < n; ++row) {
      std::int64_t in_row = 0;
      for (std::size_t e = pattern.row_begin(row); e < pattern.row_begin(row + 1); ++e)
        in_row += (columns >> pattern.entries()[e].column) & 1U;
      product *= in_row;
    }
    sum += (n - static_cast<std::size_t>(std::popcount(columns))) % 2 == 0 ? product : -product;
  }
  return sum;
}

TEST(DeterminantDiagram, CountsAreThePermanentOfThePattern) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 500; ++trial) {
    const Sample sample = random_sample(random, 1 + random() % 9, 0.2 + 0.1 * static_cast<double>(random() % 8));
    EXPECT_EQ(term_count(sample.pattern), std::to_string(permanent(sample.pattern)));
  }
  EXPECT_EQ(term_count(families::grid(3)), std::to_string(permanent(families::grid(3))));
  EXPECT_EQ(term_count(families::grid(4)), std::to_string(permanent(families::grid(4))));
}

TEST(DeterminantDiagram, EveryPathIsAProductOnceWithItsSign) {
  // Distinct products: the paths of a small diagram, written out.
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Sample sample = random_sample(random, 1 + random() % 6, 0.6);
    const DeterminantDiagram diagram(sample.pattern, random_order(random, sample.pattern));
    if (diagram.is_zero()) continue;
    std::set<std::set<std::uint32_t>> products;
    std::size_t paths = 0;
    const auto walk = [&](const auto& self, std::uint32_t vertex, std::set<std::uint32_t> taken) -> void {
      if (vertex == 0) {
        ++paths;
        EXPECT_EQ(taken.size(), sample.pattern.size());
        products.insert(std::move(taken));
        return;
      }
      for (const auto& edge : diagram.edges(vertex)) {
        auto more = taken;
        more.insert(edge.entry());
        self(self, edge.child(), std::move(more));
      }
    };
    walk(walk, static_cast<std::uint32_t>(diagram.vertex_count() - 1), {});
    EXPECT_EQ(products.size(), paths);
  }
}

TEST(DeterminantDiagram, HubsAreNarrowWhenRowsAndColumnsMix) {
  const DeterminantDiagram diagram(families::star(300));
  EXPECT_LE(diagram.edge_count(), 5U * 300);
  EXPECT_EQ(term_count(families::star(300)), "300");
}

TEST(DeterminantDiagram, WideStatesTakeSeveralWords) {
  // Rows only: a star then has as many active columns as leaves.
  for (const std::uint32_t nodes : {40U, 100U, 300U, 700U}) {
    const Pattern pattern = families::star(nodes);
    const DeterminantDiagram diagram(pattern, rows_as_given(pattern));
    EXPECT_GE(diagram.order().prediction.width, nodes - 1);
    const auto count = evaluate(diagram, ring::CountRing(), std::vector<Integer>(pattern.entries().size(), 1));
    EXPECT_EQ(to_string(count), std::to_string(nodes));
  }
}

TEST(DeterminantDiagram, StructurallySingularIsZero) {
  const std::vector<Entry> two_rows_one_column{{0, 0}, {1, 0}, {2, 1}, {2, 2}};
  EXPECT_TRUE(DeterminantDiagram(Pattern(3, two_rows_one_column)).is_zero());
  const DeterminantDiagram empty_row(Pattern(2, std::vector<Entry>{{0, 0}, {0, 1}}));
  EXPECT_TRUE(empty_row.is_zero());
  EXPECT_EQ(evaluate(empty_row, ModularRing(), std::vector<std::uint64_t>{1, 2}), 0U);
  EXPECT_EQ(evaluate(DeterminantDiagram(Pattern()), ModularRing(), std::vector<std::uint64_t>{}), 1U);
}

TEST(DeterminantDiagram, ManyThreadsShareOne) {
  const Pattern pattern = families::grid(4);
  const DeterminantDiagram diagram(pattern);
  std::vector<std::uint64_t> values(pattern.entries().size());
  std::iota(values.begin(), values.end(), 1U);
  const std::uint64_t expected = evaluate(diagram, ModularRing(), values);
  std::vector<std::uint64_t> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& result : found) threads.emplace_back([&] { result = evaluate(diagram, ModularRing(), values); });
  }
  EXPECT_EQ(found, std::vector<std::uint64_t>(4, expected));
}

TEST(DeterminantDiagram, RefusesAtTheLimit) {
  EXPECT_THROW(DeterminantDiagram(families::complete(20), {.max_states = 10'000}), TooLarge);
  EXPECT_THROW(DeterminantDiagram(families::complete(16), {.max_bytes = 100'000}), TooLarge);
  struct Stop {};
  EXPECT_THROW(DeterminantDiagram(families::complete(20), {.checkpoint = [](std::uint64_t) { throw Stop(); }}), Stop);
}

TEST(DeterminantDiagram, RefusesWhatWouldExplodeAtOnce) {
  try {
    const Pattern pattern = families::grid(16);
    const DeterminantDiagram diagram(pattern, rows_as_given(pattern));
    FAIL();
  } catch (const TooLarge& refusal) {
    EXPECT_TRUE(refusal.prediction().sampled);
    EXPECT_GT(refusal.prediction().states, 1e9);
  }
}

TEST(Pattern, NumbersEntriesByRowsAndMergesRepetitions) {
  const Pattern pattern(3, std::vector<Entry>{{2, 0}, {0, 1}, {2, 0}, {0, 0}}, std::vector<Entry>{{0, 1}, {1, 1}});
  ASSERT_EQ(pattern.entries().size(), 4U);
  EXPECT_EQ(pattern.find(0, 1), 1U);
  EXPECT_EQ(pattern.find(1, 1), 2U);
  EXPECT_EQ(pattern.find(1, 0), std::nullopt);
  EXPECT_FALSE(pattern.is_probe(1));  // a probe that is also an entry is an entry
  EXPECT_TRUE(pattern.is_probe(2));
  EXPECT_THROW(Pattern(2, std::vector<Entry>{{0, 2}}), std::invalid_argument);
}

}  // namespace
}  // namespace sfg::ddd
