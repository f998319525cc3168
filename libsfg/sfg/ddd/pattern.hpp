#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sfg::ddd {

/// Place of a structural nonzero of a square matrix, both indices from 0.
struct Entry {
  std::uint32_t row;
  std::uint32_t column;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

/// Sparsity pattern of an n×n matrix. Entries are numbered by rows, within a row by columns; that number is the index of
/// the entry's value in `evaluate` and `cofactors`.
class Pattern {
 public:
  Pattern() = default;
  /// Entries in any order, repetitions allowed. `probes` are places whose cofactor is wanted while the matrix is zero
  /// there: they are numbered with the entries, but no product takes two of them. A probe that is also an entry is an entry.
  /// @throws std::invalid_argument  if an index is not below `size`.
  Pattern(std::size_t size, std::span<const Entry> entries, std::span<const Entry> probes = {});

  std::size_t size() const noexcept { return size_; }
  std::span<const Entry> entries() const noexcept { return entries_; }
  /// The entries [row_begin(i), row_begin(i + 1)) are row i; i ≤ size().
  std::size_t row_begin(std::size_t row) const { return row_begin_.at(row); }
  /// Number of the entry (or probe) at a place, if there is one.
  std::optional<std::uint32_t> find(std::uint32_t row, std::uint32_t column) const;
  bool is_probe(std::size_t entry) const { return probe_[entry] != 0; }
  bool has_probes() const noexcept { return has_probes_; }
  friend bool operator==(const Pattern&, const Pattern&) = default;

 private:
  std::size_t size_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> row_begin_{0};
  std::vector<std::uint8_t> probe_;
  bool has_probes_ = false;
};

/// What a diagram will cost, known before it is built.
struct Prediction {
  std::size_t width = 0;  ///< largest number of active lines: some, but not all, of the lines they cross are done
  double states = 0;      ///< expected number of vertices (an upper bound unless `sampled`)
  double edges = 0;       ///< the same for edges
  double bytes = 0;       ///< memory while building
  bool sampled = false;   ///< estimated from random states, since the bound was too coarse
};

/// The order in which the lines of an n×n pattern are swept: line i < n is row i, line n + j is column j. Sweeping a line
/// decides which of its entries a product takes. Every entry must be on a line of the order; rows alone will do, and so
/// will columns, but mixing them can be much narrower.
struct Order {
  std::vector<std::uint32_t> lines;
  std::string method;  ///< "rows as given", "greedy", "reverse Cuthill–McKee", "minimum degree", … for reports
  Prediction prediction = {};
};

}  // namespace sfg::ddd
