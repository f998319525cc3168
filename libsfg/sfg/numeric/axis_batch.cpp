// Loops without branches over the points, which the compiler turns into vector instructions, for several instruction sets; no
// product is contracted with a sum (this file is compiled so), hence equal results everywhere.
#include "sfg/numeric/axis_batch.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SFG_VECTORS [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define SFG_VECTORS
#endif

namespace sfg::numeric {

namespace {

constexpr std::size_t lanes = 64;

[[gnu::always_inline]] inline void horner(std::span<const double> p, std::size_t first, const double* minus_x, double* value) {
  for (std::size_t l = 0; l < lanes; ++l) value[l] = 0;
  if (p.size() <= first) return;
  for (std::size_t k = first + (p.size() - 1 - first) / 2 * 2;; k -= 2) {
    const double c = p[k];
    for (std::size_t l = 0; l < lanes; ++l) value[l] = value[l] * minus_x[l] + c;
    if (k == first) break;
  }
}

/// atan(k/8).
constexpr std::array<double, 9> knots{0,
                                      0.12435499454676144,
                                      0.24497866312686414,
                                      0.35877067027057225,
                                      0.46364760900080609,
                                      0.55859931534356244,
                                      0.64350110879328437,
                                      0.71882999962162453,
                                      std::numbers::pi / 4};

/// The arctangent of 0 ≤ t ≤ 1: of the nearest eighth, and the series of what is left, |r| < 1/15.
[[gnu::always_inline]] inline double arctangent(double t) {
  const double within = t <= 1 ? t : 0;          // no number is one of no knot
  const double shifted = within * 8 + 0x1.8p52;  // rounds to a whole number
  const double eighths = shifted - 0x1.8p52, knot = eighths / 8;
  const double r = (t - knot) / (1 + t * knot), s = r * r;
  double series = 1.0 / 17;
  for (const double c : {1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3}) series = c - s * series;
  return knots[static_cast<std::size_t>(static_cast<std::int32_t>(eighths))] + (r - r * s * series);
}

[[gnu::always_inline]] inline double angle(double y, double x) {
  const double ax = std::abs(x), ay = std::abs(y);
  const double low = ay < ax ? ay : ax, high = ay < ax ? ax : ay;
  double a = arctangent(low / high);
  a = ay > ax ? std::numbers::pi / 2 - a : a;
  a = x < 0 ? std::numbers::pi - a : a;
  return std::copysign(a, y);
}

/// The natural logarithm by its exponent and the series of atanh((m − 1)/(m + 1)), √½ ≤ m < √2.
[[gnu::always_inline]] inline double logarithm(double x) {
  constexpr std::uint64_t half_root = 0x3FE6A09E667F3BCDULL, one = 0x3FF0000000000000ULL;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t moved = bits - half_root + one;
  // The exponent as a double, without a conversion of 64 bits: below the binary point of 2^52.
  const double exponent = std::bit_cast<double>((moved >> 52) | 0x4330000000000000ULL) - (0x1p52 + 1023);
  const double m = std::bit_cast<double>((moved & 0x000FFFFFFFFFFFFFULL) + half_root);
  const double f = (m - 1) / (m + 1), s = f * f;
  double series = 1.0 / 23;
  for (const double c : {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3})
    series = series * s + c;
  const double rest = 2 * f * s * series;
  return exponent * std::numbers::ln2 + (2 * f + rest);
}

}  // namespace

SFG_VECTORS void squared_magnitudes(std::span<const double> n, std::span<const double> d, std::span<const double> x,
                                    std::span<double> result) {
  std::array<double, lanes> minus_x{}, a, b, c, e;
  for (std::size_t first = 0; first < x.size(); first += lanes) {
    const std::size_t count = std::min(lanes, x.size() - first);
    for (std::size_t l = 0; l < count; ++l) minus_x[l] = -x[first + l];
    horner(n, 0, minus_x.data(), a.data());
    horner(n, 1, minus_x.data(), b.data());
    horner(d, 0, minus_x.data(), c.data());
    horner(d, 1, minus_x.data(), e.data());
    for (std::size_t l = 0; l < lanes; ++l)
      a[l] = (a[l] * a[l] - minus_x[l] * b[l] * b[l]) / (c[l] * c[l] - minus_x[l] * e[l] * e[l]);
    for (std::size_t l = 0; l < count; ++l) result[first + l] = a[l];
  }
}

SFG_VECTORS void arguments(std::span<const double> n, std::span<const double> d, std::span<const double> nu,
                           std::span<const double> x, std::span<double> result) {
  std::array<double, lanes> minus_x{}, root{}, a, b, c, e;
  for (std::size_t first = 0; first < x.size(); first += lanes) {
    const std::size_t count = std::min(lanes, x.size() - first);
    for (std::size_t l = 0; l < count; ++l) minus_x[l] = -x[first + l], root[l] = nu[first + l];
    horner(n, 0, minus_x.data(), a.data());
    horner(n, 1, minus_x.data(), b.data());
    horner(d, 0, minus_x.data(), c.data());
    horner(d, 1, minus_x.data(), e.data());
    for (std::size_t l = 0; l < lanes; ++l) {
      const double im = root[l] * (b[l] * c[l] - a[l] * e[l]), re = a[l] * c[l] - minus_x[l] * b[l] * e[l];
      a[l] = angle(im, re) * (180 / std::numbers::pi);
    }
    for (std::size_t l = 0; l < count; ++l) result[first + l] = a[l];
  }
}

SFG_VECTORS void decibels(std::span<double> values) {
  constexpr double factor = 10 / std::numbers::ln10;
  for (double& value : values) {
    const double x = value, result = logarithm(x) * factor;
    value = x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max()
                ? result
                : std::numeric_limits<double>::quiet_NaN();
  }
}

SFG_VECTORS void add_weighted(std::span<double> sum, std::span<const double> values, double weight) {
  double* __restrict to = sum.data();
  const double* __restrict from = values.data();
  for (std::size_t i = 0; i < sum.size(); ++i) to[i] += weight * from[i];
}

SFG_VECTORS void squares_and_turns(std::span<const double> n_real, std::span<const double> n_imaginary,
                                   std::span<const double> d_real, std::span<const double> d_imaginary, std::span<double> square,
                                   std::span<double> turn) {
  double* __restrict squares = square.data(), * __restrict turns = turn.data();
  for (std::size_t i = 0; i < square.size(); ++i) {
    const double nr = n_real[i], ni = n_imaginary[i], dr = d_real[i], di = d_imaginary[i];
    const double y = ni * dr - nr * di, x = nr * dr + ni * di;
    squares[i] = (nr * nr + ni * ni) / (dr * dr + di * di);
    const double part = y / (std::abs(x) + std::abs(y)), beyond = std::copysign(2.0, y) - part;
    turns[i] = x >= 0 ? part : beyond;
  }
}

}  // namespace sfg::numeric
