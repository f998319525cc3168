// The denominator is split into squarefree factors, so the multiplicity of every pole is known exactly. Around a pole p of
// multiplicity m both polynomials are expanded to 2m terms by repeated synthetic division; the quotient of the expansions
// gives the residues. Everything is a ball; when a result is not sharp enough the whole computation is repeated with twice
// the precision. Only poles with Im p ≥ 0 are kept: the conjugate adds the complex conjugate.
#include "sfg/exact/inverse_laplace.hpp"

#include <flint/fmpq.h>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <acb.h>
#include <acb_poly.h>
#include <arb.h>
#include <arb_fmpz_poly.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

class Polynomial {
 public:
  Polynomial() { fmpq_poly_init(p); }
  explicit Polynomial(std::span<const Rational> coefficients) : Polynomial() {
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      fmpq_poly_set_coeff_fmpq(p, static_cast<slong>(coefficients.size() - 1 - i), raw(coefficients[i]));
  }
  Polynomial(const Polynomial&) = delete;
  Polynomial& operator=(const Polynomial&) = delete;
  ~Polynomial() { fmpq_poly_clear(p); }

  std::vector<Rational> coefficients() const {
    std::vector<Rational> result;
    for (slong i = fmpq_poly_degree(p); i >= 0; --i) fmpq_poly_get_coeff_fmpq(raw(result.emplace_back()), p, i);
    return result;
  }
  fmpq_poly_t p;
};

class Ball {
 public:
  Ball() { acb_init(z); }
  Ball(const Ball& other) : Ball() { acb_set(z, other.z); }
  Ball& operator=(const Ball& other) {
    acb_set(z, other.z);
    return *this;
  }
  ~Ball() { acb_clear(z); }
  std::complex<double> midpoint() const {
    return {arf_get_d(arb_midref(acb_realref(z)), ARF_RND_NEAR), arf_get_d(arb_midref(acb_imagref(z)), ARF_RND_NEAR)};
  }
  acb_t z;
};

/// First `count` Taylor coefficients of a polynomial at p.
std::vector<Ball> expansion(const fmpq_poly_t polynomial, const Ball& p, std::size_t count, slong precision) {
  const slong n = fmpq_poly_length(polynomial);
  std::vector<Ball> work(static_cast<std::size_t>(n));
  Rational c;
  for (slong i = 0; i < n; ++i) {
    fmpq_poly_get_coeff_fmpq(raw(c), polynomial, i);
    acb_set_fmpq(work[static_cast<std::size_t>(i)].z, raw(c), precision);
  }
  std::vector<Ball> result(count);
  for (std::size_t k = 0; k < count && k < work.size(); ++k) {
    for (std::size_t i = work.size() - 1; i-- > k;) acb_addmul(work[i].z, work[i + 1].z, p.z, precision);
    result[k] = work[k];
  }
  return result;
}

struct Term {
  Ball pole;
  std::vector<Ball> residues;  ///< of 1/(s−p), 1/(s−p)², …
  bool is_real = false;
};

}  // namespace

struct InverseLaplace::Impl {
  Polynomial numerator;  ///< of the strictly proper part
  Polynomial denominator;
  std::vector<Rational> direct;
  std::vector<std::pair<std::unique_ptr<fmpz_poly_struct, void (*)(fmpz_poly_struct*)>, std::size_t>> factors;

  Impl(std::span<const Rational> num, std::span<const Rational> den) : denominator(den) {
    if (fmpq_poly_is_zero(denominator.p)) throw std::invalid_argument("InverseLaplace: the denominator is zero");
    Polynomial whole(num), quotient, common;
    fmpq_poly_gcd(common.p, whole.p, denominator.p);
    fmpq_poly_div(whole.p, whole.p, common.p);
    fmpq_poly_div(denominator.p, denominator.p, common.p);
    fmpq_poly_divrem(quotient.p, numerator.p, whole.p, denominator.p);
    direct = quotient.coefficients();
    factorise();
  }

  void factorise() {
    IntegerPolynomial integer;
    fmpq_poly_get_numerator(integer, denominator.p);
    fmpz_poly_factor_t found;
    fmpz_poly_factor_init(found);
    fmpz_poly_factor_squarefree(found, integer);
    for (slong i = 0; i < found->num; ++i) {
      auto* copy = new fmpz_poly_struct;
      fmpz_poly_init(copy);
      fmpz_poly_set(copy, found->p + i);
      factors.emplace_back(std::unique_ptr<fmpz_poly_struct, void (*)(fmpz_poly_struct*)>(copy,
                                                                                          [](fmpz_poly_struct* p) {
                                                                                            fmpz_poly_clear(p);
                                                                                            delete p;
                                                                                          }),
                           static_cast<std::size_t>(found->exp[i]));
    }
    fmpz_poly_factor_clear(found);
  }

  /// The expansion at a precision; the last one is kept, since callers ask again and again.
  const std::vector<Term>& terms(slong precision) const {
    if (known_precision != precision) {
      known = expanded(precision);
      known_precision = precision;
    }
    return known;
  }
  mutable std::vector<Term> known;
  mutable slong known_precision = 0;

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
        acb_set(term.pole.z, found[i]);
        term.is_real = arb_is_zero(acb_imagref(found[i]));
        term.residues = residues(term.pole, multiplicity, precision);
        result.push_back(std::move(term));
      }
    }
    return result;
  }

  std::vector<Ball> residues(const Ball& pole, std::size_t m, slong precision) const {
    const std::vector<Ball> top = expansion(numerator.p, pole, m, precision);
    const std::vector<Ball> bottom = expansion(denominator.p, pole, 2 * m, precision);  // the first m are 0: the pole's order
    std::vector<Ball> quotient(m);
    for (std::size_t k = 0; k < m; ++k) {
      Ball value = top[k];
      for (std::size_t j = 0; j < k; ++j) acb_submul(value.z, quotient[j].z, bottom[m + k - j].z, precision);
      acb_div(quotient[k].z, value.z, bottom[m].z, precision);
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
  Ball growth, poly, product;
  acb_mul_arb(growth.z, term.pole.z, t, precision);
  acb_exp(growth.z, growth.z, precision);
  for (std::size_t k = term.residues.size(); k-- > 0;) {  // Horner in t/k for Σ residues_k t^(k-1)/(k-1)!
    acb_mul_arb(poly.z, poly.z, t, precision);
    acb_div_ui(poly.z, poly.z, k + 1, precision);
    acb_add(poly.z, poly.z, term.residues[k].z, precision);
  }
  acb_mul(product.z, growth.z, poly.z, precision);
  if (!term.is_real) acb_mul_2exp_si(product.z, product.z, 1);
  arb_add(sum, sum, acb_realref(product.z), precision);
  return std::abs(product.midpoint());
}

constexpr slong first_precision = 128;
constexpr slong last_precision = 1 << 18;
constexpr double sharp = 1e-18;      // of the largest value: below the rounding of a double
constexpr double vanishing = 1e-60;  // of the largest part: all values are 0 as far as anybody can tell

}  // namespace

std::vector<double> InverseLaplace::at(std::span<const double> times, const Budget& budget) const {
  std::vector<double> values(times.size());
  RealBall sum, t;
  for (slong precision = std::max(first_precision, impl_->known_precision); precision <= last_precision; precision *= 2) {
    const std::vector<Term>& terms = impl_->terms(precision);
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
class Jet {
 public:
  Jet() { acb_poly_init(p); }
  Jet(const Jet& other) : Jet() { acb_poly_set(p, other.p); }
  Jet& operator=(const Jet& other) {
    acb_poly_set(p, other.p);
    return *this;
  }
  ~Jet() { acb_poly_clear(p); }
  acb_poly_t p;
};

/// φ_1 … φ_count of Z = (p + ε) τ, φ_0 = e^Z, φ_(k+1) = (φ_k − 1/k!)/Z: ∫ e^(Z(1−σ)) σ^k dσ from 0 to 1 is k! φ_(k+1). Downwards
/// from the series near 0, upwards elsewhere: either way errors shrink.
std::vector<Jet> phi_functions(const Jet& Z, const Jet& exponential, std::size_t count, slong length, slong precision) {
  std::vector<Jet> phi(count + 1);
  phi[0] = exponential;
  Ball z, inverse;
  acb_poly_get_coeff_acb(z.z, Z.p, 0);
  const auto add_inverse_factorial = [&](Jet& jet, std::size_t k, bool subtract) {
    arb_fac_ui(acb_realref(inverse.z), k, precision);
    arb_zero(acb_imagref(inverse.z));
    acb_inv(inverse.z, inverse.z, precision);
    Ball constant;
    acb_poly_get_coeff_acb(constant.z, jet.p, 0);
    if (subtract)
      acb_sub(constant.z, constant.z, inverse.z, precision);
    else
      acb_add(constant.z, constant.z, inverse.z, precision);
    acb_poly_set_coeff_acb(jet.p, 0, constant.z);
  };
  constexpr double near_zero = 2.0;
  if (std::abs(z.midpoint()) >= near_zero) {
    for (std::size_t k = 0; k < count; ++k) {
      Jet above = phi[k];
      add_inverse_factorial(above, k, true);
      acb_poly_div_series(phi[k + 1].p, above.p, Z.p, length, precision);
    }
    return phi;
  }
  std::size_t terms = count;  // of the series, until 2^terms/terms! is below the precision
  for (double bits = 0; bits < static_cast<double>(precision + 8 * length); ++terms)
    bits += std::log2(static_cast<double>(terms + 1)) - 1;
  for (std::size_t j = terms + 1; j-- > 0;) {  // Horner: Σ Z^j/(j + count)!
    acb_poly_mullow(phi[count].p, phi[count].p, Z.p, length, precision);
    add_inverse_factorial(phi[count], j + count, false);
  }
  for (std::size_t k = count; k-- > 1;) {
    acb_poly_mullow(phi[k].p, phi[k + 1].p, Z.p, length, precision);
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
    Ball value;
    acb_mul_arb(value.z, term_.pole.z, tau, precision_);
    acb_poly_set_coeff_acb(Z.p, 0, value.z);
    if (length > 1) {
      acb_set_arb(value.z, tau);
      acb_poly_set_coeff_acb(Z.p, 1, value.z);
    }
    acb_poly_exp_series(growth.p, Z.p, length, precision_);
    acb_poly_mullow(state.p, growth.p, state_.p, length, precision_);
    if (input.empty()) return state;
    const std::vector<Jet> phi = phi_functions(Z, growth, input.size(), length, precision_);
    Ball factor;  // c_k k! τ^(k+1)
    Jet part;
    arb_t power;
    arb_init(power);
    arb_one(power);
    for (std::size_t k = 0; k < input.size(); ++k) {
      if (k > 0) arb_mul_ui(power, power, k, precision_);
      arb_mul(power, power, tau, precision_);
      arb_set_d(acb_realref(factor.z), input[k]);
      arb_zero(acb_imagref(factor.z));
      acb_mul_arb(factor.z, factor.z, power, precision_);
      acb_poly_scalar_mul(part.p, phi[k + 1].p, factor.z, precision_);
      acb_poly_add(state.p, state.p, part.p, precision_);
    }
    arb_clear(power);
    return state;
  }
  void set(Jet state) { state_ = std::move(state); }
  /// Adds Σ residues_k x_k (and the conjugate's part); returns its size.
  double add_output(arb_t sum, const Jet& state) const {
    Ball part, x;
    for (std::size_t k = 0; k < term_.residues.size(); ++k) {
      acb_poly_get_coeff_acb(x.z, state.p, static_cast<slong>(k));
      acb_addmul(part.z, x.z, term_.residues[k].z, precision_);
    }
    if (!term_.is_real) acb_mul_2exp_si(part.z, part.z, 1);
    arb_add(sum, sum, acb_realref(part.z), precision_);
    return std::abs(part.midpoint());
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
  arb_t tau, sum;
  arb_init(tau);
  arb_init(sum);
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
      values[next] = arb_contains_zero(sum) ? 0.0 : arf_get_d(arb_midref(sum), ARF_RND_NEAR);
      quality.largest = std::max(quality.largest, std::abs(values[next]));
      quality.widest = std::max(quality.widest, mag_get_d(arb_radref(sum)));
    }
    if (last || next == times.size()) break;
    difference(pieces[i + 1].begin, pieces[i].begin);
    for (ModeState& mode : modes) mode.set(mode.after(tau, pieces[i].coefficients));
  }
  arb_clear(tau);
  arb_clear(sum);
  return quality;
}

}  // namespace

std::vector<double> InverseLaplace::convolved(std::span<const PolynomialPiece> pieces, std::span<const double> times,
                                              const Budget& budget) const {
  std::vector<double> values(times.size());
  for (slong precision = std::max(first_precision, impl_->known_precision); precision <= last_precision; precision *= 2) {
    const Quality q = convolve(impl_->terms(precision), pieces, times, values, precision, budget);
    if (q.widest <= sharp * q.largest || q.widest <= vanishing * q.magnitude) break;
  }
  return values;
}

PartialFractions InverseLaplace::partial_fractions() const {
  PartialFractions result;
  result.direct = impl_->direct;
  for (slong precision = first_precision; precision <= last_precision; precision *= 2) {
    result.poles.clear();
    bool accurate = true;
    for (const Term& term : impl_->terms(precision)) {
      PartialFractions::Pole pole{term.pole.midpoint(), {}, term.is_real};
      double largest = 0, widest = 0;
      for (const Ball& residue : term.residues) {
        pole.residues.push_back(residue.midpoint());
        largest = std::max(largest, std::abs(pole.residues.back()));
        widest = std::max({widest, mag_get_d(arb_radref(acb_realref(residue.z))), mag_get_d(arb_radref(acb_imagref(residue.z)))});
      }
      accurate = accurate && widest <= sharp * largest;
      result.poles.push_back(pole);
      if (term.is_real) continue;
      pole.value = std::conj(pole.value);
      for (auto& residue : pole.residues) residue = std::conj(residue);
      result.poles.push_back(std::move(pole));
    }
    if (accurate) break;
  }
  return result;
}

}  // namespace sfg::exact
