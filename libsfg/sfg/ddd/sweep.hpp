#pragma once
#include <cstdint>
#include <vector>

#include "sfg/ddd/determinant_diagram.hpp"

namespace sfg::ddd {

/// What happens at each line of a sweep, worked out once. Columns here are the crossing lines: rows of a sweep by columns.
/// An active column has a slot, a bit of the state, from its first line to its last.
struct SweepPlan {
  struct Choice {
    std::uint32_t entry;               ///< number in the pattern
    std::uint32_t slot;                ///< of the column
    bool odd = false;                  ///< an odd number of columns that are dead, hence used, lie right of this one
    std::vector<std::uint32_t> right;  ///< slots of active columns right of this one
  };
  struct Line {
    std::vector<Choice> choices;
    std::vector<std::uint32_t> dying;  ///< slots of columns whose last line this is
    std::size_t active = 0;            ///< active columns after this line
    std::size_t used = 0;              ///< how many of them a state has used
  };
  std::vector<Line> lines;
  std::size_t slots = 0;
  std::size_t width = 0;
  bool negative = false;  ///< the order of the lines is an odd permutation
  bool probes = false;    ///< slot 0 says that a probe has been taken
  bool singular = false;  ///< some line or column is empty, or more columns die than lines have passed
};

/// Entries of every line of the pattern, as numbers of entries; the other index is `crossing`.
class Lines {
 public:
  Lines(const Pattern& pattern, bool by_columns);
  std::size_t size() const { return begin_.size() - 1; }
  struct Item {
    std::uint32_t entry;
    std::uint32_t crossing;
  };
  std::span<const Item> operator[](std::size_t line) const {
    return std::span<const Item>(items_).subspan(begin_[line], begin_[line + 1] - begin_[line]);
  }

 private:
  std::vector<Item> items_;
  std::vector<std::uint32_t> begin_;
};

SweepPlan plan_sweep(const Pattern&, const Order&);
/// Whether a permutation of 0 … length − 1 is odd.
bool odd_permutation(std::span<const std::uint32_t> permutation);
/// Throws std::invalid_argument unless `lines` is a permutation of 0 … size − 1.
void check_permutation(std::span<const std::uint32_t> lines, std::size_t size);

}  // namespace sfg::ddd
