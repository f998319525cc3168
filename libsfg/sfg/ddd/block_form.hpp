#pragma once
#include <cstdint>
#include <vector>

#include "sfg/ddd/determinant_diagram.hpp"

namespace sfg::ddd {

/// A matrix permuted to block upper triangular form: its determinant is sign × the product of those of the diagonal blocks.
struct BlockForm {
  struct Block {
    std::vector<std::uint32_t> rows;     ///< of the whole matrix; row k of the block is rows[k]
    std::vector<std::uint32_t> columns;  ///< as many
    Pattern pattern;                     ///< of the block alone
    std::vector<std::uint32_t> entries;  ///< number in the whole pattern of every entry of `pattern`
  };
  bool structurally_singular = false;  ///< no product at all: the determinant is 0 and there are no blocks
  bool negative = false;               ///< the sign
  std::vector<Block> blocks;
};

/// Finest block triangular form: maximum matching, then strongly connected components (Duff and Reid 1978).
/// Costs O(entries) after the matching. Probes couple like entries.
BlockForm block_form(const Pattern&);

}  // namespace sfg::ddd
