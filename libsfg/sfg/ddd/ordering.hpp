#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sfg/ddd/determinant_diagram.hpp"

namespace sfg::ddd {

struct OrderOptions {
  /// Local search runs for at most so many seconds, and only when the predicted number of states is above `good_enough`.
  double search_seconds = 1;
  double good_enough = 200'000;
  std::uint64_t seed = 1;
  std::function<void(std::uint64_t)> checkpoint = {};  ///< as in BuildOptions
};

/// The lines in the order of the matrix, with its prediction.
Order given_order(const Pattern&, bool by_columns = false);
/// `lines` with its prediction. @throws std::invalid_argument if it is not a permutation.
Order order_of(const Pattern&, std::vector<std::uint32_t> lines, bool by_columns = false);
/// Tries several orders, of the rows and of the columns, keeps the one with the smallest prediction and improves it by local
/// search when it is large. The same pattern and options give the same order unless the time limit of the search is reached.
Order best_order(const Pattern&, const OrderOptions& = {});

}  // namespace sfg::ddd
