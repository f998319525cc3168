#include "sfg/response/time_function.hpp"

#include <algorithm>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

using exact::DelayedImpulse;
using exact::RationalPolynomial;

std::vector<exact::DelayedPolynomial> delayed_polynomials(const QuasiPolynomial& sum) {
  std::vector<exact::DelayedPolynomial> parts;
  for (const QuasiPolynomial::Part& part : sum.parts) parts.push_back({part.delay, part.polynomial.coefficients()});
  return parts;
}

QuasiPolynomial product(const QuasiPolynomial& sum, const RationalPolynomial& factor, const exact::Rational& delay) {
  QuasiPolynomial result;
  if (factor.is_zero()) return result;
  for (const QuasiPolynomial::Part& part : sum.parts) result.parts.push_back({part.delay + delay, part.polynomial * factor});
  return result;
}

std::vector<DelayedImpulse> added(std::vector<DelayedImpulse> impulses) {
  std::stable_sort(impulses.begin(), impulses.end(), [&](const DelayedImpulse& a, const DelayedImpulse& b) {
    return a.at != b.at ? a.at < b.at : a.order < b.order;
  });
  std::vector<DelayedImpulse> sum;
  for (DelayedImpulse& impulse : impulses) {
    if (!sum.empty() && sum.back().at == impulse.at && sum.back().order == impulse.order)
      sum.back().weight += impulse.weight;
    else
      sum.push_back(std::move(impulse));
  }
  std::erase_if(sum, [](const DelayedImpulse& impulse) { return impulse.weight.sign() == 0; });
  return sum;
}

TimeFunction::TimeFunction(const QuasiPolynomial& numerator, const QuasiPolynomial& denominator, double until,
                           std::size_t pade_order, const Budget& budget)
    : budget_(budget) {
  if (denominator.rational() || numerator.parts.empty()) {
    add_parts(numerator, denominator, until);
    return;
  }
  try {
    value_ = exact::DelayedLoop(delayed_polynomials(numerator), delayed_polynomials(denominator), until, budget);
    impulses_ = std::get<exact::DelayedLoop>(value_).impulses();
  } catch (const std::invalid_argument&) {
    throw NoAnswer("the loop with dead time differentiates what comes round, or asks for it before it went: no response exists",
                   "make the gain round the loop proper" | Remedy(Advice::pade));
  } catch (const std::length_error&) {
    if (pade_order == 0)
      throw LimitReached("the response of the loop with dead time takes too many steps up to " + print(until) + " s",
                         Advice::shorten_time | Advice::pade);
    ExactTransfer transfer;
    transfer.numerator = numerator;
    transfer.denominator = denominator;
    transfer = pade(transfer, pade_order);
    add_parts(transfer.numerator, transfer.denominator, until);
    notes_.push_back("the dead time inside the loops is replaced by its Padé approximant of order " + std::to_string(pade_order));
  }
}

void TimeFunction::add_parts(const QuasiPolynomial& numerator, const QuasiPolynomial& denominator, double until) {
  std::vector<Part> parts;
  for (const QuasiPolynomial::Part& part : numerator.parts) {
    const double delay = part.delay.to_double();
    if (delay > until) continue;
    parts.push_back({delay, exact::InverseLaplace(part.polynomial.coefficients(), denominator.polynomial().coefficients())});
    const std::vector<exact::Rational>& direct = parts.back().function.direct();
    for (std::size_t k = 0; k < direct.size(); ++k) impulses_.push_back({part.delay, k, direct[direct.size() - 1 - k]});
  }
  impulses_ = added(std::move(impulses_));
  value_ = std::move(parts);
}

std::vector<double> TimeFunction::at(std::span<const double> times) const {
  if (const auto* loop = std::get_if<exact::DelayedLoop>(&value_)) return loop->at(times);
  std::vector<double> sum(times.size(), 0.0);
  for (const Part& part : std::get<std::vector<Part>>(value_)) {
    std::vector<double> shifted;
    std::vector<std::size_t> where;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] >= part.delay) {
        shifted.push_back(times[i] - part.delay);
        where.push_back(i);
      }
    const std::vector<double> values = part.function.at(shifted, budget_);
    for (std::size_t k = 0; k < where.size(); ++k) sum[where[k]] += values[k];
  }
  return sum;
}

namespace {

/// s^k divides every part.
std::size_t zeros_at_0(const QuasiPolynomial& sum) {
  std::size_t least = static_cast<std::size_t>(sum.parts.front().polynomial.degree()) + 1;
  for (const auto& part : sum.parts) {
    std::size_t zeros = 0;
    while (part.polynomial.sign_of(zeros) == 0) ++zeros;
    least = std::min(least, zeros);
  }
  return least;
}

/// The coefficient of s^m in Σ p_k(s) e^(−τ_k s).
exact::Rational taylor_coefficient(const QuasiPolynomial& sum, std::size_t m) {
  exact::Rational total;
  for (const auto& part : sum.parts) {
    exact::Rational power = 1;  // (−τ)^j/j!
    for (std::size_t j = 0; j <= m; ++j) {
      total += part.polynomial.coefficient(m - j) * power;
      power *= -part.delay / (j + 1);
    }
  }
  return total;
}

QuasiPolynomial without_zeros_at_0(QuasiPolynomial sum, std::size_t zeros) {
  const RationalPolynomial divisor = RationalPolynomial{1}.shifted_up(zeros);
  for (auto& part : sum.parts) part.polynomial = divided(part.polynomial, divisor).first;
  return sum;
}

/// N and D without the polynomial that divides every part of both.
void cancel(QuasiPolynomial& n, QuasiPolynomial& d) {
  RationalPolynomial common;
  for (const QuasiPolynomial* sum : {&n, &d})
    for (const auto& part : sum->parts) common = gcd(common, part.polynomial);
  if (common.degree() < 1) return;
  for (QuasiPolynomial* sum : {&n, &d})
    for (auto& part : sum->parts) part.polynomial = divided(part.polynomial, common).first;
}

/// A part that comes back as s^n times more than d_n s^n: a chain of poles to the right of the axis without end.
bool grows_with_every_round(const QuasiPolynomial& d) {
  const RationalPolynomial& own = d.parts.front().polynomial;
  std::size_t parts = 0;
  bool larger = false;
  for (std::size_t i = 1; i < d.parts.size(); ++i) {
    const RationalPolynomial& c = d.parts[i].polynomial;
    if (c.degree() < own.degree()) continue;
    ++parts;
    const exact::Rational ratio = c.leading() / own.leading();
    larger = ratio.abs() > 1;
  }
  return parts == 1 && larger;
}

/// Of the modes apart from those at 0.
LongTerm::Kind kind_of(const QuasiPolynomial& d, const Budget& budget) {
  using Kind = LongTerm::Kind;
  if (!d.rational()) {
    if (grows_with_every_round(d)) return Kind::grows;
    if (taylor_coefficient(d, 0).sign() == 0) return Kind::unknown;
    const auto right = exact::right_half_plane_zeros(delayed_polynomials(d), budget);
    return !right ? Kind::unknown : *right > 0 ? Kind::grows : Kind::settles;
  }
  const RationalPolynomial p = d.polynomial();
  if (p.degree() < 1) return Kind::settles;
  const auto counts = p.root_counts();
  if (counts.right > 0) return Kind::grows;
  if (counts.axis == 0) return Kind::settles;
  const RationalPolynomial repeated = gcd(p, p.derivative());
  return repeated.degree() > 0 && repeated.root_counts().axis > 0 ? Kind::grows : Kind::oscillates;
}

}  // namespace

LongTerm long_term(const QuasiPolynomial& numerator, const QuasiPolynomial& denominator, const Budget& budget) {
  using Kind = LongTerm::Kind;
  if (numerator.parts.empty()) return {Kind::settles, 0};
  QuasiPolynomial n = numerator, d = denominator;
  cancel(n, d);
  const std::size_t poles = zeros_at_0(d);
  d = without_zeros_at_0(std::move(d), poles);
  const Kind kind = kind_of(d, budget);
  std::size_t zeros = 0;  // of N at 0, as far as they matter
  while (zeros < poles && taylor_coefficient(n, zeros).sign() == 0) ++zeros;
  if (poles > zeros + 1 && kind != Kind::unknown) return {Kind::grows, {}};
  if (kind != Kind::settles) return {kind, {}};
  if (poles < zeros + 1) return {Kind::settles, 0};
  return {Kind::settles, taylor_coefficient(n, zeros) / taylor_coefficient(d, 0)};
}

}  // namespace sfg
