#include "sfg/ddd/pattern.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sfg::ddd {

Pattern::Pattern(std::size_t size, std::span<const Entry> entries, std::span<const Entry> probes) : size_(size) {
  if (size >= std::numeric_limits<std::uint32_t>::max() || entries.size() + probes.size() >= (std::size_t{1} << 31))
    throw std::invalid_argument("Pattern: too large");
  std::vector<std::pair<Entry, std::uint8_t>> all;
  all.reserve(entries.size() + probes.size());
  for (const Entry& entry : entries) all.emplace_back(entry, 0);
  for (const Entry& probe : probes) all.emplace_back(probe, 1);
  for (const auto& [entry, is_probe] : all)
    if (entry.row >= size || entry.column >= size) throw std::invalid_argument("Pattern: an index is not below the size");
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), all.end());
  row_begin_.assign(size + 1, 0);
  for (const auto& [entry, is_probe] : all) {
    entries_.push_back(entry);
    probe_.push_back(is_probe);
    has_probes_ = has_probes_ || is_probe != 0;
    ++row_begin_[entry.row + 1];
  }
  for (std::size_t row = 0; row < size; ++row) row_begin_[row + 1] += row_begin_[row];
}

std::optional<std::uint32_t> Pattern::find(std::uint32_t row, std::uint32_t column) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), Entry{row, column});
  if (found == entries_.end() || *found != Entry{row, column}) return std::nullopt;
  return static_cast<std::uint32_t>(found - entries_.begin());
}

}  // namespace sfg::ddd
