#pragma once
#include <algorithm>
#include <limits>

namespace sfg::ring {

/// All numbers from `low` to `high`, ends included and possibly infinite. Every operation is rounded outwards and encloses all
/// results that are possible (Moore, Interval Analysis, 1966); where one has no value for a part of its operand, the result is
/// every number. Elementary functions are bounded by Arb.
struct Bounds {
  double low = 0, high = 0;

  static Bounds exactly(double x) { return {x, x}; }
  static Bounds everything() { return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}; }
  bool contains(double x) const { return low <= x && x <= high; }
  bool contains(const Bounds& other) const { return low <= other.low && other.high <= high; }
  double width() const { return high - low; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

Bounds operator+(const Bounds&, const Bounds&);
Bounds operator-(const Bounds&, const Bounds&);
Bounds operator*(const Bounds&, const Bounds&);  ///< 0 · ∞ is 0: an infinite bound stands for arbitrarily large numbers
Bounds operator/(const Bounds&, const Bounds&);
Bounds operator-(const Bounds&);
Bounds hull(const Bounds&, const Bounds&);
/// By one step of a double on either side: for numbers that were rounded to nearest.
Bounds widened(const Bounds&);
Bounds power(const Bounds&, int exponent);
Bounds power(const Bounds& base, const Bounds& exponent);  ///< of a positive base
Bounds sqrt(const Bounds&);
Bounds exp(const Bounds&);
Bounds log(const Bounds&);
Bounds sin(const Bounds&);
Bounds cos(const Bounds&);
Bounds tan(const Bounds&);
Bounds asin(const Bounds&);
Bounds acos(const Bounds&);
Bounds atan(const Bounds&);
Bounds atan2(const Bounds& y, const Bounds& x);
Bounds sinh(const Bounds&);
Bounds cosh(const Bounds&);
Bounds tanh(const Bounds&);
Bounds abs(const Bounds&);
Bounds floor(const Bounds&);
Bounds sign(const Bounds&);
Bounds step(const Bounds&);  ///< 0 below 0, else 1
Bounds min(const Bounds&, const Bounds&);
Bounds max(const Bounds&, const Bounds&);

}  // namespace sfg::ring
