// x′ = A x + B u with the companion matrix A of the denominator. Held for a time h: x⁺ = Φ x + Γ u with exp([A B; 0 0] h) = [Φ Γ;
// 0 1]. The denominator in z is det(z − Φ), the numerator the denominator times the pulse response D, CΓ, CΦΓ, … Seen a time θ
// later the output is C (Φ_θ x + Γ_θ u) + D u: the same with C Φ_θ for C and D + C Γ_θ for D.
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

using Reals = std::vector<RealBall>;

RealBall number(const Rational& exact, slong precision) {
  RealBall result;
  arb_set_fmpq(result, raw(exact), precision);
  return result;
}

Reals numbers(std::span<const Rational> exact, slong precision) {
  Reals result;
  for (const Rational& value : exact) result.push_back(number(value, precision));
  return result;
}

/// exp of [A B; 0 0] h; d highest power first.
void held_exponential(RealMatrix& result, const Reals& d, const RealBall& h, slong precision) {
  const std::size_t n = d.size() - 1;
  RealMatrix generator(n + 1, n + 1);
  for (std::size_t i = 0; i + 1 < n; ++i) arb_set(generator.at(i, i + 1), h);
  for (std::size_t j = 0; n > 0 && j < n; ++j) {
    arb_ptr entry = generator.at(n - 1, j);
    arb_div(entry, d[n - j], d[0], precision);
    arb_mul(entry, entry, h, precision);
    arb_neg(entry, entry);
  }
  if (n > 0) arb_set(generator.at(n - 1, n), h);
  arb_mat_exp(result.get(), generator.get(), precision);
}

/// det(z − Φ), highest power first.
Reals characteristic(RealMatrix& exponential, std::size_t n, slong precision) {
  RealMatrix phi(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) arb_set(phi.at(i, j), exponential.at(i, j));
  RealPolynomial p;
  arb_mat_charpoly(p, phi.get(), precision);
  Reals result(n + 1);
  for (std::size_t k = 0; k <= n; ++k) arb_poly_get_coeff_arb(result[n - k], p, static_cast<slong>(k));
  return result;
}

/// c Φ, and c Γ added to the direct part.
void see_later(RealMatrix& exponential, Reals& c, RealBall& direct, slong precision) {
  const std::size_t n = c.size();
  Reals seen(n);
  for (std::size_t i = 0; i < n; ++i) {
    arb_addmul(direct, c[i], exponential.at(i, n), precision);
    for (std::size_t j = 0; j < n; ++j) arb_addmul(seen[j], c[i], exponential.at(i, j), precision);
  }
  c = std::move(seen);
}

/// D, C Γ, C Φ Γ, …: n + 1 values.
/// @param later  the exponential of the time that the output is seen later
Reals pulse_response(RealMatrix& exponential, RealMatrix& later, const Reals& numerator, const Reals& d, slong precision) {
  const std::size_t n = d.size() - 1, lead = d.size() - numerator.size();
  const auto coefficient = [&](std::size_t power) {  // of the numerator
    return n - power < lead ? RealBall() : numerator[n - power - lead];
  };
  Reals g(n + 1), c(n), x(n);
  arb_div(g[0], coefficient(n), d[0], precision);
  for (std::size_t k = 0; k < n; ++k) {  // C = (n_k − D d_k)/d_n
    RealBall product;
    arb_mul(product, g[0], d[n - k], precision);
    arb_sub(c[k], coefficient(k), product, precision);
    arb_div(c[k], c[k], d[0], precision);
    arb_set(x[k], exponential.at(k, n));
  }
  see_later(later, c, g[0], precision);
  for (std::size_t k = 1; k <= n; ++k) {
    Reals next(n);
    for (std::size_t i = 0; i < n; ++i) {
      arb_addmul(g[k], c[i], x[i], precision);
      for (std::size_t j = 0; j < n; ++j) arb_addmul(next[i], exponential.at(i, j), x[j], precision);
    }
    x = std::move(next);
  }
  return g;
}

/// The decimals, or nothing when the balls are too wide.
bool decimals(const Reals& balls, std::size_t digits, std::vector<Rational>& result) {
  constexpr double bits_per_digit = 3.33;
  result.clear();
  for (const RealBall& ball : balls) {
    const bool vanishes = arb_contains_zero(ball) != 0;
    if (vanishes) {
      Magnitude tiny;
      mag_set_ui_2exp_si(tiny, 1, -static_cast<slong>(bits_per_digit * static_cast<double>(4 * digits)));
      if (mag_cmp(arb_radref(ball), tiny) >= 0) return false;
      result.emplace_back(0);
      continue;
    }
    if (arb_rel_accuracy_bits(ball) < static_cast<slong>(bits_per_digit * static_cast<double>(digits + 2))) return false;
    Rational middle;
    arf_get_fmpq(raw(middle), arb_midref(ball));
    result.push_back(rounded(middle, digits));
  }
  return true;
}

constexpr slong first_sampled_precision = 256;
constexpr slong last_sampled_precision = 1 << 16;

}  // namespace

SampledSystem held(std::span<const Rational> numerator, std::span<const Rational> denominator, const Rational& sample_time,
                   std::size_t digits, const Rational& later) {
  if (denominator.empty() || numerator.size() > denominator.size())
    throw std::invalid_argument("held: the numerator has a higher degree than the denominator");
  const std::size_t n = denominator.size() - 1;
  SampledSystem result;
  for (slong precision = first_sampled_precision; precision <= last_sampled_precision; precision *= 2) {
    const Reals above = numbers(numerator, precision), below = numbers(denominator, precision);
    RealMatrix exponential(n + 1, n + 1), until_seen(n + 1, n + 1);
    held_exponential(exponential, below, number(sample_time, precision), precision);
    held_exponential(until_seen, below, number(later, precision), precision);
    const Reals den = characteristic(exponential, n, precision),
                g = pulse_response(exponential, until_seen, above, below, precision);
    Reals num(n + 1);
    for (std::size_t k = 0; k <= n; ++k)
      for (std::size_t j = 0; j <= k; ++j) arb_addmul(num[k], den[j], g[k - j], precision);
    if (numerator.size() < denominator.size() && later.is_zero()) num[0] = RealBall();
    if (decimals(den, digits, result.denominator) && decimals(num, digits, result.numerator)) break;
  }
  return result;
}

Rational next_integer(const Rational& number) {
  Rational whole;
  fmpz_cdiv_q(fmpq_numref(raw(whole)), fmpq_numref(raw(number)), fmpq_denref(raw(number)));
  return whole;
}

std::vector<Rational> sampled_roots(std::span<const Rational> polynomial, const Rational& sample_time, std::size_t digits) {
  const std::size_t n = polynomial.size() - 1;
  std::vector<Rational> result;
  for (slong precision = first_sampled_precision; precision <= last_sampled_precision; precision *= 2) {
    RealMatrix exponential(n + 1, n + 1);
    held_exponential(exponential, numbers(polynomial, precision), number(sample_time, precision), precision);
    if (decimals(characteristic(exponential, n, precision), digits, result)) break;
  }
  return result;
}

namespace {

/// Balls would grow with every step; plain numbers lose what the system itself magnifies.
std::vector<double> recurrence_at(std::span<const Rational> numerator, std::span<const Rational> denominator,
                                  std::span<const double> input, slong precision) {
  const RealBall lead = number(denominator[0], precision);
  const auto coefficients = [&](std::span<const Rational> exact) {
    std::vector<BigFloat> result(exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      RealBall c = number(exact[i], precision);
      arb_div(c, c, lead, precision);
      arf_set(result[i], arb_midref(c));
    }
    return result;
  };
  const std::vector<BigFloat> num = coefficients(numerator), den = coefficients(denominator);
  std::vector<BigFloat> u(input.size()), y(input.size());
  std::vector<double> result;
  for (std::size_t k = 0; k < input.size(); ++k) {
    arf_set_d(u[k], input[k]);
    for (std::size_t i = 0; i < num.size() && i <= k; ++i) arf_addmul(y[k], num[i], u[k - i], precision, ARF_RND_NEAR);
    for (std::size_t i = 1; i < den.size() && i <= k; ++i) arf_submul(y[k], den[i], y[k - i], precision, ARF_RND_NEAR);
    result.push_back(arf_get_d(y[k], ARF_RND_NEAR));
  }
  return result;
}

}  // namespace

std::vector<double> recurrence(std::span<const Rational> numerator, std::span<const Rational> denominator,
                               std::span<const double> input) {
  std::vector<double> before;
  for (slong precision = 128; precision <= last_sampled_precision; precision *= 2) {
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
