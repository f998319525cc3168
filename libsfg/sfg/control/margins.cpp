// On the axis s = jω a polynomial is N = Ne + jω No with Ne, No polynomials in x = ω². Each kind of crossing is then the
// set of positive real roots of one exact polynomial in x:
//   |L| = 1:            Ne² + x No² − De² − x Do²
//   L real:             No De − Ne Do,  and negative where Ne De + x No Do < 0
//   |1 + L| stationary: in disk_margins.cpp
#include "sfg/control/margins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/control/delayed_margins.hpp"
#include "sfg/control/on_axis.hpp"
#include "sfg/error.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;

/// The factor up to 1, in decibels.
double decibels(double modulus) { return 0.0 - 20.0 * std::log10(modulus); }

double phase_margin(std::complex<double> L) {
  const double margin = 180.0 + std::arg(L) * degrees;
  return margin > 180.0 ? margin - 360.0 : margin;
}

template <class Crossing>
std::optional<double> least(const std::vector<Crossing>& crossings, double Crossing::*member) {
  std::optional<double> best;
  for (const Crossing& crossing : crossings)
    if (!best || std::abs(crossing.*member) < std::abs(*best)) best = crossing.*member;
  return best;
}

/// The loop on the axis.
struct Loop {
  const ExactTransfer& L;
  RationalPolynomial n, d;
  OnAxis N{n}, D{d};
  RationalPolynomial above = N.squared_magnitude(), below = D.squared_magnitude(), closed = OnAxis(n + d).squared_magnitude();

  bool rational() const { return L.rational(); }
  /// n/d at a rational point where d is not 0.
  std::optional<double> at(const Rational& point) const {
    if (d.sign_at(point) == 0) return {};
    return (n.at(point) / d.at(point)).to_double();
  }
};

/// Where |L| = 1. A root in common with |N + D|² is L = −1, without margin: that is so exactly.
void find_gain_crossovers(Margins& margins, const Loop& loop) {
  const RationalPolynomial difference = loop.above - loop.below;
  margins.unit_modulus = difference.is_zero();
  RationalPolynomial touching = loop.closed.is_zero() ? loop.closed : gcd(difference, loop.closed);
  if (!loop.rational()) touching = RationalPolynomial::constant(1);
  if (loop.at(0) == -1.0 && loop.n.at(Rational(0)) == -loop.d.at(Rational(0))) margins.gain_crossovers.push_back({0, 0});
  for (const exact::RealRoot& x : positive_roots(difference)) {
    const double w = std::sqrt(x.value);
    margins.gain_crossovers.push_back({w, is_root(touching, x) ? 0.0 : phase_margin(value_at(loop.L, {0, w}))});
  }
}

/// L is real at every frequency: the ranges in which it is negative, between zeros of U = N D̄.
void find_negative_ranges(Margins& margins, const RationalPolynomial& U) {
  margins.real = true;
  const std::vector<exact::RealRoot> ends = positive_roots(U);
  std::vector<exact::RealRoot> all{{0, 0, true}};
  all.insert(all.end(), ends.begin(), ends.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool last = i + 1 == all.size();
    if (U.sign_at(rational_between(&all[i], last ? nullptr : &all[i + 1])) > 0) continue;
    const double low = std::sqrt(all[i].value);
    const std::optional<double> high = last ? std::nullopt : std::optional(std::sqrt(all[i + 1].value));
    if (!margins.negative_ranges.empty() && margins.negative_ranges.back().second == low)
      margins.negative_ranges.back().second = high;
    else
      margins.negative_ranges.emplace_back(low, high);
  }
}

/// A phase crossover where L is real by symmetry.
void add_real_point(Margins& margins, double frequency, const std::optional<double>& value) {
  if (value && *value < 0) margins.phase_crossovers.push_back({frequency, decibels(-*value)});
}

/// Where L is real and negative. A root in common with |N + D|² is L = −1 again.
void find_phase_crossovers(Margins& margins, const Loop& loop) {
  const RationalPolynomial U = loop.N.even * loop.D.even + (loop.N.odd * loop.D.odd).shifted_up(1);
  const RationalPolynomial imaginary = loop.N.odd * loop.D.even - loop.N.even * loop.D.odd;
  if (imaginary.is_zero()) return find_negative_ranges(margins, U);
  for (const exact::RealRoot& x : positive_roots(without_roots(imaginary, loop.above * loop.below))) {
    const double w = std::sqrt(x.value);
    const std::complex<double> value = value_at(loop.L, {0, w});
    if (value.real() < 0) margins.phase_crossovers.push_back({w, is_root(loop.closed, x) ? 0.0 : decibels(std::abs(value))});
  }
}

void find_modulus_margin(Margins& margins, const Loop& loop) {
  const std::optional<LeastOnAxis> least = least_on_axis(loop.n + loop.d, loop.d);
  if (least) {
    margins.modulus_margin = least->value;
    margins.modulus_frequency = least->frequency;
  }
  if (margins.closed_loop.verdict == ClosedLoop::Verdict::stable) margins.disk = disk_margins(loop.n, loop.d, least);
}

/// The least dead time that takes away the phase margin.
std::optional<double> least_delay(const std::vector<Margins::GainCrossover>& crossings) {
  std::optional<double> best;
  constexpr double nothing = 1e-9;  // degrees: −1e-15 is no turn of 360
  for (const auto& crossing : crossings) {
    const double margin = crossing.phase_margin_deg, angle = margin > -nothing ? std::max(margin, 0.0) : margin + 360.0;
    const double delay = angle == 0 ? 0 : angle / degrees / crossing.frequency;
    if (!best || delay < *best) best = delay;
  }
  return best;
}

/// |L| at infinite frequency, of a loop in s.
double last_modulus(const ExactTransfer& L) {
  if (L.op.discrete() || L.numerator.parts.empty()) return 0;
  const RationalPolynomial n = L.numerator.parts.front().polynomial, d = L.denominator.polynomial();
  if (n.degree() != d.degree()) return n.degree() > d.degree() ? std::numeric_limits<double>::infinity() : 0;
  const auto k = static_cast<std::size_t>(d.degree());
  return std::abs((n.coefficient(k) / d.coefficient(k)).to_double());
}

/// With dead time the phase crossovers go on for ever, and |L| there to its limit.
void add_limit_of_gain_margin(Margins& result, const ExactTransfer& L) {
  const double last = last_modulus(L);
  if (L.rational() || last == 0 || std::isinf(last) || std::abs(*result.gain_margin_db) <= std::abs(decibels(last))) return;
  result.gain_margin_db = decibels(last);
  result.notes.push_back("the gain margin is approached at infinite frequency");
}

/// The headline figures: of several crossings the least.
void summarize(Margins& result, const ExactTransfer& L) {
  using Verdict = ClosedLoop::Verdict;
  result.gain_margin_db = least(result.phase_crossovers, &Margins::PhaseCrossover::gain_margin_db);
  result.phase_margin_deg = least(result.gain_crossovers, &Margins::GainCrossover::phase_margin_deg);
  add_limit_of_gain_margin(result, L);
  result.delay_margin = least_delay(result.gain_crossovers);
  if (result.closed_loop.verdict == Verdict::stable && last_modulus(L) >= 1) {
    result.delay_margin = 0;
    result.notes.push_back("|L| does not fall below 1 at infinite frequency: any dead time makes the loop unstable");
  }
  const bool edge_by_touching = result.closed_loop.verdict == Verdict::on_the_edge && result.delay_margin == 0.0;
  if (result.closed_loop.verdict != Verdict::stable && !edge_by_touching) result.delay_margin.reset();
}

Margins crossings(const ExactTransfer& L, ClosedLoop closed) {
  Margins result{.closed_loop = std::move(closed)};
  if (L.numerator.parts.empty()) {
    result.modulus_margin = 1;
    if (result.closed_loop.verdict == ClosedLoop::Verdict::stable) result.disk = disk_margins({}, {1}, LeastOnAxis{1, 0.0});
    return result;
  }
  const Loop loop{L, L.numerator.parts.front().polynomial, L.denominator.polynomial()};
  find_gain_crossovers(result, loop);
  add_real_point(result, 0, loop.at(0));
  if (loop.rational()) {
    find_phase_crossovers(result, loop);
    find_modulus_margin(result, loop);
  } else {
    find_delayed_margins(result, L);
  }
  return result;
}

/// Frequencies of the image become those of the circle; half the sampling frequency is its infinite one.
void from_image(Margins& result, const ExactTransfer& L) {
  const double h = L.op.period().to_double();
  const auto frequency = [h](double nu) { return 2.0 / h * std::atan(nu); };
  for (auto& crossing : result.gain_crossovers) crossing.frequency = frequency(crossing.frequency);
  for (auto& crossing : result.phase_crossovers) crossing.frequency = frequency(crossing.frequency);
  for (auto& [low, high] : result.negative_ranges) {
    low = frequency(low);
    if (high) high = frequency(*high);
  }
  const double half = std::numbers::pi / h;
  for (DiskMargin& margin : result.disk) margin.frequency = margin.frequency ? frequency(*margin.frequency) : half;
  if (result.modulus_margin) result.modulus_frequency = result.modulus_frequency ? frequency(*result.modulus_frequency) : half;
  if (L.numerator.parts.empty()) return;
  const RationalPolynomial n = L.numerator.polynomial(), d = L.denominator.polynomial();
  if (d.sign_at(-1) == 0) return;
  const Rational last = n.at(Rational(-1)) / d.at(Rational(-1));
  if (last == -1) result.gain_crossovers.push_back({half, 0});
  if (!result.real) add_real_point(result, half, last.to_double());
}

}  // namespace

Margins margins(const ExactTransfer& L) {
  if (!L.denominator.rational() || L.numerator.parts.size() > 1)
    throw NoAnswer("the open loop has dead time in its denominator or several dead times; its margins have no closed form",
                   Advice::pade);
  const bool discrete = L.op.discrete() && L.rational();
  Margins result = crossings(discrete ? axis_image(L) : L, closed_loop(L));
  if (discrete) from_image(result, L);
  summarize(result, L);
  result.error_constants = error_constants(L);
  return result;
}

Margins margins(const SignalFlowGraph& graph, const Question& question, const Budget& budget) {
  const ExactTransfer L = exact_transfers(graph, std::span(&question, 1), {.budget = budget}).front();
  Margins result = margins(L);
  result.error_constants = error_constants(graph, question, L, budget);
  return result;
}

}  // namespace sfg
