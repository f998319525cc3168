#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sfg/ring/bounds.hpp"

// Not installed: intervals for inner loops. Bounds knows every function and widens nothing that is exact, at ten times the
// cost of what is here: + − · in a few instructions of the processor, without calls.
namespace sfg::ring {

/// All numbers from `low` to `high`, rounded outwards by every operation; infinite ends stand for arbitrarily large numbers.
struct Interval {
  double low = 0, high = 0;

  Interval() = default;
  Interval(double x) : low(x), high(x) {}
  Interval(double from, double to) : low(from), high(to) {}
  explicit Interval(const Bounds& b) : low(b.low), high(b.high) {}
  static Interval everything() { return Interval(Bounds::everything()); }
  /// A number that was rounded to nearest.
  static Interval rounded(double x) { return {below(x), above(x)}; }

  Bounds bounds() const { return {low, high}; }
  bool contains(double x) const { return low <= x && x <= high; }
  bool contains(const Interval& other) const { return low <= other.low && other.high <= high; }
  bool finite() const { return std::isfinite(low) && std::isfinite(high); }
  bool zero() const { return low == 0 && high == 0; }
  double width() const { return high - low; }
  double middle() const { return low + (high - low) / 2; }
  double greatest() const { return std::max(std::abs(low), std::abs(high)); }

  // |x|·2^−52 is at least one step of the double x, so that the difference is below x even when it is rounded itself (Rump,
  // Verification methods, 2010, §2).
  static double below(double x) { return x - (std::abs(x) * 0x1p-52 + (std::abs(x) < 1e-290 ? 1e-300 : 0)); }
  static double above(double x) { return x + (std::abs(x) * 0x1p-52 + (std::abs(x) < 1e-290 ? 1e-300 : 0)); }
};

inline Interval hull(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
/// What both have in common; of two enclosures of one number it is never empty.
inline std::optional<Interval> common(const Interval& a, const Interval& b) {
  const Interval c{std::max(a.low, b.low), std::min(a.high, b.high)};
  return c.low <= c.high ? std::optional(c) : std::nullopt;
}

inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
inline Interval operator+(const Interval& a, const Interval& b) {
  const double low = a.low + b.low, high = a.high + b.high;  // a sum that underflows is exact
  if (std::isnan(low - high)) return Interval(a.bounds() + b.bounds());
  return {low - std::abs(low) * 0x1p-52, high + std::abs(high) * 0x1p-52};
}
inline Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
inline Interval operator*(const Interval& a, const Interval& b) {
  if (a.zero() || b.zero()) return {};
  const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  if (!(std::abs((p + q) + (r + s)) <= std::numeric_limits<double>::max())) return Interval(a.bounds() * b.bounds());
  return {Interval::below(std::min(std::min(p, q), std::min(r, s))), Interval::above(std::max(std::max(p, q), std::max(r, s)))};
}
inline Interval operator/(const Interval& a, const Interval& b) { return Interval(a.bounds() / b.bounds()); }

inline Interval square(const Interval& a) {
  const double least = a.contains(0) ? 0 : std::min(std::abs(a.low), std::abs(a.high)), most = a.greatest();
  const Interval low = Interval(least) * Interval(least), high = Interval(most) * Interval(most);
  return {std::max(0.0, low.low), high.high};
}
inline Interval sqrt(const Interval& a) {
  if (a.high < 0) return Interval::everything();
  return {a.low <= 0 ? 0 : std::max(0.0, Interval::below(std::sqrt(a.low))), Interval::above(std::sqrt(a.high))};
}

}  // namespace sfg::ring
