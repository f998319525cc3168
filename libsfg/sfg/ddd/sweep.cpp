#include "sfg/ddd/sweep.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace sfg::ddd {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Parity of the marked positions right of a position (Fenwick tree).
class MarkedRight {
 public:
  explicit MarkedRight(std::size_t size) : parity_(size + 1) {}
  void mark(std::size_t position) {
    total_ = !total_;
    for (std::size_t i = position + 1; i < parity_.size(); i += i & (~i + 1)) parity_[i] ^= 1;
  }
  bool odd_after(std::size_t position) const {
    bool odd = total_;
    for (std::size_t i = position + 1; i > 0; i &= i - 1) odd = odd != (parity_[i] != 0);
    return odd;
  }

 private:
  std::vector<std::uint8_t> parity_;
  bool total_ = false;
};

}  // namespace

bool odd_permutation(std::span<const std::uint32_t> permutation) {
  std::vector<bool> seen(permutation.size());
  bool odd = false;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    for (std::size_t k = i, length = 0; !seen[k]; k = permutation[k], ++length) {
      seen[k] = true;
      if (length > 0) odd = !odd;
    }
  }
  return odd;
}

void check_permutation(std::span<const std::uint32_t> lines, std::size_t size) {
  std::vector<bool> seen(size);
  bool valid = lines.size() == size;
  for (const std::uint32_t line : lines) {
    valid = valid && line < size && !seen[line];
    if (!valid) throw std::invalid_argument("Order: the lines are not a permutation of those of the pattern");
    seen[line] = true;
  }
  if (!valid) throw std::invalid_argument("Order: the lines are not a permutation of those of the pattern");
}

Lines::Lines(const Pattern& pattern, bool by_columns) : begin_(pattern.size() + 1) {
  const auto entries = pattern.entries();
  items_.resize(entries.size());
  for (const Entry& entry : entries) ++begin_[(by_columns ? entry.column : entry.row) + 1];
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) begin_[i + 1] += begin_[i];
  std::vector<std::uint32_t> at(begin_.begin(), begin_.end());
  for (std::uint32_t e = 0; e < entries.size(); ++e) {
    const Entry& entry = entries[e];
    items_[at[by_columns ? entry.column : entry.row]++] = {e, by_columns ? entry.row : entry.column};
  }
}

SweepPlan plan_sweep(const Pattern& pattern, const Order& order) {
  const std::size_t n = pattern.size();
  const Lines lines(pattern, order.by_columns);
  SweepPlan plan;
  plan.negative = odd_permutation(order.lines);
  plan.probes = pattern.has_probes();
  plan.lines.reserve(n);

  std::vector<std::uint32_t> last(n, none), slot(n, none), free_slots, active;
  for (std::size_t k = 0; k < n; ++k)
    for (const auto& item : lines[order.lines[k]]) last[item.crossing] = static_cast<std::uint32_t>(k);
  plan.slots = plan.probes ? 1 : 0;
  plan.singular = std::find(last.begin(), last.end(), none) != last.end();

  MarkedRight dead(n);
  std::size_t dead_count = 0;
  for (std::size_t k = 0; k < n && !plan.singular; ++k) {
    SweepPlan::Line line;
    const auto items = lines[order.lines[k]];
    for (const auto& item : items) {
      if (slot[item.crossing] != none) continue;
      if (free_slots.empty()) free_slots.push_back(static_cast<std::uint32_t>(plan.slots++));
      slot[item.crossing] = free_slots.back();
      free_slots.pop_back();
      active.push_back(item.crossing);
    }
    for (const auto& item : items) {
      SweepPlan::Choice choice{item.entry, slot[item.crossing], dead.odd_after(item.crossing), {}};
      for (const std::uint32_t column : active)
        if (column > item.crossing) choice.right.push_back(slot[column]);
      line.choices.push_back(std::move(choice));
    }
    for (const auto& item : items) {
      if (last[item.crossing] != k) continue;
      line.dying.push_back(slot[item.crossing]);
      free_slots.push_back(slot[item.crossing]);
      dead.mark(item.crossing);
      ++dead_count;
      active.erase(std::find(active.begin(), active.end(), item.crossing));
    }
    line.active = active.size();
    plan.singular = items.empty() || dead_count > k + 1 || k + 1 > dead_count + active.size();
    line.used = k + 1 - dead_count;
    plan.width = std::max(plan.width, line.active);
    plan.lines.push_back(std::move(line));
  }
  return plan;
}

}  // namespace sfg::ddd
