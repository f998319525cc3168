// The denominator is split into squarefree factors, so the multiplicity of every pole is known exactly. Around a pole p of
// multiplicity m both polynomials are expanded to 2m terms by repeated synthetic division; the quotient of the expansions
// gives the residues. Everything is a ball; when a result is not sharp enough the whole computation is repeated with twice
// the precision. Only poles with Im p ≥ 0 are kept: the conjugate adds the complex conjugate.
#include "sfg/exact/inverse_laplace.hpp"

#include <acb.h>
#include <acb_poly.h>
#include <arb.h>
#include <arb_fmpz_poly.h>
#include <flint/fmpq.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

FractionPolynomial polynomial(std::span<const Rational> coefficients) {
  FractionPolynomial p;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    fmpq_poly_set_coeff_fmpq(p, static_cast<slong>(coefficients.size() - 1 - i), raw(coefficients[i]));
  return p;
}

std::vector<Rational> coefficients(const FractionPolynomial& p) {
  std::vector<Rational> result;
  for (slong i = fmpq_poly_degree(p); i >= 0; --i) fmpq_poly_get_coeff_fmpq(raw(result.emplace_back()), p, i);
  return result;
}

/// First `count` Taylor coefficients of a polynomial at p.
std::vector<ComplexBall> expansion(const FractionPolynomial& polynomial, const ComplexBall& p, std::size_t count,
                                   slong precision) {
  const slong n = fmpq_poly_length(polynomial);
  std::vector<ComplexBall> work(static_cast<std::size_t>(n));
  Rational c;
  for (slong i = 0; i < n; ++i) {
    fmpq_poly_get_coeff_fmpq(raw(c), polynomial, i);
    acb_set_fmpq(work[static_cast<std::size_t>(i)], raw(c), precision);
  }
  std::vector<ComplexBall> result(count);
  for (std::size_t k = 0; k < count && k < work.size(); ++k) {
    for (std::size_t i = work.size() - 1; i-- > k;) acb_addmul(work[i], work[i + 1], p, precision);
    result[k] = work[k];
  }
  return result;
}

struct Term {
  ComplexBall pole;
  std::vector<ComplexBall> residues;  ///< of 1/(s−p), 1/(s−p)², …
  bool is_real = false;
};

}  // namespace

namespace {

constexpr slong first_precision = 128;

}  // namespace

struct InverseLaplace::Impl {
  FractionPolynomial numerator;  ///< of the strictly proper part
  FractionPolynomial denominator;
  std::vector<Rational> direct;
  std::vector<std::pair<IntegerPolynomial, std::size_t>> factors;

  Impl(std::span<const Rational> num, std::span<const Rational> den) : denominator(polynomial(den)) {
    if (fmpq_poly_is_zero(denominator)) throw std::invalid_argument("InverseLaplace: the denominator is zero");
    FractionPolynomial whole = polynomial(num), quotient, common;
    fmpq_poly_gcd(common, whole, denominator);
    fmpq_poly_div(whole, whole, common);
    fmpq_poly_div(denominator, denominator, common);
    fmpq_poly_divrem(quotient, numerator, whole, denominator);
    direct = coefficients(quotient);
    factorise();
  }

  void factorise() {
    IntegerPolynomial integer;
    fmpq_poly_get_numerator(integer, denominator);
    IntegerFactors found;
    fmpz_poly_factor_squarefree(found, integer);
    for (slong i = 0; i < found->num; ++i) {
      auto& [factor, multiplicity] = factors.emplace_back();
      fmpz_poly_set(factor, found->p + i);
      multiplicity = static_cast<std::size_t>(found->exp[i]);
    }
  }

  struct Expansion {
    slong precision = 0;
    std::vector<Term> terms;
  };

  /// The expansion at a precision. The last one is kept, since callers ask again and again; several threads may.
  std::shared_ptr<const Expansion> expansion_at(slong precision) const {
    std::shared_ptr<const Expansion> known = last.load();
    if (!known || known->precision != precision) {
      known = std::make_shared<const Expansion>(Expansion{precision, expanded(precision)});
      last.store(known);
    }
    return known;
  }
  slong precision_to_begin_with() const {
    const std::shared_ptr<const Expansion> known = last.load();
    return known ? std::max(first_precision, known->precision) : first_precision;
  }
  mutable std::atomic<std::shared_ptr<const Expansion>> last;

  std::vector<Term> expanded(slong precision) const {
    std::vector<Term> result;
    for (const auto& [factor, multiplicity] : factors) {
      const slong n = fmpz_poly_degree(factor.get());
      if (n < 1) continue;
      ComplexBalls found(n);
      arb_fmpz_poly_complex_roots(found.data(), factor.get(), 0, precision);
      for (slong i = 0; i < n; ++i) {
        if (arb_is_negative(acb_imagref(found[i]))) continue;
        Term term;
        acb_set(term.pole, found[i]);
        term.is_real = arb_is_zero(acb_imagref(found[i]));
        term.residues = residues(term.pole, multiplicity, precision);
        result.push_back(std::move(term));
      }
    }
    return result;
  }

  std::vector<ComplexBall> residues(const ComplexBall& pole, std::size_t m, slong precision) const {
    const std::vector<ComplexBall> top = expansion(numerator, pole, m, precision);
    const std::vector<ComplexBall> bottom =
        expansion(denominator, pole, 2 * m, precision);  // the first m are 0: the pole's order
    std::vector<ComplexBall> quotient(m);
    for (std::size_t k = 0; k < m; ++k) {
      ComplexBall value = top[k];
      for (std::size_t j = 0; j < k; ++j) acb_submul(value, quotient[j], bottom[m + k - j], precision);
      acb_div(quotient[k], value, bottom[m], precision);
    }
    std::reverse(quotient.begin(), quotient.end());
    return quotient;
  }
};

InverseLaplace::InverseLaplace(std::span<const Rational> numerator, std::span<const Rational> denominator)
    : impl_(std::make_unique<Impl>(numerator, denominator)) {}
InverseLaplace::~InverseLaplace() = default;
InverseLaplace::InverseLaplace(InverseLaplace&&) noexcept = default;
InverseLaplace& InverseLaplace::operator=(InverseLaplace&&) noexcept = default;

const std::vector<Rational>& InverseLaplace::direct() const noexcept { return impl_->direct; }

namespace {

/// The part of one pole at time t, added to `sum`; returns its size.
double add_mode(arb_t sum, const Term& term, const arb_t t, slong precision) {
  ComplexBall growth, poly, product;
  acb_mul_arb(growth, term.pole, t, precision);
  acb_exp(growth, growth, precision);
  for (std::size_t k = term.residues.size(); k-- > 0;) {  // Horner in t/k for Σ residues_k t^(k-1)/(k-1)!
    acb_mul_arb(poly, poly, t, precision);
    acb_div_ui(poly, poly, k + 1, precision);
    acb_add(poly, poly, term.residues[k], precision);
  }
  acb_mul(product, growth, poly, precision);
  if (!term.is_real) acb_mul_2exp_si(product, product, 1);
  arb_add(sum, sum, acb_realref(product), precision);
  return std::abs(midpoint(product));
}

constexpr slong last_precision = 1 << 18;
constexpr double sharp = 1e-18;      // of the largest value: below the rounding of a double
constexpr double vanishing = 1e-60;  // of the largest part: all values are 0 as far as anybody can tell

}  // namespace

std::vector<double> InverseLaplace::at(std::span<const double> times, const Budget& budget) const {
  std::vector<double> values(times.size());
  RealBall sum, t;
  for (slong precision = impl_->precision_to_begin_with(); precision <= last_precision; precision *= 2) {
    const auto expansion = impl_->expansion_at(precision);
    const std::vector<Term>& terms = expansion->terms;
    double largest = 0, widest = 0, magnitude = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (i % 16 == 0) budget.check("the time response");
      arb_zero(sum);
      arb_set_d(t, times[i]);
      for (const Term& term : terms) magnitude = std::max(magnitude, add_mode(sum, term, t, precision));
      values[i] = arb_contains_zero(sum) ? 0.0 : arf_get_d(arb_midref(sum.get()), ARF_RND_NEAR);
      largest = std::max(largest, std::abs(values[i]));
      widest = std::max(widest, mag_get_d(arb_radref(sum.get())));
    }
    if (widest <= sharp * largest || widest <= vanishing * magnitude) break;
  }
  return values;
}

namespace {

/// A truncated power series in ε. A pole of multiplicity m is p + ε modulo ε^m: x′ = (p + ε) x + u is the whole chain of its m
/// states at once.
using Jet = ComplexPolynomial;

/// φ_1 … φ_count of Z = (p + ε) τ, φ_0 = e^Z, φ_(k+1) = (φ_k − 1/k!)/Z: ∫ e^(Z(1−σ)) σ^k dσ from 0 to 1 is k! φ_(k+1). Downwards
/// from the series near 0, upwards elsewhere: either way errors shrink.
std::vector<Jet> phi_functions(const Jet& Z, const Jet& exponential, std::size_t count, slong length, slong precision) {
  std::vector<Jet> phi(count + 1);
  phi[0] = exponential;
  ComplexBall z, inverse;
  acb_poly_get_coeff_acb(z, Z, 0);
  const auto add_inverse_factorial = [&](Jet& jet, std::size_t k, bool subtract) {
    arb_fac_ui(acb_realref(inverse), k, precision);
    arb_zero(acb_imagref(inverse));
    acb_inv(inverse, inverse, precision);
    ComplexBall constant;
    acb_poly_get_coeff_acb(constant, jet, 0);
    if (subtract)
      acb_sub(constant, constant, inverse, precision);
    else
      acb_add(constant, constant, inverse, precision);
    acb_poly_set_coeff_acb(jet, 0, constant);
  };
  constexpr double near_zero = 2.0;
  if (std::abs(midpoint(z)) >= near_zero) {
    for (std::size_t k = 0; k < count; ++k) {
      Jet above = phi[k];
      add_inverse_factorial(above, k, true);
      acb_poly_div_series(phi[k + 1], above, Z, length, precision);
    }
    return phi;
  }
  std::size_t terms = count;  // of the series, until 2^terms/terms! is below the precision
  for (double bits = 0; bits < static_cast<double>(precision + 8 * length); ++terms)
    bits += std::log2(static_cast<double>(terms + 1)) - 1;
  for (std::size_t j = terms + 1; j-- > 0;) {  // Horner: Σ Z^j/(j + count)!
    acb_poly_mullow(phi[count], phi[count], Z, length, precision);
    add_inverse_factorial(phi[count], j + count, false);
  }
  for (std::size_t k = count; k-- > 1;) {
    acb_poly_mullow(phi[k], phi[k + 1], Z, length, precision);
    add_inverse_factorial(phi[k], k, false);
  }
  return phi;
}

/// The states of one pole, at the beginning of a piece.
class ModeState {
 public:
  ModeState(const Term& term, slong precision) : term_(term), precision_(precision) {}

  /// The state after a time τ under a polynomial input.
  Jet after(const arb_t tau, const std::vector<double>& input) const {
    const auto length = static_cast<slong>(term_.residues.size());
    Jet Z, growth, state;
    ComplexBall value;
    acb_mul_arb(value, term_.pole, tau, precision_);
    acb_poly_set_coeff_acb(Z, 0, value);
    if (length > 1) {
      acb_set_arb(value, tau);
      acb_poly_set_coeff_acb(Z, 1, value);
    }
    acb_poly_exp_series(growth, Z, length, precision_);
    acb_poly_mullow(state, growth, state_, length, precision_);
    if (input.empty()) return state;
    const std::vector<Jet> phi = phi_functions(Z, growth, input.size(), length, precision_);
    ComplexBall factor;  // c_k k! τ^(k+1)
    Jet part;
    RealBall power;
    arb_one(power);
    for (std::size_t k = 0; k < input.size(); ++k) {
      if (k > 0) arb_mul_ui(power, power, k, precision_);
      arb_mul(power, power, tau, precision_);
      arb_set_d(acb_realref(factor), input[k]);
      arb_zero(acb_imagref(factor));
      acb_mul_arb(factor, factor, power, precision_);
      acb_poly_scalar_mul(part, phi[k + 1], factor, precision_);
      acb_poly_add(state, state, part, precision_);
    }
    return state;
  }
  void set(Jet state) { state_ = std::move(state); }
  /// Adds Σ residues_k x_k (and the conjugate's part); returns its size.
  double add_output(arb_t sum, const Jet& state) const {
    ComplexBall part, x;
    for (std::size_t k = 0; k < term_.residues.size(); ++k) {
      acb_poly_get_coeff_acb(x, state, static_cast<slong>(k));
      acb_addmul(part, x, term_.residues[k], precision_);
    }
    if (!term_.is_real) acb_mul_2exp_si(part, part, 1);
    arb_add(sum, sum, acb_realref(part), precision_);
    return std::abs(midpoint(part));
  }

 private:
  const Term& term_;
  slong precision_;
  Jet state_;
};

struct Quality {
  double largest = 0, widest = 0, magnitude = 0;
};

Quality convolve(const std::vector<Term>& terms, std::span<const PolynomialPiece> pieces, std::span<const double> times,
                 std::vector<double>& values, slong precision, const Budget& budget) {
  Quality quality;
  std::vector<ModeState> modes;
  for (const Term& term : terms) modes.emplace_back(term, precision);
  RealBall tau, sum;
  const auto difference = [&](double a, double b) {
    arb_set_d(sum, b);
    arb_set_d(tau, a);
    arb_sub(tau, tau, sum, precision);
  };
  std::size_t next = 0;
  while (next < times.size() && (pieces.empty() || times[next] < pieces.front().begin)) values[next++] = 0;
  for (std::size_t i = 0; i < pieces.size() && next < times.size(); ++i) {
    budget.check("the time response");
    const bool last = i + 1 == pieces.size();
    for (; next < times.size() && (last || times[next] < pieces[i + 1].begin); ++next) {
      difference(times[next], pieces[i].begin);
      arb_zero(sum);
      for (const ModeState& mode : modes)
        quality.magnitude = std::max(quality.magnitude, mode.add_output(sum, mode.after(tau, pieces[i].coefficients)));
      values[next] = arb_contains_zero(sum) ? 0.0 : arf_get_d(arb_midref(sum.get()), ARF_RND_NEAR);
      quality.largest = std::max(quality.largest, std::abs(values[next]));
      quality.widest = std::max(quality.widest, mag_get_d(arb_radref(sum.get())));
    }
    if (last || next == times.size()) break;
    difference(pieces[i + 1].begin, pieces[i].begin);
    for (ModeState& mode : modes) mode.set(mode.after(tau, pieces[i].coefficients));
  }
  return quality;
}

}  // namespace

std::vector<double> InverseLaplace::convolved(std::span<const PolynomialPiece> pieces, std::span<const double> times,
                                              const Budget& budget) const {
  std::vector<double> values(times.size());
  for (slong precision = impl_->precision_to_begin_with(); precision <= last_precision; precision *= 2) {
    const Quality q = convolve(impl_->expansion_at(precision)->terms, pieces, times, values, precision, budget);
    if (q.widest <= sharp * q.largest || q.widest <= vanishing * q.magnitude) break;
  }
  return values;
}

}  // namespace sfg::exact
