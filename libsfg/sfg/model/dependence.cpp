// Sparse elimination of D modulo a prime: first with pivots that fill in little, which tells whether the equations are dependent.
// Where they are, a second time, every row with a memory of which rows it has been combined: one that becomes empty names them.
#include "sfg/model/dependence.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
constexpr std::size_t most_equations = 3'000;
constexpr std::size_t most_operations = 2'000'000;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % prime);
}

std::uint64_t inverse(std::uint64_t a) {
  std::uint64_t result = 1;
  for (std::uint64_t exponent = prime - 2; exponent != 0; exponent >>= 1, a = product(a, a))
    if (exponent & 1) result = product(result, a);
  return result;
}

using SparseRow = std::map<std::size_t, std::uint64_t>;

struct CombinedRow {
  SparseRow entries;  ///< by column
  SparseRow origins;  ///< by row of D
};

/// row −= factor · other; returns the number of operations.
std::size_t subtract(SparseRow& row, std::uint64_t factor, const SparseRow& other) {
  for (const auto& [index, value] : other) {
    std::uint64_t& entry = row[index];
    entry = (entry + prime - product(factor, value)) % prime;
    if (entry == 0) row.erase(index);
  }
  return other.size();
}

/// Nothing when an entry has no value at this point.
std::optional<std::vector<CombinedRow>> rows_at(const EquationSystem& system, const ModularPoint& point) {
  std::vector<CombinedRow> rows(system.equations.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].origins[i] = 1;
    for (const auto& [column, value] : system.equations[i].left) {
      const auto residue = point(value);
      if (!residue) return std::nullopt;
      if (*residue != 0) rows[i].entries[column] = *residue;
    }
  }
  return rows;
}

/// Takes the shortest of the rows from `begin` on to its front.
void bring_shortest_forward(std::vector<CombinedRow>& rows, std::size_t begin) {
  std::size_t best = begin;
  for (std::size_t i = begin; i < rows.size(); ++i)
    if (rows[i].entries.size() < rows[best].entries.size()) best = i;
  std::swap(rows[begin], rows[best]);
}

/// Whether no row is a combination of the others; false, too, where that takes too many operations. The next pivot stands in the
/// shortest row and, in that, in the column with the fewest rows.
bool independent(const std::vector<CombinedRow>& given) {
  std::vector<SparseRow> rows;
  std::vector<std::set<std::size_t>> at(given.size());  // rows by column
  std::set<std::pair<std::size_t, std::size_t>> open;   // length and row
  for (const CombinedRow& row : given) {
    for (const auto& [column, value] : row.entries) at[column].insert(rows.size());
    open.emplace(row.entries.size(), rows.size());
    rows.push_back(row.entries);
  }
  std::size_t operations = 0;
  while (!open.empty()) {
    const std::size_t pivot = open.extract(open.begin()).value().second;
    if (rows[pivot].empty() || operations > most_operations) return false;
    for (const auto& [column, value] : rows[pivot]) at[column].erase(pivot);
    const auto fewest = [&](const auto& a, const auto& b) { return at[a.first].size() < at[b.first].size(); };
    const auto [column, value] = *std::min_element(rows[pivot].begin(), rows[pivot].end(), fewest);
    const std::uint64_t scale = inverse(value);
    for (const std::size_t i : std::exchange(at[column], {})) {
      SparseRow& row = rows[i];
      open.erase({row.size(), i});
      const std::uint64_t factor = product(row.at(column), scale);
      operations += subtract(row, factor, rows[pivot]);
      for (const auto& [other, there] : rows[pivot])
        if (other != column) row.contains(other) ? void(at[other].insert(i)) : void(at[other].erase(i));
      open.emplace(row.size(), i);
    }
  }
  return true;
}

}  // namespace

std::vector<std::size_t> dependent_equations(const EquationSystem& system) {
  constexpr std::uint64_t seed = 20110317;
  if (system.equations.size() > most_equations) return {};
  auto rows = rows_at(system, ModularPoint(prime, seed));
  if (!rows || independent(*rows)) return {};
  std::size_t operations = 0;
  for (std::size_t k = 0; k < rows->size(); ++k) {
    bring_shortest_forward(*rows, k);
    const CombinedRow& pivot = (*rows)[k];
    if (pivot.entries.empty()) {
      std::vector<std::size_t> dependent;
      for (const auto& [row, factor] : pivot.origins) dependent.push_back(row);
      return dependent;
    }
    const auto [column, value] = *pivot.entries.begin();
    const std::uint64_t scale = inverse(value);
    for (std::size_t i = k + 1; i < rows->size(); ++i) {
      CombinedRow& row = (*rows)[i];
      const auto entry = row.entries.find(column);
      if (entry == row.entries.end()) continue;
      const std::uint64_t factor = product(entry->second, scale);
      operations += subtract(row.entries, factor, pivot.entries) + subtract(row.origins, factor, pivot.origins);
    }
    if (operations > most_operations) return {};
  }
  return {};
}

}  // namespace sfg
