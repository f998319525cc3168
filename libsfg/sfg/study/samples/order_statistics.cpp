#include "sfg/study/samples/order_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/vectors.hpp"

namespace sfg {

namespace {

constexpr double always_kept = 256;  // below this many numbers windows are not worth narrowing
constexpr double greatest_number = std::numeric_limits<double>::max();
constexpr std::size_t sifted_at_once = 256;

/// Of some numbers: how many are below each window, and those in any of them. A comparison with what is no number is false.
/// @returns how many were found
SFG_VECTORS std::size_t sift(std::span<const OrderWindow> windows, std::span<const double> numbers, std::uint64_t* below,
                             std::array<double, sifted_at_once>& found) {
  std::array<std::int64_t, sifted_at_once> hits{};
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const double low = std::max(windows[w].low, -greatest_number), high = std::min(windows[w].high, greatest_number);
    std::int64_t less = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      less += int{numbers[i] < low} & int{numbers[i] >= -greatest_number};
      hits[i] |= int{numbers[i] >= low} & int{numbers[i] <= high};
    }
    below[w] += static_cast<std::uint64_t>(less);
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {  // without a branch
    found[count] = numbers[i];
    count += static_cast<std::size_t>(hits[i]);
  }
  return count;
}

/// The numbers in a window, its ends among them.
std::span<const double> inside_of(const OrderWindow& window, std::span<const double> numbers, std::vector<double>& room) {
  if (window == OrderWindow()) return numbers;
  room.resize(numbers.size() + 1);
  std::size_t count = 0;
  for (const double x : numbers) {  // without a branch
    room[count] = x;
    count += static_cast<std::size_t>((x >= window.low) & (x <= window.high));
  }
  return std::span(room).first(count);
}

}  // namespace

OrderWindow::OrderWindow() : low(-infinity), high(infinity) {}

void OrderTally::add(std::span<const OrderWindow> windows, std::span<const double> numbers) {
  below.resize(windows.size());
  std::array<double, sifted_at_once> found;
  for (; !numbers.empty(); numbers = numbers.subspan(std::min(sifted_at_once, numbers.size()))) {
    const std::size_t count = sift(windows, numbers.first(std::min(sifted_at_once, numbers.size())), below.data(), found);
    within.insert(within.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

void OrderTally::take(OrderTally& other) {
  below.resize(std::max(below.size(), other.below.size()));
  for (std::size_t w = 0; w < other.below.size(); ++w) below[w] += std::exchange(other.below[w], 0);
  if (within.empty())
    within.swap(other.within);
  else
    within.insert(within.end(), other.within.begin(), other.within.end());
  other.within.clear();
}

void OrderTally::pack(Packer& packer) const {
  packer.add(below);
  packer.add(within);
}

void OrderTally::unpack(Unpacker& from) {
  below = from.list<std::uint64_t>();
  within = from.list<double>();
}

void Ranked::take(std::span<const double> numbers) {
  constexpr std::size_t in_a_cell = 4, most_cells = 1024;
  const std::size_t cells = std::clamp<std::size_t>(numbers.size() / in_a_cell, 1, most_cells);
  const auto [least, greatest] = std::ranges::minmax(numbers);
  const double half_least = least / 2;  // halves: a difference that does not overflow
  double scale = static_cast<double>(cells) / (greatest / 2 - half_least);
  if (!(scale > 0 && scale <= greatest_number)) scale = 0;  // one cell; 0 and −0 are equal, and their difference has a sign
  const auto last = static_cast<std::int32_t>(cells - 1);
  cells_.resize(numbers.size());
  ends_.assign(cells + 1, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    cells_[i] = static_cast<std::uint32_t>(std::min(static_cast<std::int32_t>((numbers[i] / 2 - half_least) * scale), last));
    ++ends_[cells_[i] + 1];
  }
  for (std::size_t c = 1; c <= cells; ++c) ends_[c] += ends_[c - 1];
  numbers_.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers_[ends_[cells_[i]]++] = numbers[i];  // starts become ends
}

double Ranked::at(std::size_t rank) {
  const auto cell = std::ranges::upper_bound(ends_, rank);
  const auto begin = numbers_.begin() + (cell == ends_.begin() ? 0 : *(cell - 1)), end = numbers_.begin() + *cell;
  const auto place = numbers_.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(begin, place, end);
  return *place;
}

QuantileWindows::QuantileWindows(std::span<const double> levels, double caution)
    : levels_(levels), caution_(caution), windows_(levels.size()), ends_(levels.size()) {
  tally_.below.resize(levels.size());
}

double QuantileWindows::deviation(std::size_t level, std::uint64_t numbers) const {
  return caution_ * std::sqrt(levels_[level] * (1 - levels_[level]) * static_cast<double>(numbers));
}

void QuantileWindows::settle(std::uint64_t numbers) {
  double needed = always_kept;
  for (std::size_t l = 0; l < levels_.size(); ++l) needed += 6 * deviation(l, numbers);
  if (static_cast<double>(tally_.within.size()) <= needed) return;
  narrow(numbers);
  if (static_cast<double>(tally_.within.size()) > needed) count_ends();
}

void QuantileWindows::narrow(std::uint64_t numbers) {
  const std::vector<OrderWindow> old = windows_;
  std::vector<double> room;
  std::span<const double> inside;
  Ranked ranked;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    if (l == 0 || old[l] != old[l - 1]) {
      inside = inside_of(old[l], tally_.within, room);
      if (!inside.empty()) ranked.take(inside);
    }
    // The second part is for tails, where ranks are spread as Poisson's variable is.
    const double enough = deviation(l, numbers) + caution_ * caution_ / 3 + 1;
    const double middle = levels_[l] * static_cast<double>(numbers) - static_cast<double>(tally_.below[l] + ends_[l].low);
    const double first = std::floor(middle - enough), last = std::ceil(middle + enough);
    const auto size = static_cast<double>(inside.size());
    if (last >= 0 && last < size - 1) windows_[l].high = ranked.at(static_cast<std::size_t>(last));
    if (first > 0 && first < size) windows_[l].low = ranked.at(static_cast<std::size_t>(first));
  }
  OrderTally before, now;
  before.add(old, tally_.within);
  now.add(windows_, tally_.within);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    tally_.below[l] += now.below[l] - before.below[l];
    if (windows_[l].low != old[l].low) tally_.below[l] += std::exchange(ends_[l].low, 0);
    if (windows_[l].high != old[l].high) ends_[l].high = 0;
  }
  tally_.within.swap(now.within);
}

/// Lets go of the numbers that are at ends only.
void QuantileWindows::count_ends() {
  std::erase_if(tally_.within, [&](double x) {
    if (std::ranges::any_of(windows_, [x](const OrderWindow& window) { return x > window.low && x < window.high; })) return false;
    for (std::size_t l = 0; l < windows_.size(); ++l)
      if (x == windows_[l].low)
        ++ends_[l].low;
      else if (x == windows_[l].high)
        ++ends_[l].high;
    return true;
  });
}

double QuantileWindows::fraction(std::size_t level, std::uint64_t numbers) const {
  const double place = levels_[level] * static_cast<double>(numbers - 1);
  return place - std::floor(place);
}

std::optional<std::vector<std::pair<double, double>>> QuantileWindows::neighbours(std::uint64_t numbers) {
  std::vector<std::pair<double, double>> result;
  std::vector<double> room;
  std::span<const double> inside;
  Ranked ranked;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const OrderWindow window = windows_[l];
    if (l == 0 || windows_[l] != windows_[l - 1]) {
      inside = inside_of(windows_[l], tally_.within, room);
      if (!inside.empty()) ranked.take(inside);
    }
    const auto at = [&](std::uint64_t rank) -> std::optional<double> {
      if (rank < tally_.below[l]) return {};
      rank -= tally_.below[l];
      if (rank < ends_[l].low) return window.low;
      rank -= ends_[l].low;
      if (rank < inside.size()) return ranked.at(rank);
      return rank - inside.size() < ends_[l].high ? std::optional(window.high) : std::nullopt;
    };
    const auto rank = static_cast<std::uint64_t>(std::floor(levels_[l] * static_cast<double>(numbers - 1)));
    const auto first = at(rank), second = at(std::min(rank + 1, numbers - 1));
    if (!first || !second) return {};
    result.emplace_back(*first, *second);
  }
  return result;
}

void QuantileWindows::pack(Packer& packer) const {
  packer.add(caution_);
  for (std::size_t l = 0; l < windows_.size(); ++l) {
    packer.add(windows_[l].low);
    packer.add(windows_[l].high);
    packer.add(ends_[l].low);
    packer.add(ends_[l].high);
  }
  tally_.pack(packer);
}

void QuantileWindows::unpack(Unpacker& from) {
  caution_ = from.take<double>();
  for (std::size_t l = 0; l < windows_.size(); ++l) {
    windows_[l].low = from.take<double>();
    windows_[l].high = from.take<double>();
    ends_[l].low = from.take<std::uint64_t>();
    ends_[l].high = from.take<std::uint64_t>();
  }
  tally_.unpack(from);
}

}  // namespace sfg
