#include "sfg/numeric/lookup_table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg::numeric {

namespace {

constexpr std::size_t most_tables = 4096;

struct Registry {
  std::mutex adding;
  std::size_t count = 0;
  std::vector<std::unique_ptr<const LookupTable>> owned;
  std::array<std::atomic<const LookupTable*>, most_tables> tables{};
};

Registry& registry() {
  static Registry all;
  return all;
}

double down(double x) { return std::nextafter(x, -infinity); }
double up(double x) { return std::nextafter(x, infinity); }

struct Range {
  double low, high;
};
Range product(Range a, Range b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {down(low), up(high)};
}
Range range_sum(Range a, Range b) { return {down(a.low + b.low), up(a.high + b.high)}; }

/// k (k − 1) … of `order` factors: what differentiation puts in front of t^(k − order).
double falling(int k, int order) {
  double factor = 1;
  for (int i = 0; i < order; ++i) factor *= k - i;
  return factor;
}

}  // namespace

std::string_view name(Interpolation interpolation) {
  constexpr std::array<std::string_view, 3> names{"linear", "spline", "monotone"};
  return names[static_cast<std::size_t>(interpolation)];
}

LookupTable::LookupTable(std::string name, Interpolation interpolation, std::vector<double> x, std::vector<double> y)
    : name_(std::move(name)), interpolation_(interpolation), x_(std::move(x)), y_(std::move(y)) {
  if (x_.size() != y_.size())
    throw std::invalid_argument("the table has as many x as y: " + std::to_string(x_.size()) + " and " +
                                std::to_string(y_.size()));
  if (x_.size() < 2) throw std::invalid_argument("a table has two points or more");
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (!std::isfinite(x_[i]) || !std::isfinite(y_[i]))
      throw std::invalid_argument("point " + std::to_string(i + 1) + " of the table is not finite");
    if (i > 0 && !(x_[i - 1] < x_[i]))
      throw std::invalid_argument("x of point " + std::to_string(i + 1) + " of the table is not above that of the point before");
  }
  switch (interpolation_) {
    case Interpolation::linear: straight(); break;
    case Interpolation::spline: natural(); break;
    case Interpolation::monotone: without_overshoot(); break;
  }
}

void LookupTable::straight() {
  const std::size_t n = x_.size();
  const auto slope = [&](std::size_t i) { return (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]); };
  pieces_.push_back({{y_[0], slope(0), 0, 0}});
  for (std::size_t i = 0; i < n; ++i) pieces_.push_back({{y_[i], slope(std::min(i, n - 2)), 0, 0}});
}

/// Cubics with these slopes at the knots.
void LookupTable::hermite(std::span<const double> slopes) {
  const std::size_t n = x_.size();
  pieces_.push_back({{y_[0], slopes[0], 0, 0}});
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double h = x_[i + 1] - x_[i], mean = (y_[i + 1] - y_[i]) / h;
    pieces_.push_back(
        {{y_[i], slopes[i], (3 * mean - 2 * slopes[i] - slopes[i + 1]) / h, (slopes[i] + slopes[i + 1] - 2 * mean) / (h * h)}});
  }
  pieces_.push_back({{y_[n - 1], slopes[n - 1], 0, 0}});
}

/// Second derivatives are continuous and 0 at the ends: a tridiagonal system for the slopes.
void LookupTable::natural() {
  const std::size_t n = x_.size();
  std::vector<double> slopes(n), diagonal(n), right(n), above(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = i > 0 ? 1 / (x_[i] - x_[i - 1]) : 0, after = i + 1 < n ? 1 / (x_[i + 1] - x_[i]) : 0;
    diagonal[i] = 2 * (before + after);
    above[i] = after;
    right[i] =
        (i > 0 ? 3 * (y_[i] - y_[i - 1]) * before * before : 0) + (i + 1 < n ? 3 * (y_[i + 1] - y_[i]) * after * after : 0);
    if (i == 0) continue;
    const double factor = before / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) slopes[i] = (right[i] - (i + 1 < n ? above[i] * slopes[i + 1] : 0)) / diagonal[i];
  hermite(slopes);
}

void LookupTable::without_overshoot() {
  const std::size_t n = x_.size();
  std::vector<double> chord(n - 1), slopes(n);
  for (std::size_t i = 0; i + 1 < n; ++i) chord[i] = (y_[i + 1] - y_[i]) / (x_[i + 1] - x_[i]);
  slopes.front() = chord.front();
  slopes.back() = chord.back();
  for (std::size_t i = 1; i + 1 < n; ++i) slopes[i] = chord[i - 1] * chord[i] <= 0 ? 0 : (chord[i - 1] + chord[i]) / 2;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (chord[i] == 0) {
      slopes[i] = slopes[i + 1] = 0;
      continue;
    }
    const double a = slopes[i] / chord[i], b = slopes[i + 1] / chord[i], size = std::hypot(a, b);
    constexpr double radius = 3;  // of the circle in which the cubic is monotone
    if (size <= radius) continue;
    slopes[i] = radius / size * a * chord[i];
    slopes[i + 1] = radius / size * b * chord[i];
  }
  hermite(slopes);
}

std::size_t LookupTable::piece(double at) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(x_, at) - x_.begin());
}

double LookupTable::value(double at, int order) const {
  const std::size_t k = piece(at);
  const double t = at - x_[k == 0 ? 0 : k - 1];
  double result = 0;
  for (int i = 3; i >= order; --i) result = result * t + falling(i, order) * pieces_[k].coefficient[i];
  return result;
}

int LookupTable::first_jump() const {
  return interpolation_ == Interpolation::linear ? 1 : interpolation_ == Interpolation::monotone ? 2 : 3;
}

std::pair<double, double> LookupTable::bounds(double low, double high, int order) const {
  const std::size_t first = piece(low), last = piece(high);
  const bool over_knot = first != last || (first > 0 && x_[first - 1] == low);
  if (over_knot && order > first_jump()) return {-infinity, infinity};
  std::pair<double, double> all{infinity, -infinity};
  for (std::size_t k = over_knot && first == last ? first - 1 : first; k <= last; ++k) {
    const double origin = x_[k == 0 ? 0 : k - 1];
    const double from = k == 0 ? low : std::max(low, x_[k - 1]), to = k < x_.size() ? std::min(high, x_[k]) : high;
    const Range t{down(std::min(from, to) - origin), up(to - origin)};
    Range value{0, 0};
    for (int i = 3; i >= order; --i) {
      const double c = falling(i, order) * pieces_[k].coefficient[i];
      const bool nothing = value.low == 0 && value.high == 0;
      value = nothing ? Range{c, c} : range_sum(product(value, t), {c, c});
    }
    all = {std::min(all.first, value.low), std::max(all.second, value.high)};
  }
  return all;
}

double LookupTable::knot(double at) const {
  const std::size_t k = piece(at), n = x_.size();
  if (k == 0) return std::max(-0.5, (at - x_[0]) / (x_[1] - x_[0]));
  if (k == n)
    return std::min(static_cast<double>(n) - 0.5, static_cast<double>(n - 1) + (at - x_[n - 1]) / (x_[n - 1] - x_[n - 2]));
  return static_cast<double>(k - 1) + (at - x_[k - 1]) / (x_[k] - x_[k - 1]);
}

std::size_t table_number(LookupTable table) {
  Registry& all = registry();
  const std::lock_guard lock(all.adding);
  for (std::size_t i = 0; i < all.count; ++i)
    if (*all.owned[i] == table) return i;
  if (all.count == most_tables)
    throw LimitReached("more than " + std::to_string(most_tables) + " different tables in one process");
  all.owned.push_back(std::make_unique<const LookupTable>(std::move(table)));
  all.tables[all.count].store(all.owned.back().get(), std::memory_order_release);
  return all.count++;
}

const LookupTable& table_of_number(std::size_t number) {
  const LookupTable* table = number < most_tables ? registry().tables[number].load(std::memory_order_acquire) : nullptr;
  if (table == nullptr) throw std::out_of_range("table_of_number: no such table");
  return *table;
}

double looked_up(double code, double at) {
  const auto whole = static_cast<std::size_t>(code);
  const LookupTable& table = table_of_number(whole / 8);
  const int order = static_cast<int>(whole % 8);
  if (order == knots_of_table) return table.knot(at);
  return order > 3 ? 0 : table.value(at, order);
}

}  // namespace sfg::numeric
