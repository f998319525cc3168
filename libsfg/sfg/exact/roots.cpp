// Roots of exact polynomials. The coefficients are never rounded: the polynomial is split into squarefree factors over
// the integers, each factor into the part f₀ that shares no root with its mirror image f(−s) and the part h that does.
// Roots of h on the imaginary axis are the negative real roots x of the polynomial in x = s², so "on the axis" is decided
// exactly. Enclosures come from arb_fmpz_poly_complex_roots, at a precision raised until each part has its digits.
#include "sfg/exact/roots.hpp"

#include <flint/fmpq.h>
#include <flint/fmpz_poly.h>
#include <flint/fmpz_poly_factor.h>

#include <acb.h>
#include <arb.h>
#include <arb_fmpz_poly.h>

#include <algorithm>
#include <stdexcept>

namespace sfg::exact {

namespace {

class IntegerPolynomial {
 public:
  IntegerPolynomial() { fmpz_poly_init(p); }
  IntegerPolynomial(const IntegerPolynomial& other) : IntegerPolynomial() { fmpz_poly_set(p, other.p); }
  IntegerPolynomial& operator=(const IntegerPolynomial&) = delete;
  ~IntegerPolynomial() { fmpz_poly_clear(p); }
  slong degree() const { return fmpz_poly_degree(p); }
  fmpz_poly_t p;
};

class Balls {
 public:
  explicit Balls(slong count) : data(_acb_vec_init(count)), count_(count) {}
  Balls(const Balls&) = delete;
  Balls& operator=(const Balls&) = delete;
  ~Balls() { _acb_vec_clear(data, count_); }
  acb_ptr data;

 private:
  slong count_;
};

/// The integer polynomial with the same roots.
void set_cleared(fmpz_poly_t result, std::span<const std::string> coefficients) {
  std::vector<fmpq> values(coefficients.size());
  fmpz_t common;
  fmpz_init_set_ui(common, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    fmpq_init(&values[i]);
    if (fmpq_set_str(&values[i], coefficients[i].c_str(), 10) != 0)
      throw std::invalid_argument("roots: not a rational number: '" + coefficients[i] + "'");
    fmpz_lcm(common, common, fmpq_denref(&values[i]));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    fmpq_mul_fmpz(&values[i], &values[i], common);
    fmpz_poly_set_coeff_fmpz(result, static_cast<slong>(values.size() - 1 - i), fmpq_numref(&values[i]));
    fmpq_clear(&values[i]);
  }
  fmpz_clear(common);
}

std::string decimal(const arb_t ball, std::size_t digits) {
  if (arb_is_zero(ball)) return "0";
  char* text = arb_get_str(ball, static_cast<slong>(digits), ARB_STR_NO_RADIUS);
  std::string result = text;
  flint_free(text);
  if (result.find('.') != std::string::npos && result.find('e') == std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
  }
  return result;
}

bool accurate(const arb_t ball, slong bits) { return arb_is_zero(ball) || arb_rel_accuracy_bits(ball) >= bits; }

Root root_of(const acb_t z, std::size_t multiplicity, std::size_t digits) {
  Root root;
  root.value = {arf_get_d(arb_midref(acb_realref(z)), ARF_RND_NEAR), arf_get_d(arb_midref(acb_imagref(z)), ARF_RND_NEAR)};
  root.real = decimal(acb_realref(z), digits);
  root.imaginary = decimal(acb_imagref(z), digits);
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
  Balls balls(n);
  for (slong precision = 2 * bits + 64;; precision *= 2) {
    arb_fmpz_poly_complex_roots(balls.data, f, 0, precision);
    bool sharp = true;
    for (slong i = 0; i < n && sharp; ++i) sharp = transform(balls.data + i, precision, false);
    if (!sharp) continue;
    for (slong i = 0; i < n; ++i) transform(balls.data + i, precision, true);
    return;
  }
}

class RootList {
 public:
  RootList(std::size_t digits) : digits_(digits), bits_(static_cast<slong>(static_cast<double>(digits) * 3.33) + 8) {}

  void add_squarefree(const fmpz_poly_t f, std::size_t multiplicity) {
    IntegerPolynomial mirrored, shared, rest;
    fmpz_poly_set(mirrored.p, f);
    for (slong i = 1; i <= fmpz_poly_degree(f); i += 2) {
      fmpz_t c;
      fmpz_init(c);
      fmpz_poly_get_coeff_fmpz(c, f, i);
      fmpz_neg(c, c);
      fmpz_poly_set_coeff_fmpz(mirrored.p, i, c);
      fmpz_clear(c);
    }
    fmpz_poly_gcd(shared.p, f, mirrored.p);
    fmpz_poly_div(rest.p, f, shared.p);
    isolate(rest.p, bits_, [&](acb_t z, slong, bool keep) {
      if (keep) result.push_back(root_of(z, multiplicity, digits_));
      return accurate(acb_realref(z), bits_) && accurate(acb_imagref(z), bits_);
    });
    add_symmetric(shared, multiplicity);
  }

  std::vector<Root> result;

 private:
  /// Roots of h with h(−s) = ±h(s): s·g(s²) or g(s²), by the roots x of g.
  void add_symmetric(const IntegerPolynomial& h, std::size_t multiplicity) {
    const bool odd = h.degree() >= 0 && fmpz_is_zero(h.p->coeffs);
    if (odd) {
      acb_t zero;
      acb_init(zero);
      result.push_back(root_of(zero, multiplicity, digits_));
      acb_clear(zero);
    }
    IntegerPolynomial g;
    for (slong i = odd ? 1 : 0; i <= h.degree(); i += 2) {
      fmpz_t c;
      fmpz_init(c);
      fmpz_poly_get_coeff_fmpz(c, h.p, i);
      fmpz_poly_set_coeff_fmpz(g.p, i / 2, c);
      fmpz_clear(c);
    }
    isolate(g.p, bits_, [&](acb_t x, slong precision, bool keep) { return add_pair(x, precision, keep, multiplicity); });
  }

  /// ±√x, exactly imaginary for a negative real x and exactly real for a positive one.
  bool add_pair(const acb_t x, slong precision, bool keep, std::size_t multiplicity) {
    acb_t s;
    acb_init(s);
    const bool real = arb_is_zero(acb_imagref(x));
    const bool negative = real && arb_is_negative(acb_realref(x));
    if (negative) {
      arb_neg(acb_imagref(s), acb_realref(x));
      arb_sqrt(acb_imagref(s), acb_imagref(s), precision);
    } else if (real) {
      arb_sqrt(acb_realref(s), acb_realref(x), precision);
    } else {
      acb_sqrt(s, x, precision);
    }
    const bool sharp = accurate(acb_realref(s), bits_) && accurate(acb_imagref(s), bits_);
    if (keep) {
      result.push_back(root_of(s, multiplicity, digits_));
      acb_neg(s, s);
      result.push_back(root_of(s, multiplicity, digits_));
    }
    acb_clear(s);
    return sharp;
  }

  std::size_t digits_;
  slong bits_;
};

}  // namespace

std::vector<Root> roots(std::span<const std::string> coefficients, std::size_t digits) {
  IntegerPolynomial f;
  set_cleared(f.p, coefficients);
  if (f.degree() < 0) throw std::invalid_argument("roots: the polynomial is zero");
  RootList list(std::max<std::size_t>(digits, 17));
  fmpz_poly_factor_t factors;
  fmpz_poly_factor_init(factors);
  fmpz_poly_factor_squarefree(factors, f.p);
  for (slong i = 0; i < factors->num; ++i) list.add_squarefree(factors->p + i, static_cast<std::size_t>(factors->exp[i]));
  fmpz_poly_factor_clear(factors);
  std::sort(list.result.begin(), list.result.end(), [](const Root& a, const Root& b) {
    const double ma = std::abs(a.value), mb = std::abs(b.value);
    if (ma != mb) return ma < mb;
    if (a.value.real() != b.value.real()) return a.value.real() < b.value.real();
    return a.value.imag() < b.value.imag();
  });
  return std::move(list.result);
}

std::vector<std::complex<double>> root_values(std::span<const std::string> coefficients) {
  std::vector<std::complex<double>> values;
  if (coefficients.size() < 2) return values;
  for (const Root& root : roots(coefficients)) values.insert(values.end(), root.multiplicity, root.value);
  return values;
}

}  // namespace sfg::exact
