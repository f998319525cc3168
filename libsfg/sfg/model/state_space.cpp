#include "sfg/model/state_space.hpp"

#include <algorithm>

namespace sfg {

bool is_state(const StateSpace& model, std::size_t output, std::size_t state) {
  const auto& row = model.C[output];
  for (std::size_t j = 0; j < row.size(); ++j)
    if (!row[j].is_equal(j == state ? 1 : 0)) return false;
  return std::ranges::all_of(model.D[output], [](const GiNaC::ex& entry) { return entry.is_zero(); });
}

}  // namespace sfg
