#include "sfg/study/samples/order_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

constexpr std::size_t always_kept = 2048;  // below this many numbers a window is not worth narrowing

}  // namespace

OrderWindow::OrderWindow() : low(-infinity), high(infinity) {}

void OrderTally::add(const OrderWindow& window, std::span<const double> numbers) {
  constexpr std::size_t some = 256;
  for (; numbers.size() > some; numbers = numbers.subspan(some)) add(window, numbers.first(some));
  constexpr double most = std::numeric_limits<double>::max();
  const double low = std::max(window.low, -most), high = std::min(window.high, most);
  std::array<double, some + 1> found;
  std::size_t count = 0;
  std::uint64_t less = 0;
  for (const double x : numbers) {  // without a branch; a comparison with what is no number is false
    less += static_cast<std::uint64_t>(x < low);
    found[count] = x;
    count += static_cast<std::size_t>((x >= low) & (x <= high));
  }
  if (window.low > -infinity && less > 0) below += less - static_cast<std::uint64_t>(std::ranges::count(numbers, -infinity));
  for (std::size_t i = 0; i < count; ++i) {
    if (found[i] == window.low)
      ++at_low;
    else if (found[i] == window.high)
      ++at_high;
    else
      within.push_back(found[i]);
  }
}

void OrderTally::take(OrderTally& other) {
  below += other.below;
  at_low += other.at_low;
  at_high += other.at_high;
  if (within.empty())
    within.swap(other.within);
  else
    within.insert(within.end(), other.within.begin(), other.within.end());
  other.below = other.at_low = other.at_high = 0;
  other.within.clear();
}

void OrderTally::pack(Packer& packer) const {
  packer.add(below);
  packer.add(at_low);
  packer.add(at_high);
  packer.add(within);
}

OrderTally OrderTally::unpacked(Unpacker& from) {
  OrderTally tally;
  tally.below = from.take<std::uint64_t>();
  tally.at_low = from.take<std::uint64_t>();
  tally.at_high = from.take<std::uint64_t>();
  tally.within = from.list<double>();
  return tally;
}

QuantileWindow::QuantileWindow(double p, double caution) : p_(p), caution_(caution) {}

void QuantileWindow::settle(std::uint64_t numbers) {
  const double n = static_cast<double>(numbers), spread = 2 * caution_ * std::sqrt(p_ * (1 - p_) * n);
  if (static_cast<double>(tally_.within.size()) > 2 * spread + always_kept) narrow(numbers);
}

void QuantileWindow::narrow(std::uint64_t numbers) {
  const double n = static_cast<double>(numbers);
  // The second part is for tails, where ranks are spread as Poisson's variable is.
  const double deviation = caution_ * std::sqrt(p_ * (1 - p_) * n) + caution_ * caution_ / 3 + 1;
  const double before = static_cast<double>(tally_.below + tally_.at_low);
  const double first = std::floor(p_ * n - deviation) - before, last = std::ceil(p_ * n + deviation) - before;
  std::vector<double>& kept = tally_.within;
  const auto size = static_cast<double>(kept.size());
  auto begin = kept.begin(), end = kept.end();
  if (last >= 0 && last < size - 1) {
    const auto cut = begin + static_cast<std::ptrdiff_t>(last);
    std::nth_element(begin, cut, end);
    window_.high = *cut;
    tally_.at_high = 0;
    end = std::partition(begin, end, [&](double x) { return x <= window_.high; });
  }
  if (first > 0 && first < static_cast<double>(end - begin)) {
    const auto cut = begin + static_cast<std::ptrdiff_t>(first);
    std::nth_element(begin, cut, end);
    const double low = *cut;
    tally_.below += tally_.at_low + static_cast<std::uint64_t>(std::count_if(begin, end, [&](double x) { return x < low; }));
    tally_.at_low = 0;
    window_.low = low;
  }
  kept.erase(end, kept.end());
  std::erase_if(kept, [&](double x) {
    if (x < window_.low) return true;
    if (x == window_.low) return ++tally_.at_low, true;
    if (x == window_.high) return ++tally_.at_high, true;
    return false;
  });
}

std::optional<double> QuantileWindow::at_rank(std::uint64_t rank, std::uint64_t numbers) {
  if (rank >= numbers || rank < tally_.below) return {};
  rank -= tally_.below;
  if (rank < tally_.at_low) return window_.low;
  rank -= tally_.at_low;
  if (rank < tally_.within.size()) {
    const auto place = tally_.within.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(tally_.within.begin(), place, tally_.within.end());
    return *place;
  }
  return rank - tally_.within.size() < tally_.at_high ? std::optional(window_.high) : std::nullopt;
}

double QuantileWindow::fraction(std::uint64_t numbers) const {
  const double place = p_ * static_cast<double>(numbers - 1);
  return place - std::floor(place);
}

std::optional<std::pair<double, double>> QuantileWindow::neighbours(std::uint64_t numbers) {
  const auto rank = static_cast<std::uint64_t>(std::floor(p_ * static_cast<double>(numbers - 1)));
  const auto first = at_rank(rank, numbers), second = at_rank(std::min(rank + 1, numbers - 1), numbers);
  return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

void QuantileWindow::pack(Packer& packer) const {
  packer.add(caution_);
  packer.add(window_.low);
  packer.add(window_.high);
  tally_.pack(packer);
}

void QuantileWindow::unpack(Unpacker& from) {
  caution_ = from.take<double>();
  window_.low = from.take<double>();
  window_.high = from.take<double>();
  tally_ = OrderTally::unpacked(from);
}

}  // namespace sfg
