#include "sfg/study/measures/exact_measure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/control/margins.hpp"
#include "sfg/control/on_axis.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/measures/pole_measures.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;
using Value = std::optional<double>;

Value finite(double x) { return std::isfinite(x) ? Value(x) : std::nullopt; }

/// The poles, whatever dead times are on the ways.
PolesZeros poles_of(const ExactTransfer& T) {
  if (!T.denominator.rational()) return poles_zeros(T);  // which says why not
  return poles_zeros(T.denominator.polynomial().coefficients(), T.op);
}

/// Without the dead time of the whole numerator.
ExactTransfer without_delay(ExactTransfer T) {
  for (auto& part : T.numerator.parts)
    if (T.numerator.parts.size() == 1) part.delay = 0;
  return T;
}

/// T on the axis as a function of x = ω² (in z of x = tan²(ωh/2)).
class Axis {
 public:
  explicit Axis(const ExactTransfer& T) : T_(T) {
    if (!T.denominator.rational() || T.numerator.parts.size() > 1)
      throw NoAnswer("several dead times, or one inside a loop, make no polynomial on the axis", Advice::pade);
    ExactTransfer undelayed = without_delay(T);
    if (T.op.discrete()) undelayed = axis_image(undelayed);
    above_ = OnAxis(undelayed.numerator.polynomial()).squared_magnitude();
    below_ = OnAxis(undelayed.denominator.polynomial()).squared_magnitude();
  }

  double frequency(const exact::RealRoot& x) const {
    const double root = std::sqrt(x.value);
    return T_.op.discrete() ? 2 * std::atan(root) / T_.op.period().to_double() : root;
  }
  double magnitude(double w) const { return std::abs(value_at(T_, T_.op.at_frequency(w))); }

  /// Frequency and height of the greatest magnitude; nothing where it is approached at infinity or there is a pole.
  std::optional<std::pair<double, double>> peak() const {
    if (!positive_roots(without_roots(below_, above_)).empty()) return {};
    std::pair<double, double> best{0, magnitude(0)};
    const RationalPolynomial slope = above_.derivative() * below_ - above_ * below_.derivative();
    const auto candidate = [&](double w) {
      if (const double height = magnitude(w); height > best.second) best = {w, height};
    };
    for (const exact::RealRoot& x : positive_roots(slope)) candidate(frequency(x));
    if (T_.op.discrete()) {
      candidate(std::numbers::pi / T_.op.period().to_double());
    } else if (above_.degree() >= below_.degree()) {
      const double last = above_.degree() > below_.degree() ? std::numeric_limits<double>::infinity()
                                                            : std::sqrt((above_.leading() / below_.leading()).to_double());
      if (last > best.second && !slope.is_zero()) return {};
    }
    if (!std::isfinite(best.second)) return {};
    return best;
  }

  Value bandwidth() const {
    const exact::Rational n = above_.at(exact::Rational(0)), d = below_.at(exact::Rational(0));
    if (n.sign() == 0 || d.sign() == 0) return {};
    const RationalPolynomial fallen = above_ * RationalPolynomial::constant(2 * d) - below_ * RationalPolynomial::constant(n);
    const std::vector<exact::RealRoot> crossings = positive_roots(fallen);
    return crossings.empty() ? std::nullopt : Value(frequency(crossings.front()));
  }

 private:
  const ExactTransfer& T_;
  RationalPolynomial above_, below_;
};

/// Figures are of a stable T; with dead time inside a loop it is the response that tells.
Value step_figure(const ExactTransfer& T, MeasureKind kind) {
  if (T.denominator.rational() && !poles_of(T).stable) return {};
  const NamedResponse response = [&] {
    const double until = step_range(T);
    std::vector<double> times;
    if (T.op.discrete())
      times = sample_times(until, T.op.period());
    else
      for (int i = 0; i <= 200; ++i) times.push_back(until * i / 200);
    return responses(std::span(&T, 1), Excitation::step, times).front();
  }();
  switch (kind) {
    case MeasureKind::final: return response.value.final ? Value(response.value.final->to_double()) : std::nullopt;
    case MeasureKind::rise: return response.figures.rise_time;
    case MeasureKind::settling: return response.figures.settling_time;
    default: return response.figures.overshoot;
  }
}

Value step_at(const ExactTransfer& T, double t) {
  if (!T.op.discrete()) return finite(step_response(T, std::span(&t, 1)).value.front());
  const double count = std::floor(t / T.op.period().to_double() * (1 + 1e-12));
  if (count > 1e6) throw LimitReached("the step response after a million samples");
  const auto samples = static_cast<std::size_t>(count);
  std::vector<double> times;
  for (std::size_t k = 0; k <= samples; ++k) times.push_back(static_cast<double>(k) * T.op.period().to_double());
  return finite(responses(std::span(&T, 1), Excitation::step, times).front().value.value.back());
}

std::vector<Mode> modes_of(const ExactTransfer& T) {
  std::vector<Mode> modes;
  for (const Mode& mode : poles_of(T).modes)
    if (mode.pole.imaginary.sign() >= 0) modes.insert(modes.end(), mode.pole.multiplicity, mode);
  std::ranges::stable_sort(modes, {}, &Mode::frequency);
  return modes;
}

Value measure_of_poles(const ExactTransfer& T, const BaseMeasure& base) {
  const std::vector<Mode> modes = modes_of(T);
  Value found;
  for (const Mode& mode : modes) {
    if (base.kind == MeasureKind::abscissa)
      found = std::max(found.value_or(-HUGE_VAL), T.op.in_s(mode.pole.value).real());
    else if (base.kind == MeasureKind::damping && oscillates(T.op, mode.pole.value))
      found = std::min(found.value_or(HUGE_VAL), mode.damping);
  }
  if (base.mode == 0) return found ? finite(*found) : found;
  if (base.mode > modes.size()) return {};
  const Mode& mode = modes[base.mode - 1];
  return finite(base.kind == MeasureKind::mode_frequency ? mode.frequency : mode.damping);
}

template <class Crossing>
Value lowest(const std::vector<Crossing>& crossings) {
  const auto first = std::ranges::min_element(crossings, {}, &Crossing::frequency);
  return first == crossings.end() ? std::nullopt : Value(first->frequency);
}

Value margin_of(const ExactTransfer& loop, MeasureKind kind) {
  const Margins found = margins(loop);
  switch (kind) {
    case MeasureKind::gain_margin: return found.gain_margin_db;
    case MeasureKind::phase_margin: return found.phase_margin_deg;
    case MeasureKind::modulus_margin: return found.modulus_margin;
    case MeasureKind::disk_margin: return found.disk.empty() ? std::nullopt : finite(found.disk.front().radius);
    case MeasureKind::gain_crossover: return lowest(found.gain_crossovers);
    case MeasureKind::phase_crossover: return lowest(found.phase_crossovers);
    default: return found.delay_margin;
  }
}

/// 1/(1 + L) at rest; the limit where there is a pole.
Value dc_error(const ExactTransfer& loop) {
  const std::complex<double> L = value_at(loop, loop.op.at_frequency(0));
  if (std::isinf(std::abs(L))) return 0;
  return finite(1 / (1 + L.real()));
}

Value constant_of(const ExactTransfer& loop, MeasureKind kind) {
  if (!loop.denominator.rational() || loop.numerator.parts.size() > 1)
    throw NoAnswer("of several dead times, or one inside a loop, there are no error constants here", Advice::pade);
  const ErrorConstants found = error_constants(loop);
  if (kind == MeasureKind::type) return static_cast<double>(found.type);
  const auto& value = found.constants[kind == MeasureKind::position_constant   ? 0
                                      : kind == MeasureKind::velocity_constant ? 1
                                                                               : 2];
  return value ? double_value(*value) : std::nullopt;
}

Value on_axis(const ExactTransfer& T, const BaseMeasure& base) {
  const FrequencyResponse response = frequency_response(T, std::span(&base.at, 1));
  switch (base.kind) {
    case MeasureKind::gain: return finite(std::abs(response.value.front()));
    case MeasureKind::db: return finite(response.magnitude_db.front());
    default: return finite(response.phase_deg.front());
  }
}

}  // namespace

std::optional<double> exact_measure(const ExactTransfer& T, const ExactTransfer& loop, const BaseMeasure& base) {
  switch (base.kind) {
    case MeasureKind::dc: return finite(value_at(T, T.op.at_frequency(0)).real());
    case MeasureKind::gain:
    case MeasureKind::db:
    case MeasureKind::phase: return on_axis(T, base);
    case MeasureKind::peak:
    case MeasureKind::peak_frequency: {
      const auto peak = Axis(T).peak();
      if (!peak) return {};
      return base.kind == MeasureKind::peak ? peak->second : peak->first;
    }
    case MeasureKind::bandwidth: return Axis(T).bandwidth();
    case MeasureKind::gain_margin:
    case MeasureKind::phase_margin:
    case MeasureKind::modulus_margin:
    case MeasureKind::delay_margin:
    case MeasureKind::disk_margin:
    case MeasureKind::gain_crossover:
    case MeasureKind::phase_crossover: return margin_of(loop, base.kind);
    case MeasureKind::dc_error: return dc_error(loop);
    case MeasureKind::position_constant:
    case MeasureKind::velocity_constant:
    case MeasureKind::acceleration_constant:
    case MeasureKind::type: return constant_of(loop, base.kind);
    case MeasureKind::rise:
    case MeasureKind::settling:
    case MeasureKind::overshoot:
    case MeasureKind::final: return step_figure(T, base.kind);
    case MeasureKind::step: return step_at(T, base.at);
    case MeasureKind::abscissa:
    case MeasureKind::damping:
    case MeasureKind::mode_frequency:
    case MeasureKind::mode_damping: return measure_of_poles(T, base);
    case MeasureKind::noise: return {};  // of no transfer function: noise_rms()
  }
  return {};
}

}  // namespace sfg
