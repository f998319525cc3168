#include "sfg/response/discretize.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/control/routh.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/exact/sampled_data.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;

RationalPolynomial numerator_of(const ExactTransfer& transfer) {
  return transfer.numerator.parts.empty() ? RationalPolynomial() : transfer.numerator.parts.front().polynomial;
}

/// A fraction in z of a part of the numerator, z^(−lag) left out.
struct Sampled {
  RationalPolynomial numerator, denominator;
};

ExactTransfer in_z(const ExactTransfer& transfer, const Rational& h, const RationalPolynomial& n, const RationalPolynomial& d) {
  ExactTransfer result;
  result.input = transfer.input;
  result.output = transfer.output;
  result.op = Operator("z", h);
  if (!n.is_zero()) result.numerator.parts = {{0, n}};
  result.denominator.parts = {{0, d}};
  return result;
}

/// p((2/h) (z − 1)/(z + 1)) · (z + 1)^n.
RationalPolynomial bilinear(const RationalPolynomial& p, const Rational& h, std::size_t n) {
  const RationalPolynomial z = RationalPolynomial::variable(), one = RationalPolynomial::constant(1);
  const RationalPolynomial minus = (z - one) * RationalPolynomial::constant(2 / h), plus = z + one;
  RationalPolynomial sum;
  for (std::size_t i = 0; i <= n; ++i) sum += RationalPolynomial::constant(p.coefficient(i)) * minus.power(i) * plus.power(n - i);
  return sum;
}

/// e^(rh) of a root far to the left, 1e-804 say, is 0 beside a leading 1.
RationalPolynomial without_vanishing(std::vector<Rational> coefficients) {
  constexpr long least_exponent = -300;
  const Rational least = Rational(10).power(least_exponent);
  for (Rational& c : coefficients)
    if (c.abs() < least) c = 0;
  return RationalPolynomial(coefficients);
}

/// Digits that leave a pole e^(p h) near 1 well defined: 17, and those that cluster loses.
std::size_t digits_for(const RationalPolynomial& d, double h) {
  double lost = 0;
  for (const exact::Root& root : exact::roots(d.coefficients()))
    if (root.value != 0.0) lost += static_cast<double>(root.multiplicity) * std::max(0.0, -std::log10(std::abs(root.value) * h));
  constexpr double bearable = 2;
  return 17 + static_cast<std::size_t>(std::ceil(std::max(0.0, lost - bearable)));
}

/// The last coefficient of the numerator set so that the gain at z = 1 is exactly that at s = 0, where rounding alone keeps it
/// off.
RationalPolynomial with_exact_gain(const RationalPolynomial& num, const RationalPolynomial& den, const RationalPolynomial& n,
                                   const RationalPolynomial& d) {
  if (d.sign_at(0) == 0 || num.sign_of(0) == 0) return num;
  const Rational wanted = den.at(Rational(1)) * n.at(Rational(0)) / d.at(Rational(0));
  const Rational missing = wanted - num.at(Rational(1));
  constexpr double rounding = 1e-9;
  if (std::abs(missing.to_double()) > rounding * std::abs(num.coefficient(0).to_double())) return num;
  return num + RationalPolynomial::constant(missing);
}

/// Roots far to the right become numbers with more digits than the grammar of expressions takes.
void require_in_range(const RationalPolynomial& p, const char* kind, const char* method, const Rational& h) {
  constexpr double most_digits = 390;
  double digits = 0, furthest = 0;
  for (const exact::Root& root : exact::roots(p.coefficients())) {
    const double size = root.value.real() * h.to_double() / std::log(10.0);
    if (size > 0) digits += size * static_cast<double>(root.multiplicity);
    furthest = std::max(furthest, root.value.real());
  }
  if (digits <= most_digits) return;
  throw NoAnswer(std::string("method ") + method + ": the " + kind + " at " + print(furthest) + " becomes z = exp(" +
                     print(furthest) + "*" + h.text() + "), a number of " + print(std::ceil(digits)) + " digits",
                 Advice::tustin);
}

Sampled held(const RationalPolynomial& n, const RationalPolynomial& d, const Rational& h, const Rational& later) {
  require_in_range(d, "pole", "zoh", h);
  const exact::SampledSystem system = exact::held(n.coefficients(), d.coefficients(), h, digits_for(d, h.to_double()), later);
  const RationalPolynomial below = without_vanishing(system.denominator);
  return {with_exact_gain(without_vanishing(system.numerator), below, n, d), below};
}

/// p = s^power · rest with rest(0) ≠ 0.
struct AtOrigin {
  std::size_t power = 0;
  RationalPolynomial rest;
};
AtOrigin at_origin(const RationalPolynomial& p) {
  AtOrigin result;
  while (p.sign_of(result.power) == 0) ++result.power;
  std::vector<Rational> coefficients = p.coefficients();
  coefficients.resize(coefficients.size() - result.power);
  result.rest = RationalPolynomial(coefficients);
  return result;
}

/// Integrators and differentiators become z − 1 exactly. The gain is that of T ≈ c s^k at low frequencies, where z − 1 ≈ s h.
Sampled matched(const RationalPolynomial& n, const RationalPolynomial& d, const Rational& h) {
  const RationalPolynomial z = RationalPolynomial::variable(), one = RationalPolynomial::constant(1);
  const std::size_t digits = digits_for(d, h.to_double());
  const AtOrigin above = at_origin(n), below = at_origin(d);
  require_in_range(below.rest, "pole", "matched", h);
  require_in_range(above.rest, "zero", "matched", h);
  const RationalPolynomial den = without_vanishing(exact::sampled_roots(below.rest.coefficients(), h, digits));
  RationalPolynomial num = without_vanishing(exact::sampled_roots(above.rest.coefficients(), h, digits));
  for (long k = n.degree() + 1; k < d.degree(); ++k) num *= z + one;
  const Rational gain = above.rest.at(Rational(0)) * den.at(Rational(1)) / (below.rest.at(Rational(0)) * num.at(Rational(1))) *
                        h.power(static_cast<long>(below.power) - static_cast<long>(above.power));
  num *= RationalPolynomial::constant(decimal_rational(gain.to_double()));
  num *= (z - one).power(above.power);
  const RationalPolynomial all_poles = den * (z - one).power(below.power);
  return {with_exact_gain(num, all_poles, n, d), all_poles};
}

/// @param order  the highest degree of all numerators and of d
Sampled sampled(const RationalPolynomial& n, const RationalPolynomial& d, const Rational& h, const Rational& later,
                Discretization method, std::size_t order) {
  if (method != Discretization::tustin && n.degree() > d.degree())
    throw NoAnswer("an improper transfer function differentiates its input, and a held one jumps at every sample",
                   "take Tustin's rule (tustin), or state the filter of the derivative");
  if (method != Discretization::zero_order_hold && !later.is_zero())
    throw NoAnswer("the dead time is no multiple of the sample time",
                   Advice::pade_or_divisor | Remedy("take the zero-order hold (zoh), which samples any dead time"));
  switch (method) {
    case Discretization::zero_order_hold: return held(n, d, h, later);
    case Discretization::matched: return matched(n, d, h);
    case Discretization::tustin: break;
  }
  return {bilinear(n, h, order), bilinear(d, h, order)};
}

}  // namespace

std::size_t sample_times_in(const Rational& dead_time) {
  constexpr int most = 10'000;
  const Rational whole = exact::next_integer(dead_time);
  if (whole > most)
    throw NoAnswer("the dead time is " + whole.text() + " sample times, and the degree in z would be as high",
                   Advice::pade | Remedy("choose a longer sample time"));
  return static_cast<std::size_t>(*whole.to_integer());
}

ExactTransfer discretized(const ExactTransfer& transfer, const Rational& sample_time, Discretization method) {
  if (transfer.op.discrete()) throw NoAnswer("the system is in z already");
  if (!transfer.denominator.rational()) throw NoAnswer("a sampled system needs a rational loop", Advice::pade);
  const RationalPolynomial d = transfer.denominator.polynomial();
  if (method == Discretization::matched && transfer.numerator.parts.size() > 1)
    throw NoAnswer("ways with unlike dead times have no zeros to be matched",
                   Advice::pade | Remedy("take the zero-order hold (zoh)"));
  long order = d.degree();
  for (const auto& part : transfer.numerator.parts) order = std::max(order, part.polynomial.degree());
  std::vector<std::pair<std::size_t, Sampled>> parts;
  std::size_t longest = 0;
  for (const auto& [delay, n] : transfer.numerator.parts) {
    const std::size_t lag = sample_times_in(delay / sample_time);
    longest = std::max(longest, lag);
    parts.emplace_back(lag, sampled(n, d, sample_time, lag * sample_time - delay, method, static_cast<std::size_t>(order)));
  }
  if (parts.empty()) return in_z(transfer, sample_time, {}, RationalPolynomial::constant(1));
  RationalPolynomial sum;  // the denominators are those of d, all the same
  for (const auto& [lag, part] : parts) sum += part.numerator.shifted_up(longest - lag);
  const RationalPolynomial below = parts.front().second.denominator.shifted_up(longest);
  if (sum.degree() > below.degree())
    throw NoAnswer("the pole at s = 2/H = " + (2 / sample_time).text() + " has no z by Tustin's rule",
                   "choose another sample time");
  return in_z(transfer, sample_time, sum, below);
}

std::vector<double> discrete_response(const ExactTransfer& transfer, std::span<const double> input) {
  const std::vector<Rational> den = transfer.denominator.polynomial().coefficients();
  std::vector<Rational> num = numerator_of(transfer).coefficients();
  if (num.size() > den.size()) throw NoAnswer("the transfer function in z looks ahead: its numerator has a higher degree");
  num.insert(num.begin(), den.size() - num.size(), 0);
  return exact::recurrence(num, den, input);
}

std::vector<double> discrete_response(const ExactTransfer& transfer, std::size_t count, Excitation excitation) {
  std::vector<double> input(count, excitation == Excitation::step ? 1.0 : 0.0);
  if (count > 0) input[0] = 1;
  return discrete_response(transfer, input);
}

TimeResponse sequence_response(const ExactTransfer& transfer, std::span<const double> times, double amplitude,
                               Excitation excitation) {
  TimeResponse result;
  result.time.assign(times.begin(), times.end());
  result.value = discrete_response(transfer, times.size(), excitation);
  for (double& y : result.value) y *= amplitude;
  result.method = "difference equation";
  const Rational factor = decimal_rational(amplitude);
  const RationalPolynomial n = numerator_of(transfer), d = transfer.denominator.polynomial();
  result.initial = n.degree() < d.degree() ? Rational() : factor * n.leading() / d.leading();
  const CircleCounts counts = circle_counts(d);
  if (counts.outside + counts.on == 0)
    result.final = excitation == Excitation::step ? factor * n.at(Rational(1)) / d.at(Rational(1)) : Rational();
  return result;
}

Growth step_growth(const ExactTransfer& transfer) {
  const RationalPolynomial z = RationalPolynomial::variable(), one = RationalPolynomial::constant(1);
  const RationalPolynomial n = numerator_of(transfer), d = transfer.denominator.polynomial() * (z - one);
  if (n.is_zero()) return Growth::bounded;
  const RationalPolynomial modes = divided(d, gcd(n, d)).first, repeated = gcd(modes, modes.derivative());
  const bool grows = circle_counts(modes).outside > 0 || (repeated.degree() > 0 && circle_counts(repeated).on > 0);
  return grows ? Growth::unbounded : Growth::bounded;
}

StepFigures sample_figures(const TimeResponse& step, Growth growth) {
  StepFigures figures;
  figures.grows = growth == Growth::unbounded;
  if (step.value.empty() || figures.grows) return figures;
  const double final = step.final ? step.final->to_double() : 0, sign = final < 0 ? -1 : 1;
  const auto size = [final](double y) { return final > 0 ? y : final < 0 ? -y : std::abs(y); };
  const auto top = std::max_element(step.value.begin(), step.value.end(), [&](double a, double b) { return size(a) < size(b); });
  figures.peak = *top;
  figures.peak_time = step.time[static_cast<std::size_t>(top - step.value.begin())];
  if (!step.final) figures.until = step.time.back();
  if (!step.final || final == 0) return figures;
  figures.overshoot = std::max(0.0, (*figures.peak / final - 1) * 100);
  const auto first_at = [&](double part) -> std::optional<double> {
    for (std::size_t k = 0; k < step.value.size(); ++k)
      if (sign * step.value[k] >= part * std::abs(final)) return step.time[k];
    return {};
  };
  if (const auto low = first_at(0.1), high = first_at(0.9); low && high) figures.rise_time = *high - *low;
  constexpr double band = 0.02;
  std::size_t k = step.value.size();
  while (k > 0 && std::abs(step.value[k - 1] - final) <= band * std::abs(final)) --k;
  if (k < step.value.size()) figures.settling_time = step.time[k];
  return figures;
}

}  // namespace sfg
