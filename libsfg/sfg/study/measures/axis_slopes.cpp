// With l = ln T, ∂l/∂N_i = (jν)^i/N and ∂l/∂D_i = −(jν)^i/D; a frequency that is defined by g(ν, c) = 0 moves by −g_c/g_ν.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/numeric/numbers.hpp"
#include "sfg/study/measures/axis_measures.hpp"

namespace sfg {

namespace {

constexpr double touching = 1e-9;  // what is left of a distance 0
const double decibel = 20.0 / std::log(10.0);

}  // namespace

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
  if (!n_.empty() && !std::isnan(found_at_)) {
    if (base.kind == MeasureKind::disk_margin)
      disk_slopes(result);
    else if (base.kind >= MeasureKind::dc_error && base.kind <= MeasureKind::type)
      slopes_at_rest(base.kind);
    else
      slopes_on_axis(base, result);
  }
  back(result);
  return std::ranges::all_of(result.numerator, [](double x) { return std::isfinite(x); }) &&
         std::ranges::all_of(result.denominator, [](double x) { return std::isfinite(x); });
}

void AxisMeasures::slopes_on_axis(const BaseMeasure& base, CoefficientSlopes& result) {
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
      case MeasureKind::gain_crossover: return -l.real() / by_frequency.real() * axis_slope(nu);
      case MeasureKind::phase_crossover: return fixed ? 0 : -l.imag() / by_frequency.imag() * axis_slope(nu);
      case MeasureKind::modulus_margin:
        // through −1 the distance is |Im(L_k/L_ν)| |L_ν| |δk|: of both signs, as the one that is 0 says
        if (std::abs(1.0 + L) < touching)
          return fixed ? (L * l).real() : (std::conj(by_frequency) * l).imag() / std::abs(by_frequency);
        return (std::conj(1.0 + L) * L * l).real() / std::abs(1.0 + L);
      default: return undefined;
    }
  };
  for_coefficients(nu, [&](bool above, std::size_t i, const Complex& l, const Complex& l_nu, const Complex&) {
    (above ? n_slopes_ : d_slopes_)[i] = value(l, l_nu, above, i);
  });
  if (base.kind == MeasureKind::phase) result.delay = -base.at * degrees;
  if (is_margin(base.kind) && delay_ != 0) result.delay = value(Complex(0, -from_axis(nu)), Complex(0), false, 1);
}

/// α = 2|N + D|/|N − D|: δα = α Re 2 (D δN − N δD)/(D² − N²).
void AxisMeasures::disk_slopes(CoefficientSlopes& result) {
  if (std::isinf(found_at_)) {
    const std::size_t k = std::max(n_.size(), d_.size()) - 1;
    const double n = k < n_.size() ? n_[k] : 0, d = k < d_.size() ? d_[k] : 0, weight = 2 * found_ / (d * d - n * n);
    if (k < n_.size()) n_slopes_[k] = weight * d;
    if (k < d_.size()) d_slopes_[k] = -weight * n;
    return;
  }
  const Point p = at(found_at_);
  const double w = from_axis(found_at_);
  const Complex turned = std::polar(1.0, -w * delay_), n = p.n * turned, weight = 2 * found_ / (p.d * p.d - n * n);
  Complex power = 1;
  for (std::size_t i = 0; i < std::max(n_.size(), d_.size()); ++i, power *= Complex(0, found_at_)) {
    if (i < n_.size()) n_slopes_[i] = (weight * p.d * turned * power).real();
    if (i < d_.size()) d_slopes_[i] = -(weight * n * power).real();
  }
  if (delay_ != 0) result.delay = (weight * p.d * n * Complex(0, -w)).real();
}

/// Only the lowest coefficients count, and none where a limit is 0 or the type of the loop stays.
void AxisMeasures::slopes_at_rest(MeasureKind kind) {
  const auto [zeros, poles] = at_rest_;
  if (kind == MeasureKind::dc_error && zeros == poles) {
    const double n = n_[zeros], d = d_[poles], square = (n + d) * (n + d);
    n_slopes_[zeros] = -d / square;
    d_slopes_[poles] = n / square;
  } else if (kind != MeasureKind::dc_error && kind != MeasureKind::type) {
    const std::size_t order = kind == MeasureKind::position_constant ? 0 : kind == MeasureKind::velocity_constant ? 1 : 2;
    if (const double value = error_constant(order).value; poles == zeros + order) {
      n_slopes_[zeros] = value / n_[zeros];
      d_slopes_[poles] = -value / d_[poles];
    }
  }
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
