#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

// Not installed.
namespace sfg {

/// Moves single items of an order to where they cost least, as long as that helps (sifting, Rudell 1993).
/// @param costs_of  of an item a function of another one: what is added when the item, which stands before the other, comes
/// behind
template <class Item, class CostsOf>
void sift(std::vector<Item>& order, const CostsOf& costs_of) {
  const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  for (bool better = true; better;) {
    better = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto costs = costs_of(order[i]);
      decltype(costs(order[i])) best = 0, change = 0;
      std::size_t place = i;
      for (std::size_t k = i + 1; k < order.size(); ++k) {
        change += costs(order[k]);
        if (change < best) best = change, place = k;
      }
      change = 0;
      for (std::size_t k = i; k-- > 0;) {
        change -= costs(order[k]);
        if (change < best) best = change, place = k;
      }
      if (place == i) continue;
      better = true;
      if (place > i) {
        std::rotate(at(i), at(i + 1), at(place + 1));
      } else {
        std::rotate(at(place), at(i), at(i + 1));
      }
    }
  }
}

}  // namespace sfg
