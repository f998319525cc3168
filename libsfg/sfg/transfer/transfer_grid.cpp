#include "sfg/transfer/transfer_grid.hpp"

#include <algorithm>

namespace sfg {

namespace {

std::size_t place(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

}  // namespace

std::optional<TransferGrid> transfer_grid(std::span<const std::pair<std::string, std::string>> ends) {
  TransferGrid grid;
  for (const auto& [input, output] : ends) grid.places.emplace_back(place(grid.outputs, output), place(grid.inputs, input));
  auto sorted = grid.places;
  std::ranges::sort(sorted);
  const bool each_once = std::ranges::adjacent_find(sorted) == sorted.end();
  if (sorted.empty() || !each_once || sorted.size() != grid.inputs.size() * grid.outputs.size()) return {};
  return grid;
}

}  // namespace sfg
