// On the axis s = jω a polynomial is N = Ne + jω No with Ne, No polynomials in x = ω². Each kind of crossing is then the
// set of positive real roots of one exact polynomial in x:
//   |L| = 1:            Ne² + x No² − De² − x Do²
//   L real:             No De − Ne Do,  and negative where Ne De + x No Do < 0
//   |1 + L| stationary: A′B − A B′ with A = |N + D|², B = |D|²
#include "sfg/analysis/margins.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/analysis/routh.hpp"
#include "sfg/error.hpp"
#include "sfg/ring/rational_polynomial.hpp"

namespace sfg {

namespace {

using ring::RationalPolynomial;

constexpr double degrees = 180.0 / std::numbers::pi;

/// p(jω) = even + jω odd, both in x = ω².
struct OnAxis {
  explicit OnAxis(const RationalPolynomial& p) : even(p.even_part().scaled("-1")), odd(p.odd_part().scaled("-1")) {}
  RationalPolynomial squared_magnitude() const { return even * even + (odd * odd).shifted_up(1); }
  RationalPolynomial even, odd;
};

std::vector<ring::RealRoot> positive_roots(const RationalPolynomial& p) {
  std::vector<ring::RealRoot> roots = real_roots(p);
  std::erase_if(roots, [](const ring::RealRoot& root) { return root.value <= 0; });
  return roots;
}

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

void find_gain_crossovers(Margins& margins, const ExactTransfer& L, const OnAxis& N, const OnAxis& D) {
  const RationalPolynomial difference = N.squared_magnitude() - D.squared_magnitude();
  for (const ring::RealRoot& x : positive_roots(difference)) {
    const double w = std::sqrt(x.value);
    margins.gain_crossovers.push_back({w, phase_margin(value_at(L, {0, w}))});
  }
}

void find_phase_crossovers(Margins& margins, const ExactTransfer& L, const OnAxis& N, const OnAxis& D) {
  for (const ring::RealRoot& x : positive_roots(N.odd * D.even - N.even * D.odd)) {
    const double w = std::sqrt(x.value);
    const std::complex<double> value = value_at(L, {0, w});
    if (std::isfinite(value.real()) && value.real() < 0)
      margins.phase_crossovers.push_back({w, -20.0 * std::log10(std::abs(value))});
  }
}

/// With dead time in the numerator only: L = R e^(−τs). |L| = |R| is exact; the phase crossings are found between samples.
void find_delayed_phase_crossovers(Margins& margins, const ExactTransfer& L, double highest) {
  constexpr std::size_t samples = 20000;
  constexpr std::size_t most = 50;  // there are infinitely many; those beyond lie at vanishing gain
  const double lowest = highest * 1e-6;
  const auto at = [&](double w) { return value_at(L, {0, w}); };
  double previous = lowest;
  std::complex<double> last = at(previous);
  for (std::size_t i = 1; i <= samples && margins.phase_crossovers.size() < most; ++i) {
    const double w = lowest * std::pow(highest / lowest, static_cast<double>(i) / samples);
    const std::complex<double> value = at(w);
    if (last.real() < 0 && value.real() < 0 && (last.imag() < 0) != (value.imag() < 0)) {
      double a = previous, b = w;
      const bool rising = last.imag() < 0;
      for (int step = 0; step < 200 && b - a > 1e-15 * b; ++step) {
        const double middle = (a + b) / 2;
        ((at(middle).imag() < 0) == rising ? a : b) = middle;
      }
      margins.phase_crossovers.push_back({(a + b) / 2, -20.0 * std::log10(std::abs(at((a + b) / 2)))});
    }
    previous = w;
    last = value;
  }
}

/// With dead time: the least of dense samples, refined by golden section between its neighbours.
void find_delayed_modulus_margin(Margins& margins, const ExactTransfer& L, double highest, bool strictly_proper) {
  constexpr std::size_t samples = 20000;
  const double lowest = highest * 1e-6, ratio = std::pow(highest / lowest, 1.0 / samples);
  const auto distance = [&](double w) { return std::abs(1.0 + value_at(L, {0, w})); };
  double best = lowest, least_distance = distance(lowest);
  double w = lowest;
  for (std::size_t i = 1; i <= samples; ++i) {
    w *= ratio;
    if (const double here = distance(w); here < least_distance) {
      least_distance = here;
      best = w;
    }
  }
  double a = best / ratio, b = best * ratio;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (int i = 0; i < 60; ++i) {
    const double c = b - golden * (b - a), d = a + golden * (b - a);
    (distance(c) < distance(d) ? b : a) = distance(c) < distance(d) ? d : c;
  }
  margins.modulus_frequency = (a + b) / 2;
  margins.modulus_margin = distance((a + b) / 2);
  if (strictly_proper && *margins.modulus_margin > 1.0) {
    margins.modulus_margin = 1.0;
    margins.modulus_frequency.reset();
  }
}

void find_modulus_margin(Margins& margins, const ExactTransfer& L, const RationalPolynomial& N, const RationalPolynomial& D) {
  const RationalPolynomial A = OnAxis(N + D).squared_magnitude(), B = OnAxis(D).squared_magnitude();
  std::vector<double> candidates{0.0};
  const RationalPolynomial stationary = A.derivative() * B - A * B.derivative();
  if (!stationary.is_zero())
    for (const ring::RealRoot& x : positive_roots(stationary)) candidates.push_back(std::sqrt(x.value));
  for (const double w : candidates) {
    const std::complex<double> value = value_at(L, {0, w});
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) continue;
    const double distance = std::abs(1.0 + value);
    if (margins.modulus_margin && distance >= *margins.modulus_margin) continue;
    margins.modulus_margin = distance;
    margins.modulus_frequency = w;
  }
  if (N.degree() > D.degree()) return;
  const auto n = static_cast<std::size_t>(D.degree());  // the distance at infinite frequency: 1 for a strictly proper L
  const double far = std::abs(1.0 + ring::rational_double(ring::rational_quotient(N.coefficient(n), D.coefficient(n))));
  if (!margins.modulus_margin || *margins.modulus_margin > far) {
    margins.modulus_margin = far;
    margins.modulus_frequency.reset();
  }
}

double highest_frequency(const Margins& margins, const OnAxis& N, const OnAxis& D) {
  double highest = 1.0;
  for (const auto& crossing : margins.gain_crossovers) highest = std::max(highest, crossing.frequency);
  for (const RationalPolynomial* p : {&N.even, &N.odd, &D.even, &D.odd})
    for (const ring::RealRoot& x : positive_roots(*p)) highest = std::max(highest, std::sqrt(x.value));
  return 100.0 * highest;
}

}  // namespace

namespace {

/// The headline figures: of several crossings the least.
void summarize(Margins& result) {
  result.gain_margin_db = least(result.phase_crossovers, &Margins::PhaseCrossover::gain_margin_db);
  result.phase_margin_deg = least(result.gain_crossovers, &Margins::GainCrossover::phase_margin_deg);
  result.delay_margin.reset();
  for (const auto& crossing : result.gain_crossovers) {
    const double angle = crossing.phase_margin_deg > 0 ? crossing.phase_margin_deg : crossing.phase_margin_deg + 360.0;
    const double delay = angle / degrees / crossing.frequency;
    if (!result.delay_margin || delay < *result.delay_margin) result.delay_margin = delay;
  }
}

/// p((1 + w)/(1 − w)) (1 − w)^n.
std::vector<std::string> mapped(const std::vector<std::string>& p, std::size_t n) {
  std::vector<RationalPolynomial> padded(n + 1 - p.size());
  for (const std::string& c : p) padded.push_back(RationalPolynomial::constant(c));
  std::vector<std::string> result;
  for (const RationalPolynomial& c : bilinear_image(padded)) result.push_back(c.coefficient(0));
  return RationalPolynomial(result).coefficients();
}

Margins discrete_margins(const ExactTransfer& L, double h) {
  const std::vector<std::string>&n = L.numerator.coefficients(), &d = L.denominator.coefficients();
  if (n.empty()) return {};
  const std::size_t order = std::max(n.size(), d.size()) - 1;
  ExactTransfer image = L;
  image.variable = "w";
  image.numerator.parts = {{"0", mapped(n, order)}};
  image.denominator.parts = {{"0", mapped(d, order)}};
  Margins result = margins(image);
  const auto frequency = [h](double nu) { return 2.0 / h * std::atan(nu); };
  for (auto& crossing : result.gain_crossovers) crossing.frequency = frequency(crossing.frequency);
  for (auto& crossing : result.phase_crossovers) crossing.frequency = frequency(crossing.frequency);
  const double half = std::numbers::pi / h;
  if (const std::string below = RationalPolynomial(d).at("-1"); ring::rational_sign(below) != 0) {
    const double last = ring::rational_double(ring::rational_quotient(RationalPolynomial(n).at("-1"), below));
    if (last < 0) result.phase_crossovers.push_back({half, -20.0 * std::log10(-last)});
  }
  if (result.modulus_margin) result.modulus_frequency = result.modulus_frequency ? frequency(*result.modulus_frequency) : half;
  summarize(result);
  return result;
}

}  // namespace

Margins margins(const ExactTransfer& L, double sample_time) {
  if (L.variable == "z" && L.rational()) return discrete_margins(L, sample_time);
  if (!L.denominator.rational() || L.numerator.parts.size() > 1)
    throw NoAnswer("the open loop has dead time in its denominator or several dead times; its margins have no closed form",
                   "replace the dead time by a Padé approximant (--pade N)");
  Margins result;
  if (L.numerator.parts.empty()) return result;
  const RationalPolynomial n(L.numerator.parts.front().coefficients), d(L.denominator.coefficients());
  const OnAxis N(n), D(d);
  find_gain_crossovers(result, L, N, D);
  if (L.rational()) {
    find_phase_crossovers(result, L, N, D);
    find_modulus_margin(result, L, n, d);
  } else {
    const double highest = highest_frequency(result, N, D);
    find_delayed_phase_crossovers(result, L, highest);
    find_delayed_modulus_margin(result, L, highest, n.degree() < d.degree());
  }
  summarize(result);
  return result;
}

}  // namespace sfg
