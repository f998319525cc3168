// On the axis N = Ne + jν No with polynomials Ne, No in x = ν²; crossings and extrema are positive roots in x of
//   |L| = 1:            |N|² − |D|²
//   L real:             No De − Ne Do, negative where Ne De + x No Do < 0
//   |T| stationary:     A′B − A B′ with A = |N|², B = |D|²;  |1 + L| with A = |N + D|²
//   |T|² fallen to ½:   2 A B(0) − A(0) B
// as in control/margins, here in doubles. With l = ln T, ∂l/∂N_i = (jν)^i/N and ∂l/∂D_i = −(jν)^i/D; a frequency that is defined
// by g(ν, c) = 0 moves by −g_c/g_ν.
#include "sfg/study/axis_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/numeric/axis_batch.hpp"

namespace sfg {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double degrees = 180.0 / std::numbers::pi;
const double decibel = 20.0 / std::log(10.0);

/// (1 + w)^k (1 − w)^(n − k), lowest power first.
std::vector<double> bilinear(std::size_t k, std::size_t n) {
  std::vector<double> p{1};
  for (std::size_t i = 0; i < n; ++i) {
    const double sign = i < k ? 1 : -1;
    p.push_back(0);
    for (std::size_t j = p.size() - 1; j > 0; --j) p[j] += sign * p[j - 1];
  }
  return p;
}

double horner(std::span<const double> p, double x) {
  double value = 0;
  for (std::size_t i = p.size(); i-- > 0;) value = value * x + p[i];
  return value;
}

/// out += sign · x^shift · (the part of a with this parity) (that of b): e(x) and o(x) of p(jν) = e + jν o.
void add_product(std::vector<double>& out, std::span<const double> a, std::size_t a_odd, std::span<const double> b,
                 std::size_t b_odd, double sign, std::size_t shift) {
  for (std::size_t i = a_odd, k = 0; i < a.size(); i += 2, ++k)
    for (std::size_t j = b_odd, m = 0; j < b.size(); j += 2, ++m) {
      if (out.size() <= k + m + shift) out.resize(k + m + shift + 1, 0.0);
      out[k + m + shift] += ((k + m) % 2 == 0 ? sign : -sign) * a[i] * b[j];
    }
}

void square(std::vector<double>& out, std::span<const double> p) {
  out.assign(p.empty() ? 0 : p.size(), 0.0);
  add_product(out, p, 0, p, 0, 1, 0);
  add_product(out, p, 1, p, 1, 1, 1);
}

/// A′B − A B′.
void stationary(std::vector<double>& out, std::span<const double> a, std::span<const double> b) {
  out.assign(a.size() + b.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (i + j > 0) out[i + j - 1] += (static_cast<double>(i) - static_cast<double>(j)) * a[i] * b[j];
}

FoundMeasure missing() { return {nothing, true}; }
FoundMeasure undecided() { return {nothing, false}; }

}  // namespace

AxisMeasures::AxisMeasures(const Operator& op, std::size_t numerator_size, std::size_t denominator_size, double unit)
    : op_(op), unit_(unit), period_(op.period().to_double()) {
  if (!op.discrete()) {
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
    if (!op_.discrete()) {
      double power = 1;
      for (std::size_t i = 0; i < from.size(); ++i, power *= unit_) to[i] = from[i] * power;
      return;
    }
    std::fill(to.begin(), to.end(), 0.0);
    for (std::size_t k = 0; k < from.size(); ++k)
      for (std::size_t j = 0; j < to.size(); ++j) to[j] += map[k][j] * from[k];
  };
  image(n_, T.numerator, n_map_);
  image(d_, T.denominator, d_map_);
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
  const auto evaluate = [nu](std::span<const double> p, Complex& value, Complex& first, Complex& second) {
    const Complex s(0, nu);
    value = first = second = 0;
    for (std::size_t i = p.size(); i-- > 0;) {
      second = second * s + first;
      first = first * s + value;
      value = value * s + p[i];
    }
    second *= 2.0;
  };
  Point point;
  evaluate(n_, point.n, point.n1, point.n2);
  evaluate(d_, point.d, point.d1, point.d2);
  return point;
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
    default: return undecided();
  }
}

FoundMeasure AxisMeasures::on_axis(const BaseMeasure& base) {
  double value = 0;
  along(std::span(&base, 1), std::span(&value, 1));
  if (base.kind == MeasureKind::phase && !crossings_decided_) return undecided();
  return {value};
}

/// Where the argument passes from 180° to −180° or back, and its whole turns at the beginning. False where T is real everywhere.
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
  at_rest_ = n0 == 0 && d0 == 0;
  double sign = V[v0];
  for (const double x : roots_(V)) {
    if (horner(U, x) < 0) crossings_.push_back({x, sign > 0 ? 1 : -1});
    sign = -sign;
  }
  crossings_decided_ = true;
  return true;
}

/// The argument between −180° and 180° with its whole turns and those of the dead time, where a phase is asked.
void AxisMeasures::add_turns(std::span<const BaseMeasure> ascending, std::span<double> values) {
  if (!make_crossings()) {
    for (std::size_t i = 0; i < ascending.size(); ++i)
      if (ascending[i].kind == MeasureKind::phase) values[i] = nothing;
    return;
  }
  numeric::arguments(n_, d_, nu_, x_, response_);
  std::size_t passed = 0;
  double turns = start_;
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (; passed < crossings_.size() && crossings_[passed].x < x_[i]; ++passed) turns += crossings_[passed].turn;
    if (ascending[i].kind != MeasureKind::phase) continue;
    values[i] = response_[i] + 360.0 * turns - ascending[i].at * delay_ * degrees;
    if (x_[i] == 0) values[i] = at_rest_ ? asymptote_ : nothing;
    if (!std::isfinite(values[i])) values[i] = nothing;
  }
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
    if (ascending[i].kind == MeasureKind::gain) values[i] = std::isfinite(response_[i]) ? std::sqrt(response_[i]) : nothing;
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
  double best = nothing;
  const auto candidate = [&](double nu, double modulus) {
    const double margin = 0.0 - 20.0 * std::log10(modulus);
    if (std::isnan(best) || std::abs(margin) < std::abs(best)) best = margin, found_at_ = nu;
  };
  if (d_[0] != 0 && n_[0] / d_[0] < 0) candidate(0, -n_[0] / d_[0]);
  for (const Crossing& crossing : crossings_) candidate(std::sqrt(crossing.x), height(std::sqrt(crossing.x)));
  if (op_.discrete() && d_.back() != 0 && n_.back() / d_.back() < 0)
    candidate(std::numeric_limits<double>::infinity(), -n_.back() / d_.back());
  return {best};
}

bool AxisMeasures::closed_loop_stable() {
  // Routh's scheme of N + D: the signs of its first column.
  std::vector<double>& p = more_;
  p.assign(std::max(n_.size(), d_.size()), 0.0);
  for (std::size_t i = 0; i < n_.size(); ++i) p[i] += n_[i];
  for (std::size_t i = 0; i < d_.size(); ++i) p[i] += d_[i];
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
  work_.assign(std::max(above_.size(), below_.size()), 0.0);
  for (std::size_t i = 0; i < above_.size(); ++i) work_[i] += above_[i];
  for (std::size_t i = 0; i < below_.size(); ++i) work_[i] -= below_[i];
  double best = nothing, least = nothing;
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
    found_at_ = nothing;
    return {0};
  }
  return {least};
}

FoundMeasure AxisMeasures::modulus_margin() {
  if (delay_ != 0) return delayed_modulus_margin();
  if (n_.empty()) {
    found_at_ = nothing;
    return {1};
  }
  double best = std::numeric_limits<double>::infinity();
  const auto candidate = [&](double nu, double distance) {
    if (distance < best) best = distance, found_at_ = nu;
  };
  if (d_[0] != 0) candidate(0, std::abs(1 + n_[0] / d_[0]));
  make_squares();
  more_.assign(std::max(n_.size(), d_.size()), 0.0);
  for (std::size_t i = 0; i < n_.size(); ++i) more_[i] += n_[i];
  for (std::size_t i = 0; i < d_.size(); ++i) more_[i] += d_[i];
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

AxisMeasures::Complex AxisMeasures::open_loop(double nu) const {
  const Point p = at(nu);
  return p.n / p.d * std::polar(1.0, -from_axis(nu) * delay_);
}

/// Frequencies so close that neither a turn of the dead time nor a resonance is overlooked between them, up to one turn beyond
/// everything that happens to |L|: from there it falls.
std::vector<double> AxisMeasures::delayed_frequencies(double beyond) {
  make_squares();
  stationary(work_, above_, below_);
  std::vector<double> found;
  const auto last_root = [&](std::span<const double> roots) { return roots.empty() ? 0.0 : std::sqrt(roots.back()); };
  double end = std::max(last_root(roots_(work_)), beyond);
  work_.assign(std::max(above_.size(), below_.size()), 0.0);
  for (std::size_t i = 0; i < above_.size(); ++i) work_[i] += above_[i];
  for (std::size_t i = 0; i < below_.size(); ++i) work_[i] -= below_[i];
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

FoundMeasure AxisMeasures::delayed_gain_margin() {
  if (op_.discrete()) return undecided();
  double best = nothing;
  const auto candidate = [&](double nu, double modulus) {
    const double margin = 0.0 - 20.0 * std::log10(modulus);
    if (std::isnan(best) || std::abs(margin) < std::abs(best)) best = margin, found_at_ = nu;
  };
  if (d_[0] != 0 && n_[0] / d_[0] < 0) candidate(0, -n_[0] / d_[0]);
  double before = 0;
  Complex at_before = 0;
  for (const double nu : delayed_frequencies(0)) {
    const Complex L = open_loop(nu);
    if (at_before != 0.0 && (L.imag() < 0) != (at_before.imag() < 0)) {
      double a = before, b = nu;
      const bool rising = at_before.imag() < 0;
      for (int k = 0; k < 100 && b - a > 1e-16 * b; ++k) {
        const double middle = (a + b) / 2;
        if (middle <= a || middle >= b) break;
        ((open_loop(middle).imag() < 0) == rising ? a : b) = middle;
      }
      if (const Complex there = open_loop((a + b) / 2); there.real() < 0) candidate((a + b) / 2, std::abs(there));
    }
    before = nu, at_before = L;
  }
  const double end = last();
  return {best, !std::isnan(best) && (end == 0 || std::abs(20 * std::log10(end)) > std::abs(best))};
}

FoundMeasure AxisMeasures::delayed_modulus_margin() {
  if (op_.discrete() || last() >= 1) return undecided();
  double best = d_[0] != 0 ? std::abs(1 + n_[0] / d_[0]) : std::numeric_limits<double>::infinity();
  found_at_ = 0;
  const std::vector<double> grid = delayed_frequencies(0);
  std::vector<double> distance;
  for (const double nu : grid) distance.push_back(std::abs(1.0 + open_loop(nu)));
  for (std::size_t i = 1; i + 1 < grid.size(); ++i) {
    if (distance[i] > distance[i - 1] || distance[i] > distance[i + 1]) continue;
    double a = grid[i - 1], b = grid[i + 1];
    const auto slope = [&](double nu) {  // of |1 + L|²
      const Complex L = open_loop(nu), moved = L * (at(nu).slope() - Complex(0, unit_ * delay_));
      return (std::conj(1.0 + L) * moved).real();
    };
    for (int k = 0; k < 100 && b - a > 1e-15 * b; ++k) {
      const double middle = (a + b) / 2;
      if (middle <= a || middle >= b) break;
      (slope(middle) < 0 ? a : b) = middle;
    }
    const double nu = (a + b) / 2, value = std::abs(1.0 + open_loop(nu));
    if (value < best) best = value, found_at_ = nu;
  }
  const bool falls = !grid.empty() && 1 - height(grid.back()) >= best;
  return {best, falls};
}

template <class Add>
void AxisMeasures::for_coefficients(double nu, const Add& add) const {
  if (std::isinf(nu)) {  // only the leading coefficients count there
    if (n_.size() == d_.size()) add(true, n_.size() - 1, Complex(1 / n_.back()), Complex(0), Complex(0));
    add(false, d_.size() - 1, Complex(-1 / d_.back()), Complex(0), Complex(0));
    return;
  }
  const Point p = at(nu);
  const Complex s(0, nu), turn(0, 1);
  Complex power = 1, below = 0;  // (jν)^i and i (jν)^(i − 1)
  for (std::size_t i = 0; i < std::max(n_.size(), d_.size()); ++i) {
    if (i < n_.size()) add(true, i, power / p.n, turn * (below / p.n - power * p.n1 / (p.n * p.n)), p.slope());
    if (i < d_.size()) add(false, i, -power / p.d, -turn * (below / p.d - power * p.d1 / (p.d * p.d)), p.slope());
    below = static_cast<double>(i + 1) * power;
    power *= s;
  }
}

bool AxisMeasures::slopes(const BaseMeasure& base, CoefficientSlopes& result) {
  n_slopes_.assign(n_.size(), 0.0);
  d_slopes_.assign(d_.size(), 0.0);
  result.delay = 0;
  if (n_.empty() || std::isnan(found_at_)) {
    back(result);
    return true;
  }
  const double nu = base.kind == MeasureKind::dc ? 0 : found_at_;
  const bool fixed = nu == 0 || std::isinf(nu);  // by symmetry
  const Point p = fixed ? Point{} : at(nu);
  const double moved_by_delay = is_margin(base.kind) ? delay_ * (fixed ? 0 : axis_slope(nu)) : 0;
  const Complex by_frequency = fixed ? Complex(0) : p.slope() - Complex(0, moved_by_delay);
  const double curve = fixed ? 0 : p.curvature().real();
  const double start = n_[0] / d_[0];
  const Complex L = fixed ? (nu == 0 ? Complex(start) : Complex(n_.size() == d_.size() ? n_.back() / d_.back() : 0))
                    : is_margin(base.kind) ? open_loop(nu)
                                           : p.n / p.d;
  const auto value = [&](const Complex& l, const Complex& l_nu, bool above, std::size_t i) -> double {
    switch (base.kind) {
      case MeasureKind::dc: return start * l.real();
      case MeasureKind::gain: return std::abs(L) * l.real();
      case MeasureKind::db: return decibel * l.real();
      case MeasureKind::phase: return degrees * l.imag();
      case MeasureKind::peak: return std::abs(L) * l.real();
      case MeasureKind::peak_frequency: return fixed ? 0 : -l_nu.real() / curve * axis_slope(nu);
      case MeasureKind::bandwidth: {
        const double still = i == 0 ? (above ? 1 / n_[0] : -1 / d_[0]) : 0;
        return -(l.real() - still) / by_frequency.real() * axis_slope(nu);
      }
      case MeasureKind::gain_margin:
        return -decibel * (l.real() - (fixed ? 0 : by_frequency.real() * l.imag() / by_frequency.imag()));
      case MeasureKind::phase_margin: return degrees * (l.imag() - by_frequency.imag() * l.real() / by_frequency.real());
      case MeasureKind::delay_margin: {
        const double moved = -l.real() / by_frequency.real(), w = from_axis(nu);
        double angle = std::numbers::pi + std::arg(L);
        if (angle > std::numbers::pi) angle -= 2 * std::numbers::pi;
        if (angle < -1e-11) angle += 2 * std::numbers::pi;
        return (l.imag() + by_frequency.imag() * moved) / w - angle / (w * w) * moved * axis_slope(nu);
      }
      case MeasureKind::modulus_margin: return (std::conj(1.0 + L) * L * l).real() / std::abs(1.0 + L);
      default: return nothing;
    }
  };
  for_coefficients(nu, [&](bool above, std::size_t i, const Complex& l, const Complex& l_nu, const Complex&) {
    (above ? n_slopes_ : d_slopes_)[i] = value(l, l_nu, above, i);
  });
  if (base.kind == MeasureKind::phase) result.delay = -base.at * degrees;
  if (is_margin(base.kind) && delay_ != 0) result.delay = value(Complex(0, -from_axis(nu)), Complex(0), false, 1);
  back(result);
  return std::ranges::all_of(result.numerator, [](double x) { return std::isfinite(x); }) &&
         std::ranges::all_of(result.denominator, [](double x) { return std::isfinite(x); });
}

/// From the coefficients of the image to those of the fraction.
void AxisMeasures::back(CoefficientSlopes& result) const {
  const auto one = [&](std::vector<double>& to, const std::vector<double>& from, const std::vector<std::vector<double>>& map) {
    if (!op_.discrete()) {
      to = from;
      double power = 1;
      for (double& slope : to) slope *= power, power *= unit_;
      return;
    }
    to.assign(map.size(), 0.0);
    for (std::size_t k = 0; k < map.size(); ++k)
      for (std::size_t j = 0; j < from.size(); ++j) to[k] += map[k][j] * from[j];
  };
  one(result.numerator, n_slopes_, n_map_);
  one(result.denominator, d_slopes_, d_map_);
}

}  // namespace sfg
