#include "sfg/exact/integral.hpp"

#include <acb_calc.h>

#include <algorithm>
#include <stdexcept>

#include "sfg/exact/flint.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg::exact {

namespace {

/// The fraction in lowest terms.
RationalFraction reduced(const RationalFraction& f) {
  const RationalPolynomial common = gcd(f.numerator, f.denominator);
  if (f.numerator.is_zero() || common.degree() < 1) return f;
  return {divided(f.numerator, common).first, divided(f.denominator, common).first};
}

bool converges(const RationalFraction& f, const Rational& low, const std::optional<Rational>& high) {
  if (!high && f.denominator.degree() - f.numerator.degree() < 2) return false;
  if (f.denominator.sign_at(low) == 0 || (high && f.denominator.sign_at(*high) == 0)) return false;
  return std::ranges::none_of(real_roots(f.denominator),
                              [&](const RealRoot& root) { return root.number > low && (!high || root.number < *high); });
}

/// The denominator as a product over its roots: enclosures of a sum of powers would be wide beside a resonance, and the work
/// grow with its quality.
struct Integrand {
  ComplexBalls numerator;  ///< lowest power first
  ComplexBalls roots;      ///< of the denominator, multiple ones repeated
  ComplexBall leading;

  Integrand(const RationalFraction& f, const std::vector<Root>& distinct, slong precision)
      : numerator(f.numerator.degree() + 1), roots(f.denominator.degree()) {
    for (slong i = 0; i < numerator.size(); ++i)
      set(numerator[i], f.numerator.coefficient(static_cast<std::size_t>(i)), precision);
    set(leading, f.denominator.leading(), precision);
    slong k = 0;
    for (const Root& root : distinct)
      for (std::size_t copy = 0; copy < root.multiplicity; ++copy, ++k) {
        set_part(acb_realref(roots[k]), root.real, precision);
        set_part(acb_imagref(roots[k]), root.imaginary, precision);
      }
  }

  static constexpr std::size_t digits = 80;  ///< of a root, in each part

 private:
  static void set(acb_ptr ball, const Rational& value, slong precision) { acb_set_fmpq(ball, raw(value), precision); }
  static void set_part(arb_ptr ball, const Rational& value, slong precision) {
    arb_set_fmpq(ball, raw(value), precision);
    RealBall error;
    const Rational radius = value.abs() * Rational(10).power(2 - static_cast<long>(digits));
    arb_set_fmpq(error, raw(radius), 2 * MAG_BITS);
    arb_add_error(ball, error);
  }
};

int value(acb_ptr result, const acb_t x, void* parameter, slong order, slong precision) {
  if (order > 1) throw std::logic_error("integral: a derivative is asked for");
  auto& f = *static_cast<Integrand*>(parameter);
  ComplexBall above, below, factor;
  _acb_poly_evaluate(above, f.numerator.data(), f.numerator.size(), x, precision);
  acb_set(below, f.leading);
  for (slong k = 0; k < f.roots.size(); ++k) {
    acb_sub(factor, x, f.roots[k], precision);
    acb_mul(below, below, factor, precision);
  }
  acb_div(result, above, below, precision);  // analytic where it is finite
  return 0;
}

/// f(1/t)/t²: from 0 to 1/low what f is from low to infinity.
RationalFraction inverted(const RationalFraction& f) {
  const auto reversed = [](const RationalPolynomial& p) {
    std::vector<Rational> c = p.coefficients();
    std::ranges::reverse(c);
    return RationalPolynomial(c);
  };
  const long powers = f.denominator.degree() - f.numerator.degree() - 2;  // ≥ 0 where the integral converges
  return {reversed(f.numerator).shifted_up(static_cast<std::size_t>(powers)), reversed(f.denominator)};
}

/// The size of the integral, roughly and rather too small, into `size`: one value in each half of what is left towards `low`.
/// Where the integrand vanishes at an end, the relative goal alone would have the integration halve for ever there.
void rough_size(mag_t size, Integrand& integrand, const Rational& low, const Rational& high, slong precision) {
  constexpr int halves = 64;
  mag_t value_there;
  mag_init(value_there);
  mag_zero(size);
  Rational width = high - low;
  for (int k = 0; k < halves; ++k) {
    const Rational half = width / 2;
    ComplexBall x, found;
    acb_set_fmpq(x, raw(low + half + half / 2), precision);
    value(found, x, &integrand, 0, precision);
    if (acb_is_finite(found)) {
      acb_get_mag_lower(value_there, found);
      ComplexBall length;
      acb_set_fmpq(length, raw(half), precision);
      mag_t factor;
      mag_init(factor);
      acb_get_mag_lower(factor, length);
      mag_mul_lower(value_there, value_there, factor);
      mag_add(size, size, value_there);
      mag_clear(factor);
    }
    width = half;
  }
  mag_clear(value_there);
}

double over_range(const RationalFraction& f, const std::vector<Root>& poles, const Rational& low, const Rational& high,
                  slong precision, bool& certain) {
  constexpr slong good_bits = 50;
  Integrand integrand(f, poles, precision);
  ComplexBall a, b, result;
  acb_set_fmpq(a, raw(low), precision);
  acb_set_fmpq(b, raw(high), precision);
  mag_t tolerance;
  mag_init(tolerance);
  rough_size(tolerance, integrand, low, high, precision);
  mag_mul_2exp_si(tolerance, tolerance, -(good_bits + precision / 16));
  acb_calc_integrate_opt_t options;
  acb_calc_integrate_opt_init(options);
  options->depth_limit = 100 * precision;
  options->eval_limit = 10'000'000;
  acb_calc_integrate(result, value, &integrand, a, b, good_bits + 8, tolerance, options, precision);
  mag_clear(tolerance);
  const arb_t& real = *reinterpret_cast<const arb_t*>(acb_realref(result.get()));
  certain = arb_rel_accuracy_bits(real) >= good_bits - 2;
  return arf_get_d(arb_midref(real), ARF_RND_NEAR);
}

double certified(const RationalFraction& f, const Rational& low, const Rational& high) {
  constexpr slong most = 1024;
  const std::vector<Root> poles = roots(f.denominator.coefficients(), Integrand::digits);
  for (slong precision = 128; precision <= most; precision *= 2) {
    bool certain = false;
    const double result = over_range(f, poles, low, high, precision, certain);
    if (certain) return result;
  }
  throw std::runtime_error("integral: no enclosure is narrow enough");
}

}  // namespace

std::optional<double> integral(const RationalFraction& fraction, const Rational& low, const std::optional<Rational>& high) {
  if (low.sign() < 0 || (high && *high <= low)) throw std::invalid_argument("integral: the range is empty or below 0");
  if (fraction.numerator.is_zero()) return 0.0;
  const RationalFraction f = reduced(fraction);
  if (!converges(f, low, high)) return {};
  if (high) return certified(f, low, *high);
  const Rational middle = low + 1;
  return certified(f, low, middle) + certified(inverted(f), 0, Rational(1) / middle);
}

}  // namespace sfg::exact
