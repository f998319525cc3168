#include "sfg/exact/rational_polynomial.hpp"

#include <flint/fmpz_poly_factor.h>

#include <arb_fmpz_poly.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/exact/flint.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg::exact {

struct RationalPolynomial::Impl {
  Impl() { fmpq_poly_init(p); }
  Impl(const Impl& other) : Impl() { fmpq_poly_set(p, other.p); }
  Impl& operator=(const Impl&) = delete;
  ~Impl() { fmpq_poly_clear(p); }
  fmpq_poly_t p;
};

RationalPolynomial::RationalPolynomial() : impl_(std::make_unique<Impl>()) {}
RationalPolynomial::RationalPolynomial(std::span<const Rational> coefficients) : RationalPolynomial() {
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    fmpq_poly_set_coeff_fmpq(impl_->p, static_cast<slong>(coefficients.size() - 1 - i), raw(coefficients[i]));
}
RationalPolynomial RationalPolynomial::constant(const Rational& value) {
  RationalPolynomial result;
  fmpq_poly_set_fmpq(result.impl_->p, raw(value));
  return result;
}
RationalPolynomial RationalPolynomial::variable() {
  RationalPolynomial result;
  fmpq_poly_set_coeff_si(result.impl_->p, 1, 1);
  return result;
}
RationalPolynomial::RationalPolynomial(const RationalPolynomial& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
RationalPolynomial::RationalPolynomial(RationalPolynomial&&) noexcept = default;
RationalPolynomial& RationalPolynomial::operator=(const RationalPolynomial& other) {
  if (this != &other) *this = RationalPolynomial(other);
  return *this;
}
RationalPolynomial& RationalPolynomial::operator=(RationalPolynomial&&) noexcept = default;
RationalPolynomial::~RationalPolynomial() = default;

bool RationalPolynomial::is_zero() const { return fmpq_poly_is_zero(impl_->p) != 0; }
long RationalPolynomial::degree() const { return fmpq_poly_degree(impl_->p); }

Rational RationalPolynomial::coefficient(std::size_t power) const {
  Rational c;
  fmpq_poly_get_coeff_fmpq(raw(c), impl_->p, static_cast<slong>(power));
  return c;
}

Rational RationalPolynomial::leading() const { return is_zero() ? Rational() : coefficient(static_cast<std::size_t>(degree())); }

std::vector<Rational> RationalPolynomial::coefficients() const {
  std::vector<Rational> result;
  for (long i = degree(); i >= 0; --i) result.push_back(coefficient(static_cast<std::size_t>(i)));
  return result;
}

int RationalPolynomial::sign_of(std::size_t power) const { return coefficient(power).sign(); }

std::vector<double> RationalPolynomial::doubles() const {
  std::vector<double> result;
  for (long i = degree(); i >= 0; --i) result.push_back(coefficient(static_cast<std::size_t>(i)).to_double());
  return result;
}

RationalPolynomial& RationalPolynomial::operator+=(const RationalPolynomial& other) {
  fmpq_poly_add(impl_->p, impl_->p, other.impl_->p);
  return *this;
}
RationalPolynomial& RationalPolynomial::operator-=(const RationalPolynomial& other) {
  fmpq_poly_sub(impl_->p, impl_->p, other.impl_->p);
  return *this;
}
RationalPolynomial& RationalPolynomial::operator*=(const RationalPolynomial& other) {
  fmpq_poly_mul(impl_->p, impl_->p, other.impl_->p);
  return *this;
}
RationalPolynomial RationalPolynomial::operator-() const {
  RationalPolynomial result;
  fmpq_poly_neg(result.impl_->p, impl_->p);
  return result;
}
RationalPolynomial RationalPolynomial::power(std::size_t exponent) const {
  RationalPolynomial result;
  fmpq_poly_pow(result.impl_->p, impl_->p, exponent);
  return result;
}
RationalPolynomial RationalPolynomial::derivative() const {
  RationalPolynomial result;
  fmpq_poly_derivative(result.impl_->p, impl_->p);
  return result;
}
RationalPolynomial RationalPolynomial::shifted_up(std::size_t powers) const {
  RationalPolynomial result;
  fmpq_poly_shift_left(result.impl_->p, impl_->p, static_cast<slong>(powers));
  return result;
}

namespace {

void every_second(fmpq_poly_t result, const fmpq_poly_t p, slong first) {
  Rational c;
  for (slong i = first; i <= fmpq_poly_degree(p); i += 2) {
    fmpq_poly_get_coeff_fmpq(raw(c), p, i);
    fmpq_poly_set_coeff_fmpq(result, i / 2, raw(c));
  }
}

}  // namespace

RationalPolynomial RationalPolynomial::even_part() const {
  RationalPolynomial result;
  every_second(result.impl_->p, impl_->p, 0);
  return result;
}
RationalPolynomial RationalPolynomial::odd_part() const {
  RationalPolynomial result;
  every_second(result.impl_->p, impl_->p, 1);
  return result;
}
RationalPolynomial RationalPolynomial::scaled(const Rational& factor) const {
  RationalPolynomial result;
  fmpq_poly_rescale(result.impl_->p, impl_->p, raw(factor));
  return result;
}
RationalPolynomial RationalPolynomial::composed(const RationalPolynomial& inner) const {
  RationalPolynomial result;
  fmpq_poly_compose(result.impl_->p, impl_->p, inner.impl_->p);
  return result;
}
RationalPolynomial RationalPolynomial::monic() const {
  RationalPolynomial result;
  if (!is_zero()) fmpq_poly_make_monic(result.impl_->p, impl_->p);
  return result;
}
Rational RationalPolynomial::at(const Rational& x) const {
  Rational value;
  fmpq_poly_evaluate_fmpq(raw(value), impl_->p, raw(x));
  return value;
}
int RationalPolynomial::sign_at(const Rational& x) const { return at(x).sign(); }

std::complex<double> RationalPolynomial::at(std::complex<double> x) const {
  const auto [mantissa, exponent] = scaled_at(x);
  const int shift = static_cast<int>(std::clamp(exponent, -4000L, 4000L));
  return {std::ldexp(mantissa.real(), shift), std::ldexp(mantissa.imag(), shift)};
}

RationalPolynomial::Scaled RationalPolynomial::scaled_at(std::complex<double> x) const {
  ComplexBall z, value;
  IntegerPolynomial numerator;
  fmpq_poly_get_numerator(numerator, impl_->p);
  acb_set_d_d(z, x.real(), x.imag());
  constexpr slong enough = 60;
  for (slong precision = 128; precision <= 1 << 16; precision *= 2) {
    arb_fmpz_poly_evaluate_acb(value, numerator, z, precision);
    acb_div_fmpz(value, value, fmpq_poly_denref(impl_->p), precision);
    if (acb_rel_accuracy_bits(value) > enough || acb_is_zero(value)) break;
  }
  Scaled result;
  arf_srcptr re = arb_midref(acb_realref(value.get())), im = arb_midref(acb_imagref(value.get()));
  if (arf_is_zero(re) == 0 || arf_is_zero(im) == 0) {
    result.exponent = arf_cmpabs(re, im) > 0 ? arf_abs_bound_lt_2exp_si(re) : arf_abs_bound_lt_2exp_si(im);
    acb_mul_2exp_si(value, value, -result.exponent);
    result.mantissa = {arf_get_d(re, ARF_RND_NEAR), arf_get_d(im, ARF_RND_NEAR)};
  }
  return result;
}

std::pair<RationalPolynomial, RationalPolynomial> divided(const RationalPolynomial& a, const RationalPolynomial& b) {
  if (b.is_zero()) throw std::domain_error("divided: by the zero polynomial");
  RationalPolynomial quotient, remainder;
  fmpq_poly_divrem(quotient.impl_->p, remainder.impl_->p, a.impl_->p, b.impl_->p);
  return {std::move(quotient), std::move(remainder)};
}

RationalPolynomial gcd(const RationalPolynomial& a, const RationalPolynomial& b) {
  RationalPolynomial result;
  fmpq_poly_gcd(result.impl_->p, a.impl_->p, b.impl_->p);
  return result;
}

bool operator==(const RationalPolynomial& a, const RationalPolynomial& b) { return fmpq_poly_equal(a.impl_->p, b.impl_->p) != 0; }

std::vector<std::pair<RationalPolynomial, std::size_t>> RationalPolynomial::factors() const {
  std::vector<std::pair<RationalPolynomial, std::size_t>> result;
  IntegerPolynomial numerator;
  fmpq_poly_get_numerator(numerator, impl_->p);
  IntegerFactors found;
  if (!is_zero()) fmpz_poly_factor(found, numerator);
  for (slong i = 0; i < found->num; ++i) {
    RationalPolynomial factor;
    fmpq_poly_set_fmpz_poly(factor.impl_->p, found->p + i);
    result.emplace_back(factor.monic(), static_cast<std::size_t>(found->exp[i]));
  }
  return result;
}

RationalPolynomial RationalPolynomial::inverse_modulo(const RationalPolynomial& modulus) const {
  RationalPolynomial common, inverse, other;
  fmpq_poly_xgcd(common.impl_->p, inverse.impl_->p, other.impl_->p, impl_->p, modulus.impl_->p);
  if (common.degree() != 0) throw std::domain_error("inverse_modulo: a common factor");
  return inverse;
}

RationalPolynomial::RootCounts RationalPolynomial::root_counts() const {
  if (is_zero()) throw std::domain_error("root_counts: every number is a root of the zero polynomial");
  RootCounts counts;
  for (const Root& root : roots(coefficients())) {
    if (root.on_axis)
      counts.axis += root.multiplicity;
    else
      (root.real.sign() < 0 ? counts.left : counts.right) += root.multiplicity;
  }
  return counts;
}

std::vector<RealRoot> real_roots(const RationalPolynomial& polynomial, std::size_t digits) {
  std::vector<RealRoot> result;
  for (const auto& [factor, multiplicity] : polynomial.factors()) {
    if (factor.degree() == 1) {
      const Rational root = -factor.coefficient(0);
      result.push_back({root, root.to_double(), true});
      continue;
    }
    for (const Root& root : roots(factor.coefficients(), digits))
      if (root.is_real) result.push_back({root.real, root.value.real(), false});
  }
  std::sort(result.begin(), result.end(), [](const RealRoot& a, const RealRoot& b) { return a.value < b.value; });
  return result;
}

Rational rational_between(const RealRoot* low, const RealRoot* high) {
  if (low == nullptr && high == nullptr) return 0;
  const auto near = [](const RealRoot& root) { return root.exact ? root.number : Rational::of(root.value); };
  if (low == nullptr) return near(*high) - (1 + Rational::of(std::abs(high->value)));
  if (high == nullptr) return near(*low) + (1 + Rational::of(std::abs(low->value)));
  return (near(*low) + near(*high)) / 2;
}

}  // namespace sfg::exact
