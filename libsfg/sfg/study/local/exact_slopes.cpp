// What a measure reads off a curve moves with the curve: a value at a fixed place by the curve's own derivative, the place of a
// level by −(∂f/∂k)/(∂f/∂place), a greatest value by the derivative at its place, which does not count itself.
#include "sfg/study/local/exact_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/local/exact_sensitivity.hpp"
#include "sfg/study/measures/exact_measure.hpp"
#include "sfg/study/measures/pole_measures.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

/// d ln T / ds at a point, of T = e^(−τs) N/D.
Complex logarithmic_slope(const ExactTransfer& T, Complex s) {
  const exact::RationalPolynomial &n = T.numerator.parts.front().polynomial, d = T.denominator.polynomial();
  return n.derivative().at(s) / n.at(s) - d.derivative().at(s) / d.at(s) - T.numerator.parts.front().delay.to_double();
}

/// How a figure of a pole p moves with it.
double figure_slope(MeasureKind kind, Complex p, Complex moved) {
  if (kind == MeasureKind::abscissa) return moved.real();
  const double size = std::abs(p), frequency = (std::conj(p) * moved).real() / size;
  if (kind == MeasureKind::mode_frequency) return frequency;
  return p.imag() == 0 ? 0 : -(moved.real() - p.real() * frequency / size) / size + 0.0;
}

}  // namespace

ExactSlopes::ExactSlopes(StudiedGraph studied, Question question, ExactTransfer T, TransferOptions options)
    : studied_(std::move(studied)), question_(std::move(question)), T_(std::move(T)), options_(std::move(options)) {}

double ExactSlopes::operator()(const BaseMeasure& base, double value, std::size_t parameter) try {
  options_.budget.check("the derivatives of the measures");
  switch (base.kind) {
    case MeasureKind::dc:
    case MeasureKind::gain:
    case MeasureKind::peak:
    case MeasureKind::bandwidth: return of_axis(base, value, sensitivity(parameter));
    case MeasureKind::rise:
    case MeasureKind::settling:
    case MeasureKind::overshoot:
    case MeasureKind::final:
    case MeasureKind::step: return of_step(base, value, sensitivity(parameter));
    case MeasureKind::abscissa:
    case MeasureKind::damping:
    case MeasureKind::mode_frequency:
    case MeasureKind::mode_damping: return of_poles(base, parameter);
    default: return undefined;
  }
} catch (const NoAnswer&) {
  return undefined;
} catch (const LimitReached&) {
  options_.budget.check("the derivatives of the measures");  // it was the time that ended
  return undefined;
}

GiNaC::exmap ExactSlopes::derived() const { return definitions(studied_.graph.symbols); }

const ExactTransfer& ExactSlopes::sensitivity(std::size_t parameter) {
  auto known = known_.find(parameter);
  if (known == known_.end())
    known = known_.emplace(parameter, exact_sensitivity(studied_, question_, studied_.parameters[parameter], options_)).first;
  return known->second;
}

double ExactSlopes::response(const ExactTransfer& of, double t) const {
  return step_response(of, std::span(&t, 1), {.budget = options_.budget}).value.front();
}

double ExactSlopes::rate(double t) const {
  return impulse_response(T_, std::span(&t, 1), {.budget = options_.budget}).value.front();
}

/// The first time at which the step response has this value: bracketed by samples, then bisected.
std::optional<double> ExactSlopes::crossing(double level) const {
  constexpr int samples = 2000, bisections = 60;
  double until = settling_range(T_);  // of a multiple pole it takes longer
  const double sign = level < 0 ? -1 : 1;
  for (int doublings = 0; doublings < 6 && sign * (response(T_, until) - level) < 0; ++doublings) until *= 2;
  std::vector<double> times;
  for (int i = 0; i <= samples; ++i) times.push_back(until * i / samples);
  const std::vector<double> y = step_response(T_, times, {.budget = options_.budget}).value;
  const auto beyond = std::ranges::find_if(y, [&](double v) { return sign * (v - level) >= 0; });
  if (beyond == y.begin() || beyond == y.end()) return {};
  double high = times[static_cast<std::size_t>(beyond - y.begin())], low = high - until / samples;
  for (int i = 0; i < bisections && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (sign * (response(T_, middle) - level) >= 0 ? high : low) = middle;
    if (high - low <= 4 * std::numeric_limits<double>::epsilon() * high) break;
  }
  return high;
}

double ExactSlopes::of_step(const BaseMeasure& base, double value, const ExactTransfer& slope) const {
  const bool discrete = T_.op.discrete();
  if (base.kind == MeasureKind::step) {
    const double h = T_.op.period().to_double();
    return response(slope, discrete ? std::floor(base.at / h * (1 + 1e-12)) * h : base.at);
  }
  const Complex at_rest = T_.op.at_frequency(0);
  const double last = value_at(T_, at_rest).real(), last_slope = value_at(slope, at_rest).real();
  if (base.kind == MeasureKind::final) return last_slope;
  if (discrete) return undefined;
  const auto level_time = [&](double t, double level) { return (level * last_slope - response(slope, t)) / rate(t); };
  if (base.kind == MeasureKind::settling) return level_time(value, response(T_, value) / last);
  if (base.kind == MeasureKind::rise) {
    const auto begin = crossing(0.1 * last), end = crossing(0.9 * last);
    constexpr double agreeing = 1e-6;
    if (!begin || !end || !(std::abs(*end - *begin - value) <= agreeing * value)) return undefined;
    return level_time(*end, 0.9) - level_time(*begin, 0.1);
  }
  if (value == 0) return 0;  // nothing overshoots, nor does it nearby
  const std::vector<double> shown{0, settling_range(T_)};
  const double t = step_figures(T_, step_response(T_, shown), {.budget = options_.budget}).peak_time;
  return 100 * (response(slope, t) / last - response(T_, t) * last_slope / (last * last));
}

double ExactSlopes::of_axis(const BaseMeasure& base, double value, const ExactTransfer& slope) const {
  const auto at = [&](double w) { return T_.op.at_frequency(w); };
  const auto height_slope = [&](double w) {  // ∂|T|/∂k
    const Complex T = value_at(T_, at(w));
    return (std::conj(T) * value_at(slope, at(w))).real() / std::abs(T);
  };
  if (base.kind == MeasureKind::dc) return value_at(slope, at(0)).real();
  if (base.kind == MeasureKind::gain) return height_slope(base.at);
  if (base.kind == MeasureKind::peak) {
    const auto w = exact_measure(T_, T_, {MeasureKind::peak_frequency, 0, 0});
    return w ? height_slope(*w) : undefined;
  }
  if (T_.numerator.parts.size() != 1 || !T_.denominator.rational()) return undefined;
  const Complex s = at(value), ds = T_.op.discrete() ? Complex(0, T_.op.period().to_double()) * s : Complex(0, 1);
  const double along = std::abs(value_at(T_, s)) * (logarithmic_slope(T_, s) * ds).real();  // ∂|T|/∂ω
  return (height_slope(0) / std::sqrt(2.0) - height_slope(value)) / along;
}

double ExactSlopes::of_poles(const BaseMeasure& base, std::size_t parameter) {
  if (!poles_) poles_ = root_sensitivities(studied_, question_, RootsOf::denominator, options_);
  const auto s = [&](const RootSensitivity& mode) { return T_.op.in_s(mode.root.value); };
  const auto figure = [&](const RootSensitivity& mode) {
    const Complex p = s(mode);
    if (base.kind == MeasureKind::abscissa) return p.real();
    return base.kind == MeasureKind::damping ? -p.real() / std::abs(p) : std::abs(p);
  };
  std::vector<const RootSensitivity*> modes;
  for (const RootSensitivity& pole : poles_->roots)
    if (pole.root.imaginary.sign() >= 0 && (base.kind != MeasureKind::damping || oscillates(T_.op, pole.root.value)))
      modes.insert(modes.end(), pole.root.multiplicity, &pole);
  std::ranges::stable_sort(modes, {}, [&](const auto* each) { return figure(*each); });
  if (base.kind == MeasureKind::abscissa) std::ranges::reverse(modes);
  const std::size_t chosen = base.mode > 0 ? base.mode - 1 : 0;
  if (chosen >= modes.size()) return undefined;
  // of several that have it in common, the figure has a derivative only where all move alike
  double found = undefined;
  constexpr double same = 1e-12, alike = 1e-9;
  for (const RootSensitivity* mode : modes) {
    const double size = std::abs(s(*modes[chosen]));
    if (std::abs(figure(*mode) - figure(*modes[chosen])) > same * size || (base.mode > 0 && mode != modes[chosen])) continue;
    if (!mode->together[parameter]) return undefined;
    const double slope =
        figure_slope(base.kind, s(*mode),
                     T_.op.discrete() ? *mode->together[parameter] / (mode->root.value * T_.op.period().to_double())
                                      : *mode->together[parameter]);
    if (!std::isnan(found) && std::abs(slope - found) > alike * (std::abs(slope) + std::abs(found))) return undefined;
    if (std::isnan(found)) found = slope;
  }
  return found;
}

}  // namespace sfg
