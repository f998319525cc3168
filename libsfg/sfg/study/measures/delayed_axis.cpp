// Margins of an open loop with one dead time, e^(−τs) N/D: it turns for ever, so that crossings are looked for on a grid that
// overlooks none, up to where |L| only falls.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/numeric/numbers.hpp"
#include "sfg/study/measures/axis_measures.hpp"
#include "sfg/study/measures/number_polynomials.hpp"

namespace sfg {

AxisMeasures::Complex AxisMeasures::open_loop(double nu) const {
  const Point p = at(nu);
  return p.n / p.d * std::polar(1.0, -from_axis(nu) * delay_);
}

/// Frequencies so close that neither a turn of the dead time nor a resonance is overlooked between them, up to one turn beyond
/// everything that happens to |L|: from there it falls.
std::vector<double> AxisMeasures::delayed_frequencies() {
  make_squares();
  stationary(work_, above_, below_);
  std::vector<double> found;
  const auto last_root = [&](std::span<const double> roots) { return roots.empty() ? 0.0 : std::sqrt(roots.back()); };
  double end = last_root(roots_(work_));
  weighted_sum(work_, above_, below_, -1);
  end = std::max(end, last_root(roots_(work_)));
  const double turn = 2 * std::numbers::pi / (delay_ * unit_);
  end += turn;
  constexpr std::size_t most = 100'000;
  const double step = turn / 24;
  if (end / step > most) return {};
  for (double nu = step; nu <= end; nu += step) found.push_back(nu);
  for (double nu = end; nu > end * 1e-6; nu *= 0.97) found.push_back(nu);
  std::ranges::sort(found);
  return found;
}

template <class Wanted>
void AxisMeasures::delayed_crossings(const Wanted& wanted) {
  double before = 0;
  Complex at_before = 0;
  for (const double nu : delayed_frequencies()) {
    const Complex L = open_loop(nu);
    if (at_before != 0.0 && (L.imag() < 0) != (at_before.imag() < 0)) {
      double a = before, b = nu;
      const bool rising = at_before.imag() < 0;
      for (int k = 0; k < 100 && b - a > 1e-16 * b; ++k) {
        const double middle = (a + b) / 2;
        if (middle <= a || middle >= b) break;
        ((open_loop(middle).imag() < 0) == rising ? a : b) = middle;
      }
      if (const Complex there = open_loop((a + b) / 2); there.real() < 0 && !wanted((a + b) / 2, std::abs(there))) return;
    }
    before = nu, at_before = L;
  }
}

FoundMeasure AxisMeasures::delayed_phase_crossover() {
  if (op_.discrete()) return FoundMeasure{undefined, false};
  double first = undefined;
  delayed_crossings([&](double nu, double) {
    first = nu;
    return false;
  });
  if (std::isnan(first)) return FoundMeasure{undefined, false};
  found_at_ = first;
  return {from_axis(first)};
}

FoundMeasure AxisMeasures::delayed_gain_margin() {
  if (op_.discrete()) return FoundMeasure{undefined, false};
  double best = undefined;
  const auto candidate = [&](double nu, double modulus) {
    const double margin = 0.0 - 20.0 * std::log10(modulus);
    if (std::isnan(best) || std::abs(margin) < std::abs(best)) best = margin, found_at_ = nu;
    return true;
  };
  if (d_[0] != 0 && n_[0] / d_[0] < 0) candidate(0, -n_[0] / d_[0]);
  delayed_crossings(candidate);
  const double end = last();
  return {best, !std::isnan(best) && (end == 0 || std::abs(20 * std::log10(end)) > std::abs(best))};
}

/// |1 + L|, or 2|1 + L|/|1 − L|; whether the closed loop is stable, doubles do not tell.
FoundMeasure AxisMeasures::delayed_distance(bool disk) {
  if (op_.discrete() || last() >= 1) return FoundMeasure{undefined, false};
  const auto distance_at = [&](const Complex& L) { return disk ? 2 * std::abs(1.0 + L) / std::abs(1.0 - L) : std::abs(1.0 + L); };
  double best = d_[0] != 0 ? distance_at(n_[0] / d_[0]) : std::numeric_limits<double>::infinity();
  found_at_ = 0;
  const std::vector<double> grid = delayed_frequencies();
  std::vector<double> distance;
  for (const double nu : grid) distance.push_back(distance_at(open_loop(nu)));
  for (std::size_t i = 1; i + 1 < grid.size(); ++i) {
    if (distance[i] > distance[i - 1] || distance[i] > distance[i + 1]) continue;
    double a = grid[i - 1], b = grid[i + 1];
    const auto slope = [&](double nu) {  // of the logarithm of its square
      const Complex L = open_loop(nu), moved = L * (at(nu).slope() - Complex(0, unit_ * delay_));
      return (disk ? moved / (1.0 - L * L) : std::conj(1.0 + L) * moved).real();
    };
    for (int k = 0; k < 100 && b - a > 1e-15 * b; ++k) {
      const double middle = (a + b) / 2;
      if (middle <= a || middle >= b) break;
      (slope(middle) < 0 ? a : b) = middle;
    }
    const double nu = (a + b) / 2, value = distance_at(open_loop(nu));
    if (value < best) best = value, found_at_ = nu;
  }
  found_ = best;
  const bool falls = !grid.empty() && 1 - height(grid.back()) >= best;
  return {best, falls && !disk};
}

}  // namespace sfg
