#include "sfg/transfer/residue_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sfg/ring/modular.hpp"

namespace sfg {
namespace {

// Leibniz's sum over all permutations.
std::uint64_t determinant_by_permutations(const ResidueSystem& system) {
  const ring::ModularRing field(system.prime);
  std::vector<std::size_t> columns(system.rows.size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = i;
  std::uint64_t sum = 0;
  do {
    std::uint64_t product = 1;
    for (std::size_t r = 0; r < columns.size(); ++r) {
      const auto entry = system.rows[r].find(columns[r]);
      product = field.multiply(product, entry == system.rows[r].end() ? 0 : entry->second);
      for (std::size_t q = 0; q < r; ++q)
        if (columns[q] > columns[r]) product = field.negate(product);
    }
    sum = field.add(sum, product);
  } while (std::ranges::next_permutation(columns).found);
  return sum;
}

TEST(ResidueSystem, RandomSparseSystems) {
  std::mt19937_64 random(17);
  std::size_t regular = 0;
  for (int round = 0; round < 200; ++round) {
    ResidueSystem system{.prime = ring::ModularRing::below61, .rows = {}};
    const std::size_t n = 1 + random() % 6;
    system.rows.resize(n);
    for (auto& row : system.rows)
      for (std::size_t c = 0; c < n; ++c)
        if (random() % 2) row[c] = random() % 5 ? random() % system.prime : 1;
    const std::vector<std::size_t> units{0, n - 1};
    const auto found = system.solved(units);
    EXPECT_EQ(found ? found->determinant : 0, determinant_by_permutations(system)) << "round " << round;
    if (!found) continue;
    ++regular;
    const ring::ModularRing field(system.prime);
    for (std::size_t side = 0; side < units.size(); ++side)
      for (std::size_t r = 0; r < n; ++r) {
        std::uint64_t sum = 0;
        for (const auto& [c, value] : system.rows[r]) sum = field.add(sum, field.multiply(value, found->x[side][c]));
        EXPECT_EQ(sum, r == units[side] ? 1U : 0U);
      }
  }
  EXPECT_GT(regular, 50U);
}

}  // namespace
}  // namespace sfg
