#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sfg/ddd/pattern.hpp"

namespace sfg::ddd {

struct OrderOptions {
  /// Local search takes at most about so many seconds, and no longer than building would; none when the predicted number of
  /// states is not above `good_enough`.
  double search_seconds = 1;
  double good_enough = 10'000;
  std::uint64_t seed = 1;
  std::function<void(std::uint64_t)> checkpoint = {};  ///< as in BuildOptions
};

/// The rows, or the columns, one after the other.
/// `lines` with its prediction. @throws std::invalid_argument  if a line comes twice or an entry is on none of them.
Order order_of(const Pattern&, std::vector<std::uint32_t> lines);
/// Tries several orders, keeps the one with the smallest prediction and improves it by local search when it is large.
/// The same pattern and options give the same order on every machine, unless it is so slow that the search is cut off.
Order best_order(const Pattern&, const OrderOptions& = {});

}  // namespace sfg::ddd
