#include "sfg/study/boxes/box_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/model/operator.hpp"
#include "sfg/study/boxes/tape_jets.hpp"

namespace sfg {

using ring::ComplexJet;
using ring::Interval;
using ring::Jet;

namespace {

const Interval half_turn = Interval::rounded(std::numbers::pi);

Interval bounds_of(ring::Bounds (*function)(const ring::Bounds&), const Interval& x) { return Interval(function(x.bounds())); }

/// (cos, sin) of an angle of any size.
std::pair<Interval, Interval> direction(Interval angle) {
  const double turns = std::round(angle.middle() / (2 * std::numbers::pi));
  angle = angle - Interval(2 * turns) * half_turn;
  return {bounds_of(ring::cos, angle), bounds_of(ring::sin, angle)};
}

bool excludes_zero(const ComplexJet& z) { return !z.real.value().contains(0) || !z.imaginary.value().contains(0); }

/// Whether a polynomial has no root on the axis from 0 (excluded are roots that stay there) to ω, for no parameters of the box.
bool free_below(std::vector<Jet> p, double w, double period) {
  if (period == 0) {
    while (!p.empty() && p.front().constant() && p.front().value().zero()) p.erase(p.begin());
  }
  std::vector<Interval> open{{0, w}};
  for (int evaluations = 0; !open.empty(); ++evaluations) {
    const Interval cell = open.back();
    open.pop_back();
    if (excludes_zero(on_axis(p, cell, period))) continue;
    if (evaluations > 2000 || cell.width() < 1e-9 * w) return false;
    const double middle = cell.middle();
    open.push_back({middle, cell.high});
    open.push_back({cell.low, middle});
  }
  return true;
}

/// Of s^power, or of (z − 1)^power.
Jet coefficient_at_rest(const std::vector<Jet>& p, std::size_t power, bool discrete) {
  if (!discrete) return p[power];
  Jet sum;
  double binomial = 1;
  for (std::size_t i = power; i < p.size(); ++i) {
    sum = sum + Jet(binomial) * p[i];
    binomial = binomial * static_cast<double>(i + 1) / static_cast<double>(i + 1 - power);
  }
  return sum;
}

}  // namespace

BoxTransfer box_transfer(const CoefficientProgram& program, std::span<const Jet> parameters) {
  std::vector<Jet> all = jets(program.tape(), parameters);
  BoxTransfer result;
  if (program.delayed()) {
    result.delay = std::move(all.back());
    all.pop_back();
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(program.numerator_size());
  result.above.assign(all.begin(), middle);
  result.below.assign(middle, all.end());
  if (program.op().discrete()) result.period = program.op().period().to_double();
  result.at_rest = program.at_rest();
  return result;
}

ComplexJet on_axis(std::span<const Jet> p, const Interval& w, double period) {
  ComplexJet sum;
  if (period == 0) {
    const Jet minus_square(-square(w));
    std::vector<Jet> even, odd;
    for (std::size_t k = 0; k < p.size(); ++k) (k % 2 == 0 ? even : odd).push_back(p[k]);
    return {polynomial(even, minus_square), polynomial(odd, minus_square) * Jet(w)};
  }
  for (std::size_t k = 0; k < p.size(); ++k) {
    const auto [c, s] = direction(w * Interval::rounded(period) * Interval(static_cast<double>(k)));
    sum = sum + ComplexJet{p[k] * Jet(c), p[k] * Jet(s)};
  }
  return sum;
}

Jet argument(const ComplexJet& z) {
  const double x = z.real.centre().middle(), y = z.imaginary.centre().middle(), size = std::hypot(x, y);
  if (!(size > 0) || !std::isfinite(size)) return Jet::rough(Interval::everything());
  const Jet along = Jet(x / size) * z.real + Jet(y / size) * z.imaginary;
  const Jet across = Jet(x / size) * z.imaginary - Jet(y / size) * z.real;
  if (along.value().low <= 0) return Jet::rough(Interval::everything());
  return atan(across / along) + Jet(Interval(std::atan2(y, x)) + Interval(-1e-15, 1e-15));
}

Jet dc_over(const BoxTransfer& T) {
  const auto at_zero = [&](const std::vector<Jet>& p) {
    if (!T.discrete()) return p.empty() ? Jet() : p.front();
    Jet sum;
    for (const Jet& coefficient : p) sum = sum + coefficient;
    return sum;
  };
  return at_zero(T.above) / at_zero(T.below);
}

Jet dc_error_over(const BoxTransfer& L) {
  if (L.above.empty() || L.at_rest.zeros > L.at_rest.poles) return Jet(1.0);
  if (L.at_rest.zeros < L.at_rest.poles) return Jet();
  const Jet n = coefficient_at_rest(L.above, L.at_rest.zeros, L.discrete()),
            d = coefficient_at_rest(L.below, L.at_rest.poles, L.discrete());
  return d / (n + d);
}

Jet error_constant_over(const BoxTransfer& L, std::size_t order) {
  if (L.above.empty()) return Jet();
  const Jet d = coefficient_at_rest(L.below, L.at_rest.poles, L.discrete());
  if (d.value().contains(0)) return Jet::rough(Interval::everything());  // where it is 0 the loop is of another type
  if (L.at_rest.poles > L.at_rest.zeros + order)
    return Jet::rough({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()});
  if (L.at_rest.poles < L.at_rest.zeros + order) return Jet();
  Jet value = coefficient_at_rest(L.above, L.at_rest.zeros, L.discrete()) / d;
  for (std::size_t k = 0; k < order && L.discrete(); ++k) value = value / Jet(Interval::rounded(L.period));
  return value;
}

Jet type_over(const BoxTransfer& L) {
  if (L.above.empty()) return Jet();
  for (const auto& [side, power] : {std::pair(&L.above, L.at_rest.zeros), std::pair(&L.below, L.at_rest.poles)})
    if (coefficient_at_rest(*side, power, L.discrete()).value().contains(0)) return Jet::rough(Interval::everything());
  return Jet(static_cast<double>(L.at_rest.poles - std::min(L.at_rest.zeros, L.at_rest.poles)));
}

Jet gain_over(const BoxTransfer& T, double w) {
  const Jet below = square_of_modulus(on_axis(T.below, w, T.period));
  const Jet above = square_of_modulus(on_axis(T.above, w, T.period));
  if (below.value().low <= 0) {  // a pole may be there: no upper bound
    const Interval least = sqrt(above.value()), most = sqrt(below.value());
    return Jet::rough({most.high > 0 ? std::max(0.0, (Interval(std::max(0.0, least.low)) / Interval(most.high)).low) : 0.0,
                       std::numeric_limits<double>::infinity()});
  }
  return sqrt(above / below);
}

Jet phase_over(const BoxTransfer& T, double w, double at_centre) {
  if (!std::isfinite(at_centre) || !free_below(T.above, w, T.period) || !free_below(T.below, w, T.period))
    return Jet::rough(Interval::everything());
  const Jet wrapped = argument(on_axis(T.above, w, T.period)) - argument(on_axis(T.below, w, T.period)) - Jet(w) * T.delay;
  if (!wrapped.smooth()) return wrapped;
  const double turns = std::round((at_centre - wrapped.centre().middle()) / (2 * std::numbers::pi));
  return wrapped + Jet(Interval(2 * turns) * half_turn);
}

}  // namespace sfg
