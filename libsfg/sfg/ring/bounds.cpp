#include "sfg/ring/bounds.hpp"

#include <arb.h>

#include <cmath>

#include "sfg/exact/flint.hpp"

namespace sfg::ring {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr slong precision = 80;

double down(double x) { return std::nextafter(x, -infinity); }
double up(double x) { return std::nextafter(x, infinity); }
Bounds outwards(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return Bounds::everything();
  return {down(low), up(high)};
}

// What rounds nothing is not widened, so that 0 stays 0 and corners stay where they are.
double sum_down(double a, double b) {
  const double s = a + b;
  return s - a == b && s - b == a ? s : down(s);
}
double sum_up(double a, double b) {
  const double s = a + b;
  return s - a == b && s - b == a ? s : up(s);
}
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }
bool is_exact_product(double a, double b, double p) {
  return a == 0 || b == 0 || (std::abs(p) > 1e-280 && std::fma(a, b, -p) == 0);
}

using Function = void (*)(arb_t, const arb_t, slong);

/// The function at a number, rounded downwards and upwards.
Bounds at(Function function, double x) {
  exact::RealBall ball;
  arb_set_d(ball, x);
  function(ball, ball, precision);
  if (arb_is_finite(ball) == 0) return Bounds::everything();
  exact::BigFloat end;
  Bounds result;
  arb_get_lbound_arf(end, ball, precision);
  result.low = arf_get_d(end, ARF_RND_FLOOR);
  arb_get_ubound_arf(end, ball, precision);
  result.high = arf_get_d(end, ARF_RND_CEIL);
  return result;
}

Bounds rising(Function function, const Bounds& x) { return {at(function, x.low).low, at(function, x.high).high}; }

/// Whether a point `phase` + 2k times π/2 may lie in x.
bool may_contain(const Bounds& x, double phase) {
  const double half_turns = 1e-12;  // far more than the rounding below, for arguments up to 1e3 turns
  const double pi = 3.14159265358979323846;
  const double from = (x.low - phase * pi / 2) / (2 * pi), to = (x.high - phase * pi / 2) / (2 * pi);
  return std::floor(to + half_turns) >= std::ceil(from - half_turns);
}

Bounds wave(Function function, const Bounds& x, double crest) {
  constexpr double greatest = 1e3;
  if (!(x.high - x.low < 6) || std::abs(x.low) > greatest || std::abs(x.high) > greatest) return {-1, 1};
  Bounds result = hull(at(function, x.low), at(function, x.high));
  if (may_contain(x, crest)) result.high = 1;
  if (may_contain(x, crest + 2)) result.low = -1;
  return {std::max(-1.0, result.low), std::min(1.0, result.high)};
}

}  // namespace

Bounds operator+(const Bounds& a, const Bounds& b) {
  const double low = sum_down(a.low, b.low), high = sum_up(a.high, b.high);
  return std::isnan(low) || std::isnan(high) ? Bounds::everything() : Bounds{low, high};
}
Bounds operator-(const Bounds& a) { return {-a.high, -a.low}; }
Bounds operator-(const Bounds& a, const Bounds& b) { return a + -b; }

Bounds operator*(const Bounds& a, const Bounds& b) {
  Bounds result{infinity, -infinity};
  for (const double x : {a.low, a.high})
    for (const double y : {b.low, b.high}) {
      const double p = product(x, y);
      if (std::isnan(p)) return Bounds::everything();
      const bool exact = is_exact_product(x, y, p);
      result = {std::min(result.low, exact ? p : down(p)), std::max(result.high, exact ? p : up(p))};
    }
  return result;
}

Bounds operator/(const Bounds& a, const Bounds& b) {
  if (b.contains(0)) return Bounds::everything();
  const auto [low, high] = std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  const bool nothing = a.low == 0 && a.high == 0;
  return nothing ? a : outwards(low, high);
}

Bounds hull(const Bounds& a, const Bounds& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Bounds widened(const Bounds& a) { return outwards(a.low, a.high); }

Bounds power(const Bounds& base, int exponent) {
  if (exponent < 0) return Bounds::exactly(1) / power(base, -exponent);
  if (exponent == 0) return Bounds::exactly(1);
  const auto raised = [&](double x) {
    Bounds result = Bounds::exactly(1);
    for (int i = 0; i < exponent; ++i) result = result * Bounds::exactly(x);
    return result;
  };
  if (exponent % 2 == 1) return {raised(base.low).low, raised(base.high).high};
  const Bounds size = abs(base);
  return {std::max(0.0, raised(size.low).low), raised(size.high).high};
}

Bounds power(const Bounds& base, const Bounds& exponent) {
  return base.low > 0 ? exp(exponent * log(base)) : Bounds::everything();
}

Bounds sqrt(const Bounds& x) { return x.low < 0 ? Bounds::everything() : rising(arb_sqrt, x); }
Bounds exp(const Bounds& x) {
  const Bounds result = rising(arb_exp, x);
  return {std::max(0.0, std::isnan(result.low) ? 0 : result.low), result.high};
}
Bounds log(const Bounds& x) { return x.low <= 0 ? Bounds::everything() : rising(arb_log, x); }
Bounds sin(const Bounds& x) { return wave(arb_sin, x, 1); }
Bounds cos(const Bounds& x) { return wave(arb_cos, x, 0); }
Bounds tan(const Bounds& x) {
  if (!(x.high - x.low < 3) || may_contain(x, 1) || may_contain(x, 3) || std::abs(x.low) > 1e3) return Bounds::everything();
  return rising(arb_tan, x);
}
Bounds asin(const Bounds& x) { return x.low < -1 || x.high > 1 ? Bounds::everything() : rising(arb_asin, x); }
Bounds acos(const Bounds& x) {
  if (x.low < -1 || x.high > 1) return Bounds::everything();
  return {at(arb_acos, x.high).low, at(arb_acos, x.low).high};
}
Bounds atan(const Bounds& x) {
  const Bounds limit{down(-1.5707963267948966), up(1.5707963267948966)};
  return {std::isinf(x.low) ? limit.low : at(arb_atan, x.low).low, std::isinf(x.high) ? limit.high : at(arb_atan, x.high).high};
}
Bounds atan2(const Bounds& y, const Bounds& x) {
  if (x.low > 0) return atan(y / x);
  return {down(-3.1415926535897932), up(3.1415926535897932)};
}
Bounds sinh(const Bounds& x) { return rising(arb_sinh, x); }
Bounds cosh(const Bounds& x) {
  const Bounds size = abs(x);
  return {std::max(1.0, at(arb_cosh, size.low).low), at(arb_cosh, size.high).high};
}
Bounds tanh(const Bounds& x) {
  const Bounds result = {std::isinf(x.low) ? -1 : at(arb_tanh, x.low).low, std::isinf(x.high) ? 1 : at(arb_tanh, x.high).high};
  return {std::max(-1.0, result.low), std::min(1.0, result.high)};
}

Bounds abs(const Bounds& x) {
  if (x.low >= 0) return x;
  if (x.high <= 0) return -x;
  return {0, std::max(-x.low, x.high)};
}
Bounds floor(const Bounds& x) { return {std::floor(x.low), std::floor(x.high)}; }
Bounds sign(const Bounds& x) {
  const auto of = [](double y) { return y > 0 ? 1.0 : y < 0 ? -1.0 : 0.0; };
  return {of(x.low), of(x.high)};
}
Bounds step(const Bounds& x) { return {x.low < 0 ? 0.0 : 1.0, x.high < 0 ? 0.0 : 1.0}; }
Bounds min(const Bounds& a, const Bounds& b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
Bounds max(const Bounds& a, const Bounds& b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

}  // namespace sfg::ring
