// x′ = A x + B u with the companion matrix A of the denominator. Held for a time h: x⁺ = Φ x + Γ u with exp([A B; 0 0] h) = [Φ Γ;
// 0 1]. The denominator in z is det(z − Φ), the numerator the denominator times the pulse response D, CΓ, CΦΓ, …
#include "sfg/exact/sampled_data.hpp"

#include <arb.h>
#include <arb_mat.h>
#include <arb_poly.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

class Real {
 public:
  Real() { arb_init(x); }
  Real(const Rational& value, slong precision) : Real() { arb_set_fmpq(x, raw(value), precision); }
  Real(const Real& other) : Real() { arb_set(x, other.x); }
  Real& operator=(const Real& other) {
    arb_set(x, other.x);
    return *this;
  }
  ~Real() { arb_clear(x); }
  arb_t x;
};
using Reals = std::vector<Real>;

class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns) { arb_mat_init(m, static_cast<slong>(rows), static_cast<slong>(columns)); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { arb_mat_clear(m); }
  arb_ptr at(std::size_t i, std::size_t j) { return arb_mat_entry(m, static_cast<slong>(i), static_cast<slong>(j)); }
  arb_mat_t m;
};

Reals numbers(std::span<const Rational> exact, slong precision) {
  Reals result;
  for (const Rational& number : exact) result.emplace_back(number, precision);
  return result;
}

/// exp of [A B; 0 0] h; d highest power first.
void held_exponential(Matrix& result, const Reals& d, const Real& h, slong precision) {
  const std::size_t n = d.size() - 1;
  Matrix generator(n + 1, n + 1);
  for (std::size_t i = 0; i + 1 < n; ++i) arb_set(generator.at(i, i + 1), h.x);
  for (std::size_t j = 0; n > 0 && j < n; ++j) {
    arb_ptr entry = generator.at(n - 1, j);
    arb_div(entry, d[n - j].x, d[0].x, precision);
    arb_mul(entry, entry, h.x, precision);
    arb_neg(entry, entry);
  }
  if (n > 0) arb_set(generator.at(n - 1, n), h.x);
  arb_mat_exp(result.m, generator.m, precision);
}

/// det(z − Φ), highest power first.
Reals characteristic(Matrix& exponential, std::size_t n, slong precision) {
  Matrix phi(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) arb_set(phi.at(i, j), exponential.at(i, j));
  arb_poly_t p;
  arb_poly_init(p);
  arb_mat_charpoly(p, phi.m, precision);
  Reals result(n + 1);
  for (std::size_t k = 0; k <= n; ++k) arb_poly_get_coeff_arb(result[n - k].x, p, static_cast<slong>(k));
  arb_poly_clear(p);
  return result;
}

/// D, C Γ, C Φ Γ, …: n + 1 values.
Reals pulse_response(Matrix& exponential, const Reals& numerator, const Reals& d, slong precision) {
  const std::size_t n = d.size() - 1, lead = d.size() - numerator.size();
  const auto coefficient = [&](std::size_t power) {  // of the numerator
    return n - power < lead ? Real() : numerator[n - power - lead];
  };
  Reals g(n + 1), c(n), x(n);
  arb_div(g[0].x, coefficient(n).x, d[0].x, precision);
  for (std::size_t k = 0; k < n; ++k) {  // C = (n_k − D d_k)/d_n
    Real product;
    arb_mul(product.x, g[0].x, d[n - k].x, precision);
    arb_sub(c[k].x, coefficient(k).x, product.x, precision);
    arb_div(c[k].x, c[k].x, d[0].x, precision);
    arb_set(x[k].x, exponential.at(k, n));
  }
  for (std::size_t k = 1; k <= n; ++k) {
    Reals next(n);
    for (std::size_t i = 0; i < n; ++i) {
      arb_addmul(g[k].x, c[i].x, x[i].x, precision);
      for (std::size_t j = 0; j < n; ++j) arb_addmul(next[i].x, exponential.at(i, j), x[j].x, precision);
    }
    x = std::move(next);
  }
  return g;
}

/// The decimals, or nothing when the balls are too wide.
bool decimals(const Reals& balls, std::size_t digits, std::vector<Rational>& result) {
  constexpr double bits_per_digit = 3.33;
  result.clear();
  for (const Real& ball : balls) {
    const bool vanishes = arb_contains_zero(ball.x) != 0;
    if (vanishes) {
      mag_t tiny;
      mag_init(tiny);
      mag_set_ui_2exp_si(tiny, 1, -static_cast<slong>(bits_per_digit * static_cast<double>(4 * digits)));
      const bool is_zero = mag_cmp(arb_radref(ball.x), tiny) < 0;
      mag_clear(tiny);
      if (!is_zero) return false;
      result.emplace_back(0);
      continue;
    }
    if (arb_rel_accuracy_bits(ball.x) < static_cast<slong>(bits_per_digit * static_cast<double>(digits + 2))) return false;
    Rational middle;
    arf_get_fmpq(raw(middle), arb_midref(ball.x));
    result.push_back(rounded(middle, digits));
  }
  return true;
}

constexpr slong first_precision = 256;
constexpr slong last_precision = 1 << 16;

}  // namespace

SampledSystem held(std::span<const Rational> numerator, std::span<const Rational> denominator, const Rational& sample_time,
                   std::size_t digits) {
  if (denominator.empty() || numerator.size() > denominator.size())
    throw std::invalid_argument("held: the numerator has a higher degree than the denominator");
  const std::size_t n = denominator.size() - 1;
  SampledSystem result;
  for (slong precision = first_precision; precision <= last_precision; precision *= 2) {
    const Reals above = numbers(numerator, precision), below = numbers(denominator, precision);
    Matrix exponential(n + 1, n + 1);
    held_exponential(exponential, below, Real(sample_time, precision), precision);
    const Reals den = characteristic(exponential, n, precision), g = pulse_response(exponential, above, below, precision);
    Reals num(n + 1);
    for (std::size_t k = 0; k <= n; ++k)
      for (std::size_t j = 0; j <= k; ++j) arb_addmul(num[k].x, den[j].x, g[k - j].x, precision);
    if (numerator.size() < denominator.size()) num[0] = Real();
    if (decimals(den, digits, result.denominator) && decimals(num, digits, result.numerator)) break;
  }
  return result;
}

std::vector<Rational> sampled_roots(std::span<const Rational> polynomial, const Rational& sample_time, std::size_t digits) {
  const std::size_t n = polynomial.size() - 1;
  std::vector<Rational> result;
  for (slong precision = first_precision; precision <= last_precision; precision *= 2) {
    Matrix exponential(n + 1, n + 1);
    held_exponential(exponential, numbers(polynomial, precision), Real(sample_time, precision), precision);
    if (decimals(characteristic(exponential, n, precision), digits, result)) break;
  }
  return result;
}

namespace {

class Float {
 public:
  Float() { arf_init(x); }
  Float(const Float& other) : Float() { arf_set(x, other.x); }
  Float& operator=(const Float& other) {
    arf_set(x, other.x);
    return *this;
  }
  ~Float() { arf_clear(x); }
  arf_t x;
};

/// Balls would grow with every step; plain numbers lose what the system itself magnifies.
std::vector<double> recurrence_at(std::span<const Rational> numerator, std::span<const Rational> denominator,
                                  std::span<const double> input, slong precision) {
  const Real lead(denominator[0], precision);
  const auto coefficients = [&](std::span<const Rational> exact) {
    std::vector<Float> result(exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      Real c(exact[i], precision);
      arb_div(c.x, c.x, lead.x, precision);
      arf_set(result[i].x, arb_midref(c.x));
    }
    return result;
  };
  const std::vector<Float> num = coefficients(numerator), den = coefficients(denominator);
  std::vector<Float> u(input.size()), y(input.size());
  std::vector<double> result;
  for (std::size_t k = 0; k < input.size(); ++k) {
    arf_set_d(u[k].x, input[k]);
    for (std::size_t i = 0; i < num.size() && i <= k; ++i) arf_addmul(y[k].x, num[i].x, u[k - i].x, precision, ARF_RND_NEAR);
    for (std::size_t i = 1; i < den.size() && i <= k; ++i) arf_submul(y[k].x, den[i].x, y[k - i].x, precision, ARF_RND_NEAR);
    result.push_back(arf_get_d(y[k].x, ARF_RND_NEAR));
  }
  return result;
}

}  // namespace

std::vector<double> recurrence(std::span<const Rational> numerator, std::span<const Rational> denominator,
                               std::span<const double> input) {
  std::vector<double> before;
  for (slong precision = 128; precision <= last_precision; precision *= 2) {
    std::vector<double> y = recurrence_at(numerator, denominator, input, precision);
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < before.size(); ++k) {
      largest = std::max(largest, std::abs(y[k]));
      difference = std::max(difference, std::abs(y[k] - before[k]));
    }
    constexpr double agreement = 1e-16;
    if (!before.empty() && !(difference > agreement * largest)) return y;
    if (input.empty()) return y;
    before = std::move(y);
  }
  return before;
}

}  // namespace sfg::exact
