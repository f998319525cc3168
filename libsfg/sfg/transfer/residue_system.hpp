#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace sfg {

/// A square system of linear equations modulo a prime below 2^63, solved for several unit right-hand sides at once.
struct ResidueSystem {
  using Row = std::map<std::size_t, std::uint64_t>;  ///< by column, without zeros

  struct Solution {
    std::uint64_t determinant = 1;
    std::vector<std::vector<std::uint64_t>> x = {};  ///< by right-hand side
  };

  std::uint64_t prime = 0;
  std::vector<Row> rows = {};

  /// @param units  of each right-hand side the row that has 1
  /// @returns nothing where the matrix is singular. Gauss's elimination, the shortest row first.
  std::optional<Solution> solved(std::span<const std::size_t> units) const;
};

}  // namespace sfg
