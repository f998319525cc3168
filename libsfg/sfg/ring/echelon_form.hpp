#pragma once
#include <cstddef>
#include <vector>

#include "sfg/ring/modular.hpp"

// Not installed: linear algebra modulo a prime.
namespace sfg::ring {

/// Rows modulo a prime, brought to reduced echelon form one after the other.
class EchelonForm {
 public:
  using Row = std::vector<ModularRing::Value>;

  EchelonForm(ModularRing ring, std::size_t columns) : ring_(ring), columns_(columns) {}

  /// Whether it is independent of those before.
  bool add(Row row) {
    reduce(row);
    std::size_t pivot = 0;
    while (pivot < columns_ && row[pivot] == 0) ++pivot;
    if (pivot == columns_) return false;
    const auto unit = ring_.inverse(row[pivot]);
    for (auto& value : row) value = ring_.multiply(value, unit);
    for (Row& other : rows_) subtract(other, row, other[pivot]);
    rows_.push_back(std::move(row));
    pivots_.push_back(pivot);
    return true;
  }
  bool depends(Row row) const {
    reduce(row);
    for (const auto value : row)
      if (value != 0) return false;
    return true;
  }
  std::size_t rank() const { return rows_.size(); }
  const std::vector<std::size_t>& pivots() const { return pivots_; }
  /// A basis of the vectors that all rows annihilate: each is 1 in one column without a pivot, 0 in the others of these.
  std::vector<Row> kernel() const {
    std::vector<bool> is_pivot(columns_);
    for (const std::size_t pivot : pivots_) is_pivot[pivot] = true;
    std::vector<Row> result;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (is_pivot[c]) continue;
      Row vector(columns_);
      vector[c] = 1;
      for (std::size_t k = 0; k < rows_.size(); ++k) vector[pivots_[k]] = ring_.negate(rows_[k][c]);
      result.push_back(std::move(vector));
    }
    return result;
  }

 private:
  void reduce(Row& row) const {
    for (std::size_t k = 0; k < rows_.size(); ++k) subtract(row, rows_[k], row[pivots_[k]]);
  }
  void subtract(Row& row, const Row& other, ModularRing::Value factor) const {
    if (factor == 0) return;
    for (std::size_t c = 0; c < columns_; ++c)
      if (other[c] != 0) row[c] = ring_.subtract(row[c], ring_.multiply(factor, other[c]));
  }

  ModularRing ring_;
  std::size_t columns_;
  std::vector<Row> rows_;
  std::vector<std::size_t> pivots_;
};

}  // namespace sfg::ring
