// A simple root p of D moves by dp = −Σ p^i dD_i / D′(p).
#include "sfg/study/pole_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/study/number_polynomials.hpp"

namespace sfg {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

PoleMeasures::PoleMeasures(const Operator& op, std::span<const double> denominator, std::span<const Complex> poles, double unit)
    : op_(op), unit_(op.discrete() ? 1 : unit), period_(op.period().to_double()) {
  scale(nominal_, denominator, unit_);
  for (const Complex& p : poles) start_.push_back(p / unit_);
  for (std::size_t i = 0; i < start_.size(); ++i)
    if (start_[i].imag() >= 0) modes_.push_back(i);
  std::ranges::stable_sort(modes_, {}, [this](std::size_t i) { return std::abs(in_s(start_[i])); });
}

void PoleMeasures::set(std::span<const double> denominator) {
  scale(d_, denominator, unit_);
  known_ = followed_ = false;
}

PoleMeasures::Complex PoleMeasures::in_s(Complex root) const {
  if (!op_.discrete()) return root * unit_;
  return Complex(std::log(std::abs(root)), std::arg(root)) / period_;
}

std::span<const PoleMeasures::Complex> PoleMeasures::poles() {
  if (known_) return found_;
  known_ = true;
  found_.clear();
  if (start_.empty() || d_.back() == 0 || start_.size() + 1 != d_.size()) return found_;
  for (const Complex& root : roots_(d_, start_)) found_.push_back(root * unit_);
  return found_;
}

/// The nominal poles, each followed to where it goes while the coefficients move on a straight line.
bool PoleMeasures::follow() {
  if (followed_) return tracked_well_;
  followed_ = true;
  tracked_ = start_;
  constexpr int halvings = 24;
  return tracked_well_ = follow(0, 1, halvings);
}

/// One step is enough where every root is much nearer to one of the roots before than to any other.
bool PoleMeasures::follow(double from, double to, int depth) {
  between_.resize(d_.size());
  for (std::size_t i = 0; i < d_.size(); ++i) between_[i] = (1 - to) * nominal_[i] + to * d_[i];
  const std::span<const Complex> roots = roots_(between_, tracked_);
  bool clear = !roots.empty();
  next_.assign(tracked_.size(), 0.0);
  std::vector<char> used(roots.size(), 0);
  for (std::size_t i = 0; clear && i < tracked_.size(); ++i) {
    std::size_t nearest = 0;
    double first = std::numeric_limits<double>::infinity(), second = first;
    for (std::size_t j = 0; j < roots.size(); ++j) {
      const double distance = std::abs(roots[j] - tracked_[i]);
      if (distance < first)
        second = first, first = distance, nearest = j;
      else
        second = std::min(second, distance);
    }
    clear = (4 * first <= second || depth == 0) && !used[nearest];
    if (clear) used[nearest] = 1, next_[i] = roots[nearest];
  }
  if (clear) {
    tracked_ = next_;
    return true;
  }
  if (depth == 0) return false;
  const double middle = (from + to) / 2;
  return follow(from, middle, depth - 1) && follow(middle, to, depth - 1);
}

FoundMeasure PoleMeasures::of_mode(const BaseMeasure& base) {
  if (base.mode > modes_.size()) return {nothing};
  if (!follow()) return {nothing, false};
  at_ = tracked_[modes_[base.mode - 1]];
  const Complex p = in_s(at_);
  const double size = std::abs(p);
  if (!std::isfinite(size)) return {nothing};
  if (base.kind == MeasureKind::mode_frequency) return {size};
  return {size == 0 ? 1 : 0.0 - p.real() / size};
}

FoundMeasure PoleMeasures::operator()(const BaseMeasure& base) {
  if (base.mode > 0) return of_mode(base);
  if (start_.empty()) return {nothing};
  const std::span<const Complex> all = poles();
  if (all.empty()) return {nothing, false};
  double best = nothing;
  for (const Complex& root : all) {
    const Complex z = root / unit_, p = in_s(z);
    const bool abscissa = base.kind == MeasureKind::abscissa;
    if (root.imag() < 0 || (!abscissa && root.imag() == 0)) continue;
    const double value = abscissa ? p.real() : 0.0 - p.real() / std::abs(p);
    if (std::isnan(best) || (abscissa ? value > best : value < best)) best = value, at_ = z;
  }
  return {std::isfinite(best) ? best : nothing};
}

bool PoleMeasures::slopes(const BaseMeasure& base, CoefficientSlopes& result) {
  std::ranges::fill(result.numerator, 0.0);
  result.denominator.resize(d_.size());
  result.delay = 0;
  Complex slope = 0, value = 0;
  for (std::size_t i = d_.size(); i-- > 0;) {
    slope = slope * at_ + value;
    value = value * at_ + d_[i];
  }
  const Complex p = in_s(at_), outer = op_.discrete() ? 1.0 / (at_ * period_) : Complex(unit_);
  const double size = std::abs(p);
  Complex power = 1;
  double factor = 1;
  bool finite = true;
  for (std::size_t i = 0; i < d_.size(); ++i) {
    const Complex moved = -power / slope * outer;
    double change = moved.real();
    if (base.kind == MeasureKind::mode_frequency) change = (std::conj(p) * moved).real() / size;
    if (base.kind == MeasureKind::mode_damping || base.kind == MeasureKind::damping)
      change = -moved.real() / size + p.real() * (std::conj(p) * moved).real() / (size * size * size);
    result.denominator[i] = change * factor;
    finite = finite && std::isfinite(result.denominator[i]);
    power *= at_;
    factor *= unit_;
  }
  return finite;
}

}  // namespace sfg
