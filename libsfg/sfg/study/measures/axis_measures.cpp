// On the axis N = Ne + jν No with polynomials Ne, No in x = ν²; crossings and extrema are positive roots in x of
//   |L| = 1:            |N|² − |D|²
//   L real:             No De − Ne Do, negative where Ne De + x No Do < 0
//   |T| stationary:     A′B − A B′ with A = |N|², B = |D|²;  |1 + L| with A = |N + D|²
//   |T|² fallen to ½:   2 A B(0) − A(0) B
// as in control/margins, here in doubles.
#include "sfg/study/measures/axis_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/numeric/axis_batch.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/study/measures/number_polynomials.hpp"

namespace sfg {

namespace {

FoundMeasure missing() { return {undefined, true}; }
FoundMeasure undecided() { return {undefined, false}; }

struct Rounded {
  double value = 0, slope = 0, error = 0;
};

/// p(x), x > 0, and what the rounding of its coefficients may have made of it.
Rounded with_rounding(std::span<const double> p, double x) {
  constexpr double unit = 64 * std::numeric_limits<double>::epsilon();
  Rounded result;
  for (std::size_t i = p.size(); i-- > 0;) {
    result.slope = result.slope * x + result.value;
    result.value = result.value * x + p[i];
    result.error = result.error * x + unit * std::abs(p[i]);
  }
  return result;
}

/// Whether U vanishes at a root x of V, as far as rounding lets it be told.
bool shared(std::span<const double> U, std::span<const double> V, double x) {
  const Rounded u = with_rounding(U, x), v = with_rounding(V, x);
  return std::abs(u.value) <= u.error + std::abs(u.slope) * v.error / std::abs(v.slope);
}

/// |p(jν)|² against what its coefficients would make of it.
double relative_square(std::span<const double> p, double nu) {
  double most = 0;
  for (std::size_t i = p.size(); i-- > 0;) most = most * nu + std::abs(p[i]);
  return std::norm(horner(p, std::complex<double>(0, nu))) / (most * most);
}

}  // namespace

AxisMeasures::AxisMeasures(const CoefficientProgram& program, double unit)
    : op_(program.op()), at_rest_(program.at_rest()), unit_(unit), period_(op_.period().to_double()) {
  const std::size_t numerator_size = program.numerator_size(), denominator_size = program.denominator_size();
  if (!op_.discrete()) {
    n_.resize(numerator_size);
    d_.resize(denominator_size);
    return;
  }
  const std::size_t order = std::max(numerator_size, denominator_size) - 1;
  for (std::size_t k = 0; k <= order; ++k) {
    if (k < numerator_size) n_map_.push_back(bilinear(k, order));
    if (k < denominator_size) d_map_.push_back(bilinear(k, order));
  }
  n_.resize(numerator_size == 0 ? 0 : order + 1);
  d_.resize(order + 1);
}

void AxisMeasures::set(const NumberFraction& T) {
  const auto image = [&](std::vector<double>& to, std::span<const double> from, const std::vector<std::vector<double>>& map) {
    if (!op_.discrete()) return scale(to, from, unit_);
    std::fill(to.begin(), to.end(), 0.0);
    for (std::size_t k = 0; k < from.size(); ++k)
      for (std::size_t j = 0; j < to.size(); ++j) to[j] += map[k][j] * from[k];
  };
  image(n_, T.numerator, n_map_);
  image(d_, T.denominator, d_map_);
  // what cancels for all parameters leaves rounding in z
  std::fill_n(n_.begin(), std::min(at_rest_.zeros, n_.size()), 0.0);
  std::fill_n(d_.begin(), std::min(at_rest_.poles, d_.size()), 0.0);
  delay_ = T.delay;
  squares_ = crossings_known_ = false;
}

double AxisMeasures::to_axis(double w) const { return op_.discrete() ? std::tan(w * period_ / 2) : w / unit_; }
double AxisMeasures::from_axis(double nu) const { return op_.discrete() ? 2 * std::atan(nu) / period_ : nu * unit_; }
double AxisMeasures::axis_slope(double nu) const { return op_.discrete() ? 2 / (period_ * (1 + nu * nu)) : unit_; }

double AxisMeasures::last() const {
  std::size_t n = n_.size(), d = d_.size();
  while (n > 0 && n_[n - 1] == 0) --n;
  while (d > 0 && d_[d - 1] == 0) --d;
  if (n < d) return 0;
  return n > d ? std::numeric_limits<double>::infinity() : std::abs(n_[n - 1] / d_[d - 1]);
}

AxisMeasures::Complex AxisMeasures::Point::curvature() const {
  return -(n2 / n - n1 / n * (n1 / n)) + (d2 / d - d1 / d * (d1 / d));
}

AxisMeasures::Point AxisMeasures::at(double nu) const {
  const Derivatives N(n_, Complex(0, nu)), D(d_, Complex(0, nu));
  return {N.value, N.first, N.second, D.value, D.first, D.second};
}

double AxisMeasures::height(double nu) const {
  const Point p = at(nu);
  return std::abs(p.n) / std::abs(p.d);
}

void AxisMeasures::make_squares() {
  if (squares_) return;
  squares_ = true;
  square(above_, n_);
  square(below_, d_);
}

FoundMeasure AxisMeasures::operator()(const BaseMeasure& base) {
  switch (base.kind) {
    case MeasureKind::dc:
      return d_[0] == 0 || n_.empty() ? (n_.empty() ? FoundMeasure{0} : missing()) : FoundMeasure{n_[0] / d_[0]};
    case MeasureKind::gain:
    case MeasureKind::db:
    case MeasureKind::phase: return on_axis(base);
    case MeasureKind::peak: return peak(false);
    case MeasureKind::peak_frequency: return peak(true);
    case MeasureKind::bandwidth: return bandwidth();
    case MeasureKind::gain_margin: return gain_margin();
    case MeasureKind::phase_margin: return phase_margin(false);
    case MeasureKind::delay_margin: return phase_margin(true);
    case MeasureKind::modulus_margin: return modulus_margin();
    case MeasureKind::disk_margin: return disk_margin();
    case MeasureKind::dc_error: return dc_error();
    case MeasureKind::position_constant: return error_constant(0);
    case MeasureKind::velocity_constant: return error_constant(1);
    case MeasureKind::acceleration_constant: return error_constant(2);
    case MeasureKind::type: return type();
    case MeasureKind::gain_crossover: return gain_crossover();
    case MeasureKind::phase_crossover: return phase_crossover();
    default: return undecided();
  }
}

FoundMeasure AxisMeasures::on_axis(const BaseMeasure& base) {
  double value = 0;
  along(std::span(&base, 1), std::span(&value, 1));
  if (base.kind == MeasureKind::phase && !crossings_decided_) return undecided();
  return {value};
}

/// Where the argument passes from 180° to −180° or back, and its whole turns at the beginning. A root on the axis counts as if it
/// were left of it: the argument jumps by half a turn, and N D* vanishes. False where T is real everywhere.
bool AxisMeasures::make_crossings() {
  if (crossings_known_) return crossings_decided_;
  crossings_known_ = true;
  crossings_decided_ = false;
  crossings_.clear();
  std::vector<double>&U = real_, &V = imaginary_;
  U.clear();
  V.clear();
  add_product(U, n_, 0, d_, 0, 1, 0);
  add_product(U, n_, 1, d_, 1, 1, 1);
  add_product(V, n_, 1, d_, 0, 1, 0);
  add_product(V, n_, 0, d_, 1, -1, 0);
  std::size_t n0 = 0, d0 = 0, v0 = 0;
  while (n0 < n_.size() && n_[n0] == 0) ++n0;
  while (d0 < d_.size() && d_[d0] == 0) ++d0;
  while (v0 < V.size() && V[v0] == 0) ++v0;
  if (n0 == n_.size() || v0 == V.size()) return false;
  const double start = 90.0 * (static_cast<double>(n0) - static_cast<double>(d0)) + ((n_[n0] < 0) != (d_[d0] < 0) ? 180.0 : 0.0);
  double first = std::remainder(start, 360.0);
  if (std::abs(first) == 180.0) first = V[v0] > 0 ? 180.0 : -180.0;
  asymptote_ = start;
  start_ = std::round((start - first) / 360.0);
  regular_at_rest_ = n0 == 0 && d0 == 0;
  double sign = V[v0];
  for (const double x : roots_(V)) {
    if (shared(U, V, x)) {
      const double nu = std::sqrt(x);
      const bool zero = relative_square(n_, nu) < relative_square(d_, nu);
      if (zero == (sign > 0)) crossings_.push_back({x, zero ? 1 : -1, true});
    } else if (horner(U, x) < 0) {
      crossings_.push_back({x, sign > 0 ? 1 : -1});
    }
    sign = -sign;
  }
  crossings_decided_ = true;
  return true;
}

/// The argument between −180° and 180° with its whole turns and those of the dead time, where a phase is asked.
void AxisMeasures::add_turns(std::span<const BaseMeasure> ascending, std::span<double> values) {
  if (!make_crossings()) {
    for (std::size_t i = 0; i < ascending.size(); ++i)
      if (ascending[i].kind == MeasureKind::phase) values[i] = undefined;
    return;
  }
  numeric::arguments(n_, d_, nu_, x_, response_);
  std::size_t passed = 0;
  double turns = start_;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (; passed < crossings_.size() && crossings_[passed].x < x_[i]; ++passed) turns += crossings_[passed].turn;
    if (ascending[i].kind != MeasureKind::phase) continue;
    values[i] = response_[i] + 360.0 * turns - ascending[i].at * delay_ * degrees;
    if (x_[i] == 0) values[i] = regular_at_rest_ ? asymptote_ : undefined;
    if (!std::isfinite(values[i])) values[i] = undefined;
  }
}

std::optional<double> AxisMeasures::turns(std::vector<std::pair<double, int>>& crossings) {
  crossings.clear();
  if (!make_crossings()) return {};
  for (const Crossing& crossing : crossings_) crossings.emplace_back(crossing.x, crossing.turn);
  return start_;
}

void AxisMeasures::along(std::span<const BaseMeasure> ascending, std::span<double> values) {
  if (nu_.size() != ascending.size()) {
    nu_.resize(ascending.size());
    x_.resize(ascending.size());
    response_.resize(ascending.size());
  }
  bool phases = false, decibels = false;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    nu_[i] = to_axis(ascending[i].at);
    x_[i] = nu_[i] * nu_[i];
    phases = phases || ascending[i].kind == MeasureKind::phase;
    decibels = decibels || ascending[i].kind == MeasureKind::db;
  }
  found_at_ = nu_.empty() ? 0 : nu_.back();
  numeric::squared_magnitudes(n_, d_, x_, response_);
  for (std::size_t i = 0; i < ascending.size(); ++i)
    if (ascending[i].kind == MeasureKind::gain) values[i] = std::isfinite(response_[i]) ? std::sqrt(response_[i]) : undefined;
  if (decibels) {
    numeric::decibels(response_);
    for (std::size_t i = 0; i < ascending.size(); ++i)
      if (ascending[i].kind == MeasureKind::db) values[i] = response_[i];
  }
  if (phases) add_turns(ascending, values);
}

FoundMeasure AxisMeasures::peak(bool frequency) {
  if (n_.empty()) return undecided();
  make_squares();
  double best = height(0), where = 0;
  if (std::isnan(best)) return undecided();
  stationary(work_, above_, below_);
  const auto candidate = [&](double nu, double value) {
    if (value > best) best = value, where = nu;
  };
  for (const double x : roots_(work_)) {
    const double nu = std::sqrt(x);
    candidate(nu, height(nu));
  }
  const double end = last();
  if (op_.discrete())
    candidate(std::numeric_limits<double>::infinity(), end);
  else if (end > best * (1 + 1e-14))
    return missing();
  if (!std::isfinite(best)) return missing();
  found_at_ = where;
  return {frequency ? from_axis(where) : best};
}

FoundMeasure AxisMeasures::bandwidth() {
  if (n_.empty() || n_[0] == 0 || d_[0] == 0) return missing();
  make_squares();
  work_.assign(std::max(above_.size(), below_.size()), 0.0);
  for (std::size_t i = 0; i < above_.size(); ++i) work_[i] += 2 * below_[0] * above_[i];
  for (std::size_t i = 0; i < below_.size(); ++i) work_[i] -= above_[0] * below_[i];
  const auto crossings = roots_(work_);
  if (crossings.empty()) return missing();
  found_at_ = std::sqrt(crossings.front());
  return {from_axis(found_at_)};
}

FoundMeasure AxisMeasures::gain_margin() {
  if (n_.empty()) return missing();
  if (delay_ != 0) return delayed_gain_margin();
  if (!make_crossings()) return undecided();
  double best = undefined;
  const auto candidate = [&](double nu, double modulus) {
    const double margin = 0.0 - 20.0 * std::log10(modulus);
    if (std::isnan(best) || std::abs(margin) < std::abs(best)) best = margin, found_at_ = nu;
  };
  if (d_[0] != 0 && n_[0] / d_[0] < 0) candidate(0, -n_[0] / d_[0]);
  for (const Crossing& crossing : crossings_)
    if (!crossing.jump) candidate(std::sqrt(crossing.x), height(std::sqrt(crossing.x)));
  if (op_.discrete() && d_.back() != 0 && n_.back() / d_.back() < 0)
    candidate(std::numeric_limits<double>::infinity(), -n_.back() / d_.back());
  return {best};
}

bool AxisMeasures::closed_loop_stable() {
  // Routh's scheme of N + D: the signs of its first column.
  std::vector<double>& p = more_;
  weighted_sum(p, n_, d_, 1);
  while (!p.empty() && p.back() == 0) p.pop_back();
  if (op_.discrete() && p.size() < d_.size()) return false;  // a root at −1
  for (std::size_t m = p.size(); m-- > 1;) {
    if (!(p[m] * p[m - 1] > 0)) return false;
    const double factor = p[m] / p[m - 1];
    for (std::size_t k = m - 1; k >= 2; k -= 2) p[k - 1] -= factor * p[k - 2];
  }
  return !p.empty();
}

FoundMeasure AxisMeasures::phase_margin(bool delay) {
  if (n_.empty()) return missing();
  if (delay_ != 0 && op_.discrete()) return undecided();
  make_squares();
  weighted_sum(work_, above_, below_, -1);
  double best = undefined, least = undefined;
  for (const double x : roots_(work_)) {
    const double nu = std::sqrt(x);
    double margin = 180.0 + std::arg(open_loop(nu)) * degrees;
    if (margin > 180.0) margin -= 360.0;
    const double time = (margin > -1e-9 ? std::max(margin, 0.0) : margin + 360.0) / degrees / from_axis(nu);
    if (delay ? !(time >= least) : (std::isnan(best) || std::abs(margin) < std::abs(best)))
      best = margin, least = time, found_at_ = nu;
  }
  if (!delay) return {best};
  if (delay_ != 0) return {least, false};
  if (!closed_loop_stable()) return missing();
  if (!op_.discrete() && last() >= 1) {
    found_at_ = undefined;
    return {0};
  }
  return {least};
}

FoundMeasure AxisMeasures::gain_crossover() {
  if (n_.empty()) return missing();
  make_squares();
  weighted_sum(work_, above_, below_, -1);
  const auto crossings = roots_(work_);
  if (crossings.empty()) return missing();
  found_at_ = std::sqrt(crossings.front());
  return {from_axis(found_at_)};
}

FoundMeasure AxisMeasures::phase_crossover() {
  if (n_.empty()) return missing();
  found_at_ = 0;
  if (d_[0] != 0 && n_[0] / d_[0] < 0) return {0};
  if (delay_ != 0) return delayed_phase_crossover();
  if (!make_crossings()) return undecided();
  if (const auto first = std::ranges::find(crossings_, false, &Crossing::jump); first != crossings_.end())
    found_at_ = std::sqrt(first->x);
  else if (op_.discrete() && d_.back() != 0 && n_.back() / d_.back() < 0)
    found_at_ = std::numeric_limits<double>::infinity();
  else
    return missing();
  return {from_axis(found_at_)};
}

FoundMeasure AxisMeasures::modulus_margin() {
  if (delay_ != 0) return delayed_distance(false);
  if (n_.empty()) {
    found_at_ = undefined;
    return {1};
  }
  double best = std::numeric_limits<double>::infinity();
  const auto candidate = [&](double nu, double distance) {
    if (distance < best) best = distance, found_at_ = nu;
  };
  if (d_[0] != 0) candidate(0, std::abs(1 + n_[0] / d_[0]));
  make_squares();
  weighted_sum(more_, n_, d_, 1);
  std::vector<double>& closed = real_;
  square(closed, more_);
  stationary(work_, closed, below_);
  for (const double x : roots_(work_)) {
    const Point p = at(std::sqrt(x));
    candidate(std::sqrt(x), std::abs(p.n + p.d) / std::abs(p.d));
  }
  if (const std::size_t k = d_.size() - 1; n_.size() <= d_.size() && d_[k] != 0)
    candidate(std::numeric_limits<double>::infinity(), std::abs(1 + (n_.size() > k ? n_[k] / d_[k] : 0)));
  return {best};
}

FoundMeasure AxisMeasures::disk_margin() {
  if (delay_ != 0) return delayed_distance(true);
  if (!closed_loop_stable()) return missing();
  double best = std::numeric_limits<double>::infinity();
  const auto candidate = [&](double nu, const Complex& n, const Complex& d) {
    if (const double radius = 2 * std::abs(n + d) / std::abs(d - n); radius < best) best = radius, found_at_ = nu;
  };
  const auto coefficient = [](const std::vector<double>& p, std::size_t k) { return k < p.size() ? p[k] : 0.0; };
  candidate(0, coefficient(n_, 0), coefficient(d_, 0));
  // |N ± D|² = |N|² + |D|² ± 2 Re N D̄: the quotient is stationary where Re N D̄/(|N|² + |D|²) is
  make_squares();
  real_.clear();
  add_product(real_, n_, 0, d_, 0, 1, 0);
  add_product(real_, n_, 1, d_, 1, 1, 1);
  weighted_sum(more_, above_, below_, 1);
  stationary(work_, real_, more_);
  for (const double x : roots_(work_)) {
    const Point p = at(std::sqrt(x));
    candidate(std::sqrt(x), p.n, p.d);
  }
  const std::size_t last_power = std::max(n_.size(), d_.size()) - 1;
  candidate(std::numeric_limits<double>::infinity(), coefficient(n_, last_power), coefficient(d_, last_power));
  found_ = best;
  return best == 0 || std::isinf(best) ? missing() : FoundMeasure{best};
}

FoundMeasure AxisMeasures::dc_error() {
  found_at_ = 0;
  if (n_.empty()) return {1};
  const std::size_t lowest = std::min(at_rest_.zeros, at_rest_.poles);
  const double sum = n_[lowest] + d_[lowest];
  return sum == 0 ? undecided() : FoundMeasure{d_[lowest] / sum};
}

/// lim s^order L; in the image of z, (z − 1)/T_s is 2w/T_s there.
FoundMeasure AxisMeasures::error_constant(std::size_t order) {
  found_at_ = 0;
  if (n_.empty()) return {0};
  const auto [zeros, poles] = at_rest_;
  if (n_[zeros] == 0 || d_[poles] == 0) return undecided();
  if (poles > zeros + order) return missing();
  if (poles < zeros + order) return {0};
  return {std::pow(op_.discrete() ? 2 / period_ : unit_, static_cast<double>(order)) * n_[zeros] / d_[poles]};
}

FoundMeasure AxisMeasures::type() {
  found_at_ = 0;
  if (n_.empty()) return {0};
  const auto [zeros, poles] = at_rest_;
  if (n_[zeros] == 0 || d_[poles] == 0) return undecided();
  return {static_cast<double>(poles - std::min(zeros, poles))};
}

}  // namespace sfg
