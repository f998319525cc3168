#include "sfg/ddd/determinant_diagram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

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
    const auto all = cofactors(diagram, ModularRing(), sample.values);
    const Matrix m = dense(sample);
    for (std::size_t e = 0; e < all.size(); ++e) {
      const Entry entry = sample.pattern.entries()[e];
      EXPECT_EQ(all[e], signed_minor(m, entry.row, entry.column)) << "trial " << trial << " entry " << e;
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

TEST(DeterminantDiagram, LadderTermsAreFibonacciNumbers) {
  // Tridiagonal 2n×2n: as many products as tilings of a strip of length 2n by squares and dominoes.
  for (const auto& [sections, expected] :
       std::vector<std::pair<std::uint32_t, std::string>>{{2, "5"}, {10, "10946"}, {14, "514229"}}) {
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < 2 * sections; ++i) {
      entries.push_back({i, i});
      if (i > 0) entries.insert(entries.end(), {{i, i - 1}, {i - 1, i}});
    }
    const Pattern pattern(2 * sections, entries);
    const DeterminantDiagram diagram(pattern);
    EXPECT_EQ(to_string(evaluate(diagram, ring::CountRing(), std::vector<Integer>(pattern.entries().size(), 1))), expected);
  }
}

TEST(DeterminantDiagram, RefusesAtTheLimit) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < 20; ++i)
    for (std::uint32_t j = 0; j < 20; ++j) entries.push_back({i, j});
  EXPECT_THROW(DeterminantDiagram(Pattern(20, entries), {.max_states = 10'000}), TooLarge);
  struct Stop {};
  EXPECT_THROW(DeterminantDiagram(Pattern(20, entries), {.checkpoint = [](std::uint64_t) { throw Stop(); }}), Stop);
}

}  // namespace
}  // namespace sfg::ddd
