#include "sfg/control/poles.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

/// A bend of the phase: it turns by `turn` degrees between two frequencies.
struct Turn {
  double from, to, turn;
  double at(double w) const {
    if (w < from) return 0;
    if (w >= to) return turn;
    return turn * std::log(w / from) / std::log(to / from);
  }
};

/// The power of s that divides a polynomial, and its coefficient.
std::pair<int, exact::Rational> lowest(const RationalPolynomial& p) {
  std::size_t power = 0;
  while (p.sign_of(power) == 0) ++power;
  return {static_cast<int>(power), p.coefficient(power)};
}

double log10_of(const exact::Rational& value) {
  const auto [mantissa, exponent] = RationalPolynomial::constant(value).scaled_at(0.0);
  return std::log10(std::abs(mantissa)) + static_cast<double>(exponent) * std::log10(2.0);
}

/// @param sign  1 of the numerator, −1 of the denominator
void add_roots(const RationalPolynomial& p, int sign, std::map<double, int>& bends, std::vector<Turn>& turns) {
  if (p.degree() < 1) return;
  for (const exact::Root& root : exact::roots(p.coefficients())) {
    const double w = std::abs(root.value);
    if (w == 0 || root.value.imag() < 0) continue;
    const bool pair = root.value.imag() > 0;
    const int count = sign * static_cast<int>(root.multiplicity) * (pair ? 2 : 1);
    bends[w] += 20 * count;
    const double real = root.on_axis ? 0 : root.value.real();
    const double decades = pair ? std::abs(real) / w : 1;
    turns.push_back({w * std::pow(10, -decades), w * std::pow(10, decades), 90.0 * count * (real <= 0 ? 1 : -1)});
  }
}

void join_turns(BodeAsymptotes& result, const std::vector<Turn>& turns) {
  std::vector<double> places;
  for (const Turn& turn : turns) places.insert(places.end(), {turn.from, turn.to});
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (const double w : places) {
    double before = result.first_phase, behind = result.first_phase;
    for (const Turn& turn : turns) {
      behind += turn.at(w);
      before += turn.from == turn.to && turn.from == w ? 0 : turn.at(w);
    }
    if (before != behind) result.phase.emplace_back(w, before);
    result.phase.emplace_back(w, behind);
  }
}

}  // namespace

double BodeAsymptotes::magnitude_at(double w) const {
  if (corners.empty() || w <= corners.front().frequency) return gain_db + first_slope * std::log10(w);
  const Corner& last = *std::prev(std::ranges::upper_bound(corners, w, {}, &Corner::frequency));
  return last.magnitude_db + last.slope_behind * std::log10(w / last.frequency);
}

double BodeAsymptotes::phase_at(double w) const {
  const auto next = std::ranges::upper_bound(phase, w, {}, [](const auto& place) { return place.first; });
  if (next == phase.begin()) return first_phase;
  const auto& before = *std::prev(next);
  if (next == phase.end()) return before.second;
  return before.second + (next->second - before.second) * std::log(w / before.first) / std::log(next->first / before.first);
}

BodeAsymptotes bode_asymptotes(const ExactTransfer& transfer) {
  const std::string name = "'" + transfer.input + "' -> '" + transfer.output + "'";
  if (transfer.op.discrete())
    throw NoAnswer(
        "the asymptotes of Bode's diagram are of transfer functions in s, and " + name + " is in " + transfer.op.symbol(),
        "leave them out");
  if (transfer.numerator.parts.empty())
    throw NoAnswer("the transfer function " + name + " is zero: it has no asymptotes", "leave them out");
  if (transfer.numerator.parts.size() != 1 || transfer.denominator.parts.size() != 1)
    throw NoAnswer("the transfer function " + name + " has several dead times, or one inside a loop: it has no asymptotes",
                   "replace the dead time by a Padé approximant, or leave them out");
  const RationalPolynomial& above = transfer.numerator.parts.front().polynomial;
  const RationalPolynomial& below = transfer.denominator.parts.front().polynomial;
  const auto [n, c] = lowest(above);
  const auto [d, e] = lowest(below);
  BodeAsymptotes result;
  result.dead_time = transfer.numerator.parts.front().delay.sign() != 0;
  result.first_slope = 20 * (n - d);
  result.gain_db = 20 * (log10_of(c) - log10_of(e));
  result.first_phase = 90.0 * (n - d) + (c.sign() * e.sign() < 0 ? 180 : 0);
  std::map<double, int> bends;
  std::vector<Turn> turns;
  add_roots(above, 1, bends, turns);
  add_roots(below, -1, bends, turns);
  int slope = result.first_slope;
  for (const auto& [w, bend] : bends) {
    if (bend == 0) continue;
    const double magnitude = result.magnitude_at(w);
    result.corners.push_back({w, magnitude, slope, slope + bend});
    slope += bend;
  }
  join_turns(result, turns);
  return result;
}

}  // namespace sfg
