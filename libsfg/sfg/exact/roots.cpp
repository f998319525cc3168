// Roots of exact polynomials. The coefficients are never rounded: the polynomial is split into squarefree factors over
// the integers, each factor into the part f₀ that shares no root with its mirror image f(−s) and the part h that does.
// Roots of h on the imaginary axis are the negative real roots x of the polynomial in x = s², so "on the axis" is decided
// exactly. Enclosures come from arb_fmpz_poly_complex_roots, at a precision raised until each part has its digits.
#include "sfg/exact/roots.hpp"

#include <flint/fmpz_poly_factor.h>

#include <arb_fmpz_poly.h>

#include <algorithm>
#include <stdexcept>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

/// The integer polynomial with the same roots.
void set_cleared(fmpz_poly_struct* result, std::span<const Rational> coefficients) {
  Integer common, multiple;
  fmpz_one(common);
  for (const Rational& c : coefficients) fmpz_lcm(common, common, fmpq_denref(raw(c)));
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    fmpz_divexact(multiple, common, fmpq_denref(raw(coefficients[i])));
    fmpz_mul(multiple, multiple, fmpq_numref(raw(coefficients[i])));
    fmpz_poly_set_coeff_fmpz(result, static_cast<slong>(coefficients.size() - 1 - i), multiple);
  }
}

Rational middle(const arb_t ball) {
  Rational result;
  arf_get_fmpq(raw(result), arb_midref(ball));
  return result;
}

bool accurate(const arb_t ball, slong bits) { return arb_is_zero(ball) || arb_rel_accuracy_bits(ball) >= bits; }

Root root_of(const acb_struct* z, std::size_t multiplicity) {
  Root root;
  root.value = midpoint(z);
  root.real = middle(acb_realref(z));
  root.imaginary = middle(acb_imagref(z));
  root.multiplicity = multiplicity;
  root.on_axis = arb_is_zero(acb_realref(z));
  root.is_real = arb_is_zero(acb_imagref(z));
  return root;
}

/// Roots of a squarefree polynomial; `transform` turns an enclosure into the roots wanted and says whether it is sharp enough.
template <class Transform>
void isolate(const fmpz_poly_t f, slong bits, Transform transform) {
  const slong n = fmpz_poly_degree(f);
  if (n < 1) return;
  ComplexBalls balls(n);
  for (slong precision = 2 * bits + 64;; precision *= 2) {
    arb_fmpz_poly_complex_roots(balls.data(), f, 0, precision);
    bool sharp = true;
    for (slong i = 0; i < n && sharp; ++i) sharp = transform(balls[i], precision, false);
    if (!sharp) continue;
    for (slong i = 0; i < n; ++i) transform(balls[i], precision, true);
    return;
  }
}

class RootList {
 public:
  explicit RootList(std::size_t digits) : bits_(static_cast<slong>(static_cast<double>(digits) * 3.33) + 8) {}

  void add_squarefree(const fmpz_poly_t f, std::size_t multiplicity) {
    IntegerPolynomial mirrored, shared, rest;
    Integer c;
    fmpz_poly_set(mirrored, f);
    for (slong i = 1; i <= fmpz_poly_degree(f); i += 2) {
      fmpz_poly_get_coeff_fmpz(c, f, i);
      fmpz_neg(c, c);
      fmpz_poly_set_coeff_fmpz(mirrored, i, c);
    }
    fmpz_poly_gcd(shared, f, mirrored);
    fmpz_poly_div(rest, f, shared);
    isolate(rest, bits_, [&](acb_t z, slong, bool keep) {
      if (keep) result.push_back(root_of(z, multiplicity));
      return accurate(acb_realref(z), bits_) && accurate(acb_imagref(z), bits_);
    });
    add_symmetric(shared, multiplicity);
  }

  std::vector<Root> result;

 private:
  /// Roots of h with h(−s) = ±h(s): s·g(s²) or g(s²), by the roots x of g.
  void add_symmetric(const fmpz_poly_struct* h, std::size_t multiplicity) {
    const bool odd = fmpz_poly_degree(h) >= 0 && fmpz_is_zero(h->coeffs);
    if (odd) {
      const ComplexBall zero;
      result.push_back(root_of(zero, multiplicity));
    }
    IntegerPolynomial g;
    Integer c;
    for (slong i = odd ? 1 : 0; i <= fmpz_poly_degree(h); i += 2) {
      fmpz_poly_get_coeff_fmpz(c, h, i);
      fmpz_poly_set_coeff_fmpz(g, i / 2, c);
    }
    isolate(g, bits_, [&](acb_t x, slong precision, bool keep) { return add_pair(x, precision, keep, multiplicity); });
  }

  /// ±√x, exactly imaginary for a negative real x and exactly real for a positive one.
  bool add_pair(const acb_t x, slong precision, bool keep, std::size_t multiplicity) {
    ComplexBall s;
    const bool real = arb_is_zero(acb_imagref(x));
    const bool negative = real && arb_is_negative(acb_realref(x));
    if (negative) {
      arb_neg(acb_imagref(s.get()), acb_realref(x));
      arb_sqrt(acb_imagref(s.get()), acb_imagref(s.get()), precision);
    } else if (real) {
      arb_sqrt(acb_realref(s.get()), acb_realref(x), precision);
    } else {
      acb_sqrt(s, x, precision);
    }
    const bool sharp = accurate(acb_realref(s.get()), bits_) && accurate(acb_imagref(s.get()), bits_);
    if (keep) {
      result.push_back(root_of(s, multiplicity));
      acb_neg(s, s);
      result.push_back(root_of(s, multiplicity));
    }
    return sharp;
  }

  slong bits_;
};

}  // namespace

std::vector<Root> roots(std::span<const Rational> coefficients, std::size_t digits) {
  IntegerPolynomial f;
  set_cleared(f, coefficients);
  if (fmpz_poly_degree(f) < 0) throw std::invalid_argument("roots: the polynomial is zero");
  RootList list(std::max<std::size_t>(digits, 17));
  IntegerFactors factors;
  fmpz_poly_factor_squarefree(factors, f);
  for (slong i = 0; i < factors->num; ++i) list.add_squarefree(factors->p + i, static_cast<std::size_t>(factors->exp[i]));
  std::sort(list.result.begin(), list.result.end(), [](const Root& a, const Root& b) {
    const double ma = std::abs(a.value), mb = std::abs(b.value);
    if (ma != mb) return ma < mb;
    if (a.value.real() != b.value.real()) return a.value.real() < b.value.real();
    return a.value.imag() < b.value.imag();
  });
  return std::move(list.result);
}

std::vector<std::complex<double>> root_values(std::span<const Rational> coefficients) {
  std::vector<std::complex<double>> values;
  if (coefficients.size() < 2) return values;
  for (const Root& root : roots(coefficients)) values.insert(values.end(), root.multiplicity, root.value);
  return values;
}

}  // namespace sfg::exact
