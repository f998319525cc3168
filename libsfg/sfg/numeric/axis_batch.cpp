// Loops without branches over the points, which the compiler turns into vector instructions, for several instruction sets; no
// product is contracted with a sum (this file is compiled so), hence equal results everywhere.
#include "sfg/numeric/axis_batch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/vectors.hpp"

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

namespace {

constexpr double trusted = 1e8;      // a chain that lost less than half of the digits
constexpr std::size_t abreast = 32;  // points: as many numbers as stay in registers or near them
using Row = std::array<double, abreast>;

/// sum += Σ weight·coefficient, every second one of so many terms.
template <std::size_t terms>
[[gnu::always_inline]] inline void add_terms(Row& to, const Row* from, const double* weights) {
  double* __restrict sum = to.data();
  std::array<const double*, terms> c;
  std::array<double, terms> w;
  for (std::size_t t = 0; t < terms; ++t) c[t] = from[2 * t].data(), w[t] = weights[2 * t];
  for (std::size_t l = 0; l < abreast; ++l) {
    double s = sum[l];
    for (std::size_t t = 0; t < terms; ++t) s += w[t] * c[t][l];
    sum[l] = s;
  }
}

/// The sum over every second of `size` coefficients.
[[gnu::always_inline]] inline void sum_up(Row& sum, const Row* c, const double* weights, std::size_t size) {
  sum.fill(0);
  std::size_t left = (size + 1) / 2;
  for (; left >= 4; left -= 4, c += 8, weights += 8) add_terms<4>(sum, c, weights);
  if (left == 3) return add_terms<3>(sum, c, weights);
  if (left == 2) return add_terms<2>(sum, c, weights);
  if (left == 1) add_terms<1>(sum, c, weights);
}

/// A polynomial of each of some points, and its positive roots, distinct ones, by Sturm's chain.
struct Rooted {
  std::vector<Row> p = {}, next = {};  ///< coefficients, lowest power first; taken apart by count()
  Row lowest{}, highest{};             ///< of the coefficients that are not 0
  Row roots{};
  Row loss{};  ///< what rounding may have grown by on the way

  [[gnu::always_inline]] inline void count() {
    for (const Row& c : p)
      for (std::size_t l = 0; l < abreast; ++l) {
        lowest[l] = lowest[l] == 0 ? c[l] : lowest[l];
        highest[l] = c[l] == 0 ? highest[l] : c[l];
      }
    while (!p.empty() && std::ranges::all_of(p.back(), [](double c) { return c == 0; })) p.pop_back();
    loss.fill(p.empty() || p.size() > 64 ? infinity : 1);  // a chain so long loses all digits anyway
    if (p.size() < 2) return;
    next.resize(p.size() - 1);
    for (std::size_t k = 0; k < next.size(); ++k)
      for (std::size_t l = 0; l < abreast; ++l) next[k][l] = static_cast<double>(k + 1) * p[k + 1][l];
    Row at_zero = lowest, at_infinity = p.back();
    vary(at_zero, at_infinity);
    while (next.size() > 1) {
      remainder();
      vary(at_zero, at_infinity);
    }
  }

 private:
  /// Changes of sign that the chain has at 0 and no longer at ∞.
  [[gnu::always_inline]] inline void vary(Row& at_zero, Row& at_infinity) {
    for (std::size_t l = 0; l < abreast; ++l) {
      const double low = next.front()[l], high = next.back()[l];
      roots[l] += (at_zero[l] * low < 0 ? 1.0 : 0.0) - (at_infinity[l] * high < 0 ? 1.0 : 0.0);
      at_zero[l] = low == 0 ? at_zero[l] : low;
      at_infinity[l] = high;
    }
  }
  /// p, next := next, −(p mod next)
  [[gnu::always_inline]] inline void remainder() {
    const std::size_t m = next.size() - 1;
    Row a, b;
    for (std::size_t l = 0; l < abreast; ++l) {
      a[l] = p[m + 1][l] / next[m][l];
      b[l] = (p[m][l] - a[l] * next[m - 1][l]) / next[m][l];
    }
    for (std::size_t l = 0; l < abreast; ++l) {
      const double first = m > 1 ? a[l] * next[m - 2][l] : 0, second = b[l] * next[m - 1][l], third = p[m - 1][l];
      loss[l] *= (std::abs(first) + std::abs(second) + std::abs(third)) / std::abs(first + second - third);
    }
    for (std::size_t k = m; k-- > 0;)
      for (std::size_t l = 0; l < abreast; ++l) p[k][l] = (k > 0 ? a[l] * next[k - 1][l] : 0) + b[l] * next[k][l] - p[k][l];
    p.resize(m);
    p.swap(next);
  }
};

/// Re N D* and Im N D* as polynomials in ν², the second over ν.
[[gnu::always_inline]] inline void multiply(const Row* n, std::size_t n_size, const Row* d, std::size_t d_size, Rooted& re,
                                            Rooted& im) {
  for (std::size_t power = 0; power + 1 < n_size + d_size; ++power) {
    Row sum{};
    for (std::size_t a = power < d_size ? 0 : power - d_size + 1; a < n_size && a <= power; ++a) {
      const std::size_t b = power - a;
      const double sign = (a + 3 * b) % 4 < 2 ? 1 : -1;  // of j^a (−j)^b
      for (std::size_t l = 0; l < abreast; ++l) sum[l] += sign * n[a][l] * d[b][l];
    }
    (power % 2 == 0 ? re : im).p.push_back(sum);
  }
}

/// y and x of an angle as a turn between −2 and 2.
[[gnu::always_inline]] inline double turn_of(double y, double x) {
  const double part = y / (std::abs(x) + std::abs(y)), beyond = std::copysign(2.0, y) - part;
  return x >= 0 ? part : beyond;
}

/// Points on their way along the axis.
struct Followed {
  Row x{}, y{}, x_changes{}, y_changes{}, whole{}, unclear{};
};

/// One frequency further.
[[gnu::always_inline]] inline void follow(Followed& points, const Row& n_real, const Row& n_imaginary, const Row& d_real,
                                          const Row& d_imaginary, double* __restrict square, double* __restrict turn) {
  for (std::size_t l = 0; l < abreast; ++l) {
    const double nr = n_real[l], ni = n_imaginary[l], dr = d_real[l], di = d_imaginary[l];
    const double y = ni * dr - nr * di, x = nr * dr + ni * di, before = points.y[l], x_before = points.x[l];
    const double quotient = (nr * nr + ni * ni) / (dr * dr + di * di);
    // As numbers: vectors of booleans would go by way of the other registers.
    const double passes = y * before < 0 ? 1.0 : 0.0, left = x < 0 ? 1.0 : 0.0, left_before = x_before < 0 ? 1.0 : 0.0;
    const double step = before > 0 ? 4.0 : -4.0, whole = points.whole[l] + step * (passes * left * left_before);
    points.unclear[l] += (y == 0 ? 1.0 : 0.0) + (quotient == 0 ? 1.0 : 0.0) + passes * std::abs(left - left_before);
    points.y_changes[l] += passes;
    points.x_changes[l] += x * x_before < 0 ? 1.0 : 0.0;
    points.whole[l] = whole;
    points.x[l] = x;
    points.y[l] = y;
    square[l] = quotient;
    turn[l] = turn_of(y, x) + whole;
  }
}

}  // namespace

AxisFan::AxisFan(std::span<const double> frequencies, std::size_t numerator_size, std::size_t denominator_size, std::size_t zeros,
                 std::size_t poles, double unit)
    : numerator_(numerator_size), denominator_(denominator_size), zeros_(zeros), poles_(poles) {
  const auto power = [](double x, std::size_t k) { return std::pow(x, static_cast<double>(k)); };
  for (const std::size_t size : {numerator_size, denominator_size})
    for (std::size_t k = 0; k < size; ++k) scale_.push_back(power(unit, k));
  for (const double w : frequencies)
    for (const std::size_t size : {numerator_size, denominator_size})
      for (std::size_t k = 0; k < size; ++k) weights_.push_back(power(w, k) * (k % 4 < 2 ? 1 : -1) / power(unit, k));
  for (std::size_t k = 0; k < starts_.size(); ++k) {
    const double start = 90 * (static_cast<double>(zeros) - static_cast<double>(poles)) + (k % 2 == 1 ? 180 : 0);
    double first = std::remainder(start, 360.0);
    if (std::abs(first) == 180) first = k >= 2 ? 180 : -180;
    starts_[k] = std::round((start - first) / 360);
  }
}

double AxisFan::turn(std::size_t frequency, std::span<const double> coefficients) const {
  std::array<double, 4> parts{};  // of N, then of D
  const double* weights = weights_.data() + frequency * scale_.size();
  for (std::size_t k = 0; k < scale_.size(); ++k)
    parts[k < numerator_ ? k % 2 : 2 + (k - numerator_) % 2] += weights[k] * (scale_[k] * coefficients[k]);
  const auto [nr, ni, dr, di] = parts;
  return turn_of(ni * dr - nr * di, nr * dr + ni * di);
}

SFG_VECTORS void AxisFan::operator()(std::size_t points, std::span<const double> coefficients, std::span<double> values,
                                     std::span<char> undecided) const {
  const std::size_t size = scale_.size(), frequencies = weights_.size() / size;
  std::vector<Row> c(size);
  Row nr, ni, dr, di, square, turn;
  for (std::size_t first = 0; first < points; first += abreast) {
    const std::size_t count = std::min(abreast, points - first);
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t l = 0; l < count; ++l) c[k][l] = coefficients[k * points + first + l] * scale_[k];
    const Row *const n = c.data(), *const d = n + numerator_;
    Rooted re, im;
    multiply(n, numerator_, d, denominator_, re, im);
    re.count();
    im.count();
    Followed at{.x = re.lowest, .y = im.lowest};
    for (std::size_t l = 0; l < abreast; ++l) {
      const double lowest_n = n[zeros_][l], lowest_d = d[poles_][l];
      at.whole[l] = 4 * starts_[((lowest_n < 0) != (lowest_d < 0) ? 1 : 0) + (at.y[l] > 0 ? 2 : 0)];
      at.unclear[l] = lowest_n == 0 || lowest_d == 0 || at.y[l] == 0 ? 1 : 0;
    }
    for (std::size_t f = 0; f < frequencies; ++f) {
      const double* weights = weights_.data() + f * size;
      sum_up(nr, n, weights, numerator_);
      sum_up(ni, n + 1, weights + 1, numerator_ - 1);
      sum_up(dr, d, weights + numerator_, denominator_);
      sum_up(di, d + 1, weights + numerator_ + 1, denominator_ - 1);
      double *const squares = values.data() + f * points + first, *const turns = squares + frequencies * points;
      const bool all = count == abreast;
      follow(at, nr, ni, dr, di, all ? squares : square.data(), all ? turns : turn.data());
      if (!all) std::copy_n(square.data(), count, squares), std::copy_n(turn.data(), count, turns);
    }
    for (std::size_t l = 0; l < count; ++l) {
      const double re_changes = at.x_changes[l] + (at.x[l] * re.highest[l] < 0 ? 1 : 0);
      const double im_changes = at.y_changes[l] + (at.y[l] * im.highest[l] < 0 ? 1 : 0);
      const bool im_told = im.loss[l] < trusted && im_changes == im.roots[l];
      const bool re_told = re.loss[l] < trusted && re_changes == re.roots[l];
      undecided[first + l] = at.unclear[l] != 0 || !im_told || (im_changes > 0 && !re_told) ? 1 : 0;
    }
  }
}

}  // namespace sfg::numeric
