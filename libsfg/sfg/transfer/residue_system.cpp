#include "sfg/transfer/residue_system.hpp"

#include <set>
#include <utility>

#include "sfg/ring/modular.hpp"

namespace sfg {

namespace {

/// The rows while they are eliminated; right-hand sides are columns beyond the last.
class Elimination {
 public:
  Elimination(const ResidueSystem& system, std::span<const std::size_t> units)
      : field_(system.prime), n_(system.rows.size()), rows_(system.rows), column_of_(n_), holders_(n_) {
    for (std::size_t i = 0; i < units.size(); ++i) rows_[units[i]][n_ + i] = 1;
    for (std::size_t r = 0; r < n_; ++r) {
      for (const auto& [column, value] : rows_[r])
        if (column < n_) holders_[column].insert(r);
      waiting_.emplace(rows_[r].size(), r);
    }
  }

  bool run() {
    while (!waiting_.empty()) {
      const std::size_t r = waiting_.begin()->second;
      const std::optional<std::size_t> column = pivot(r);
      if (!column) return false;
      waiting_.erase(waiting_.begin());
      for (const auto& [at, value] : rows_[r])
        if (at < n_) holders_[at].erase(r);
      determinant_ = field_.multiply(determinant_, rows_[r].at(*column));
      scale(r, *column);
      const std::vector<std::size_t> others(holders_[*column].begin(), holders_[*column].end());
      for (const std::size_t other : others) subtract(other, *column, r);
      column_of_[r] = *column;
      order_.push_back(r);
    }
    return true;
  }

  std::uint64_t determinant() const { return odd() ? field_.negate(determinant_) : determinant_; }
  std::vector<std::uint64_t> solution(std::size_t side) const {
    std::vector<std::uint64_t> x(n_, 0);
    for (auto r = order_.rbegin(); r != order_.rend(); ++r) {
      std::uint64_t rest = 0;
      for (const auto& [column, value] : rows_[*r]) {
        if (column < n_ && column != column_of_[*r]) rest = field_.subtract(rest, field_.multiply(value, x[column]));
        if (column == n_ + side) rest = field_.add(rest, value);
      }
      x[column_of_[*r]] = rest;
    }
    return x;
  }

 private:
  /// The column of the row that the fewest rows have.
  std::optional<std::size_t> pivot(std::size_t r) const {
    std::optional<std::size_t> best;
    for (const auto& [column, value] : rows_[r])
      if (column < n_ && (!best || holders_[column].size() < holders_[*best].size())) best = column;
    return best;
  }
  void scale(std::size_t r, std::size_t column) {
    const std::uint64_t inverse = field_.inverse(rows_[r].at(column));
    for (auto& [other, value] : rows_[r]) value = field_.multiply(value, inverse);
  }
  void subtract(std::size_t from, std::size_t column, std::size_t pivot_row) {
    waiting_.erase({rows_[from].size(), from});
    const std::uint64_t factor = rows_[from].at(column);
    for (const auto& [at, value] : rows_[pivot_row]) {
      const auto [entry, fresh] = rows_[from].try_emplace(at, 0);
      entry->second = field_.subtract(entry->second, field_.multiply(factor, value));
      if (fresh && at < n_) holders_[at].insert(from);
      if (entry->second != 0) continue;
      rows_[from].erase(entry);
      if (at < n_) holders_[at].erase(from);
    }
    waiting_.emplace(rows_[from].size(), from);
  }
  /// Whether rows go to columns by an odd permutation.
  bool odd() const {
    std::vector<bool> seen(n_, false);
    bool odd = false;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = column_of_[i]; !seen[i] && j != i; j = column_of_[j]) {
        seen[j] = true;
        odd = !odd;
      }
    return odd;
  }

  ring::ModularRing field_;
  std::size_t n_;
  std::vector<ResidueSystem::Row> rows_;
  std::vector<std::size_t> column_of_;
  std::vector<std::set<std::size_t>> holders_;             ///< of a column: the waiting rows that have it
  std::set<std::pair<std::size_t, std::size_t>> waiting_;  ///< (length, row)
  std::vector<std::size_t> order_;                         ///< of the rows
  std::uint64_t determinant_ = 1;
};

}  // namespace

std::optional<ResidueSystem::Solution> ResidueSystem::solved(std::span<const std::size_t> units) const {
  Elimination elimination(*this, units);
  if (!elimination.run()) return {};
  Solution result{.determinant = elimination.determinant()};
  for (std::size_t i = 0; i < units.size(); ++i) result.x.push_back(elimination.solution(i));
  return result;
}

}  // namespace sfg
