#include "sfg/response/time_response.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/response/time_function.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

double last_of(std::span<const double> times) { return times.empty() ? 0.0 : times.back(); }

/// The value at 0+ of the time function of T/s^order, impulses apart: what carries a dead time comes later.
exact::Rational initial_value(const ExactTransfer& transfer, std::size_t order) {
  if (transfer.numerator.parts.empty() || transfer.numerator.parts.front().delay.sign() != 0) return 0;
  const RationalPolynomial below = transfer.denominator.parts.front().polynomial.shifted_up(order);
  const RationalPolynomial rest = divided(transfer.numerator.parts.front().polynomial, below).second;
  if (rest.is_zero() || rest.degree() + 1 < below.degree()) return 0;
  return rest.leading() / below.leading();
}

/// Of T/s^order.
QuasiPolynomial denominator_of(const ExactTransfer& transfer, std::size_t order) {
  return product(transfer.denominator, RationalPolynomial::constant(1).shifted_up(order));
}

TimeResponse response(const ExactTransfer& transfer, std::size_t order, std::span<const double> times,
                      const ResponseOptions& options) {
  const QuasiPolynomial denominator = denominator_of(transfer, order);
  const TimeFunction function(transfer.numerator, denominator, last_of(times), options.pade_order, options.budget);
  TimeResponse result;
  result.time.assign(times.begin(), times.end());
  result.value = function.at(times);
  for (double& value : result.value) value *= options.amplitude;
  const exact::Rational factor = decimal_rational(options.amplitude);
  result.impulses = function.impulses();
  for (auto& impulse : result.impulses) impulse.weight *= factor;
  result.impulses = added(std::move(result.impulses));  // none of amplitude 0
  result.initial = initial_value(transfer, order) * factor;
  result.notes = function.notes();
  const LongTerm later = long_term(transfer.numerator, denominator, options.budget);
  if (later.kind == LongTerm::Kind::settles) result.final = later.limit * factor;
  result.final_known = later.kind != LongTerm::Kind::unknown;
  return result;
}

}  // namespace

TimeResponse step_response(const ExactTransfer& transfer, std::span<const double> times, const ResponseOptions& options) {
  return response(transfer, 1, times, options);
}

TimeResponse impulse_response(const ExactTransfer& transfer, std::span<const double> times, const ResponseOptions& options) {
  return response(transfer, 0, times, options);
}

namespace {

constexpr double band = 0.02;  ///< about the final value

/// The step response, as finely as it takes.
class FineResponse {
 public:
  FineResponse(const ExactTransfer& transfer, double until, const ResponseOptions& options)
      : step_(transfer.numerator, denominator_of(transfer, 1), until, options.pade_order, options.budget),
        amplitude_(options.amplitude),
        until_(until) {
    for (const auto& part : transfer.numerator.parts) jumps_.push_back(part.delay.to_double());
    if (!transfer.denominator.rational() || transfer.op.discrete()) return;
    for (const std::complex<double>& pole : exact::root_values(transfer.denominator.polynomial().coefficients()))
      if (pole != 0.0) poles_.push_back(pole);
  }
  double until() const { return until_; }

  /// Samples at even times up to the end and again up to a half, a quarter … of it until those cover the range and what is
  /// fastest, some for every turn of what still oscillates; at the times asked for, and on both sides of what the dead time of
  /// the numerator brings late.
  void sample(double range, std::span<const double> more) {
    constexpr int most_halvings = 40;
    double shortest = range;
    for (const std::complex<double>& pole : poles_) shortest = std::min(shortest, 4 / std::abs(pole));
    double end = until_;
    for (int halvings = 0;; ++halvings, end /= 2) {
      const bool last = end <= shortest || halvings == most_halvings;
      const std::size_t even = samples_up_to(end, last ? 0 : end / 2);
      for (std::size_t i = last ? 0 : even / 2; i <= even; ++i)
        time.push_back(end * static_cast<double>(i) / static_cast<double>(even));
      if (last) break;
    }
    time.insert(time.end(), more.begin(), more.end());
    constexpr double just_before = 1 - 1e-12;
    for (const double jump : jumps_)
      if (jump <= until_) time.insert(time.end(), {jump * just_before, jump});
    std::sort(time.begin(), time.end());
    time.erase(std::unique(time.begin(), time.end()), time.end());
    value = step_.at(time);
    for (double& y : value) y *= amplitude_;
  }

  /// Adds the extrema of the samples that stay in the band about the final value by little: the response may leave it there.
  void add_extrema(double final) {
    const double width = band * std::abs(final);
    std::vector<std::pair<double, double>> found;
    for (std::size_t i = 1; i + 1 < time.size(); ++i) {
      const double off = value[i] - final, sign = off < 0 ? -1 : 1;
      constexpr double near = 0.5;
      if (std::abs(off) > width || std::abs(off) < near * width) continue;
      if (sign * value[i] >= sign * value[i - 1] && sign * value[i] > sign * value[i + 1]) found.push_back(extremum(i, sign));
    }
    for (const auto& [t, y] : found) {
      const auto at = std::upper_bound(time.begin(), time.end(), t) - time.begin();
      time.insert(time.begin() + at, t);
      value.insert(value.begin() + at, y);
    }
  }

  /// Where the level is crossed between the samples i − 1 and i.
  double crossing(std::size_t i, double level) const {
    double a = time[i - 1], b = time[i];
    const bool rising = value[i] > value[i - 1];
    for (int k = 0; k < 60 && b - a > 1e-14 * b; ++k) {
      const double middle = (a + b) / 2;
      ((at(middle) < level) == rising ? a : b) = middle;
    }
    return (a + b) / 2;
  }

  /// Maximum of sign·y beside the sample i, by golden section; never less than the sample.
  std::pair<double, double> extremum(std::size_t i, double sign) const {
    if (i == 0 || i + 1 == time.size()) return {time[i], value[i]};
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double a = time[i - 1], b = time[i + 1];
    double c = b - ratio * (b - a), d = a + ratio * (b - a), fc = sign * at(c), fd = sign * at(d);
    for (int k = 0; k < 70 && b - a > 1e-12 * b; ++k) {
      if (fc > fd) {
        b = d, d = c, fd = fc, c = b - ratio * (b - a), fc = sign * at(c);
      } else {
        a = c, c = d, fc = fd, d = a + ratio * (b - a), fd = sign * at(d);
      }
    }
    const double middle = (a + b) / 2, top = at(middle);
    return sign * top <= sign * value[i] ? std::pair(time[i], value[i]) : std::pair(middle, top);
  }

  std::vector<double> time, value;

 private:
  double at(double t) const { return amplitude_ * step_.at(t); }

  /// So many that a turn of what oscillates at a time has some.
  std::size_t samples_up_to(double end, double from) const {
    constexpr double usual = 800, most = 40'000, for_each_turn = 12, gone = 12;  // e^−12
    double turns = 0;
    for (const std::complex<double>& pole : poles_)
      if (-pole.real() * from < gone) turns = std::max(turns, end * std::abs(pole.imag()) / 6.283185307179586);
    return 2 * static_cast<std::size_t>(std::min(most, std::max(usual, for_each_turn * turns)) / 2);
  }

  TimeFunction step_;
  double amplitude_, until_;
  std::vector<double> jumps_;
  std::vector<std::complex<double>> poles_;
};

bool settled(const FineResponse& y, double final) { return std::abs(y.value.back() - final) <= band * std::abs(final); }

/// Sampled until it has settled where it does; at least over the times that are shown.
FineResponse fine_response(const ExactTransfer& transfer, const TimeResponse& shown, const ResponseOptions& options) {
  constexpr int most_doublings = 4;
  const double range = settling_range(transfer);
  constexpr double longer = 4;  // twenty time constants: a slight overshoot comes late
  double until = std::max(shown.final ? longer * range : range, last_of(shown.time));
  for (int doublings = 0;; ++doublings, until *= 2) {
    FineResponse y(transfer, until, options);
    y.sample(range, shown.time);
    if (!shown.final || doublings == most_doublings || settled(y, shown.final->to_double())) return y;
  }
}

/// The value furthest in the direction of the final one, or furthest from 0 where that is 0 or there is none; the first of equal
/// ones.
std::pair<double, double> peak_of(const FineResponse& y, double final) {
  const auto size = [final](double value) { return final > 0 ? value : final < 0 ? -value : std::abs(value); };
  double top = size(y.value.front());
  for (const double value : y.value) top = std::max(top, size(value));
  constexpr double between_samples = 1e-3, rounding = 1e-12;
  std::optional<std::pair<double, double>> best;
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    if (size(y.value[i]) < top - between_samples * std::abs(top)) continue;
    const bool highest = (i == 0 || size(y.value[i]) >= size(y.value[i - 1])) &&
                         (i + 1 == y.value.size() || size(y.value[i]) > size(y.value[i + 1]));
    if (!highest && size(y.value[i]) < top) continue;
    const auto refined = y.extremum(i, final != 0 ? (final < 0 ? -1.0 : 1.0) : y.value[i] < 0 ? -1.0 : 1.0);
    if (!best || size(refined.second) > size(best->second) + rounding * std::abs(top)) best = refined;
  }
  return *best;
}

void add_settling(StepFigures& figures, const FineResponse& y, double final) {
  const double sign = final < 0 ? -1.0 : 1.0;
  figures.overshoot = std::max(0.0, (*figures.peak / final - 1.0) * 100.0);
  const auto first_at = [&](double level) -> std::optional<double> {
    for (std::size_t i = 1; i < y.value.size(); ++i)
      if (sign * y.value[i] >= sign * level) return sign * y.value[i - 1] >= sign * level ? y.time[i - 1] : y.crossing(i, level);
    return {};
  };
  const auto low = first_at(0.1 * final), high = first_at(0.9 * final);
  if (low && high) figures.rise_time = *high - *low;
  figures.settling_time = 0.0;  // where it is never outside
  for (std::size_t i = y.value.size() - 1; i-- > 0;) {
    if (std::abs(y.value[i] - final) <= band * std::abs(final)) continue;
    figures.settling_time = y.crossing(i + 1, final + (y.value[i] > final ? band : -band) * std::abs(final));
    break;
  }
}

}  // namespace

StepFigures step_figures(const ExactTransfer& transfer, const TimeResponse& shown, const ResponseOptions& options) {
  StepFigures figures;
  if (long_term(transfer.numerator, denominator_of(transfer, 1), options.budget).kind == LongTerm::Kind::grows) {
    figures.grows = true;
    return figures;
  }
  FineResponse y = fine_response(transfer, shown, options);
  const double final = shown.final ? shown.final->to_double() : 0.0;
  if (shown.final && final != 0) y.add_extrema(final);
  std::tie(figures.peak_time, figures.peak) = peak_of(y, final);
  if (!shown.final) figures.until = y.until();
  if (shown.final && final != 0 && settled(y, final)) add_settling(figures, y, final);
  return figures;
}

namespace {

constexpr double growing_range = 3;  // of the fastest growing mode: e³, four doublings

/// To a time that reads well.
double rounded_up(double time) {
  const double decade = std::pow(10.0, std::floor(std::log10(time)));
  for (const double factor : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (time <= factor * decade * (1 + 1e-12)) return factor * decade;
  return 10 * decade;
}

}  // namespace

double settling_range(const ExactTransfer& transfer) {
  if (!transfer.denominator.rational()) return settling_range(pade(transfer, 4));
  const bool discrete = transfer.op.discrete();
  double slowest = 0, period = 0, delay = 0, growth = 0;
  for (const auto& part : transfer.numerator.parts) delay = std::max(delay, part.delay.to_double());
  for (const auto& part : transfer.denominator.parts) {
    if (part.polynomial.degree() < 1) continue;
    for (const exact::Root& root : exact::roots(part.polynomial.coefficients())) {
      if (discrete && root.value == 0.0) continue;  // a delay: over after as many samples as there are such roots
      const std::complex<double> pole = transfer.op.in_s(root.value);
      const double real = std::abs(pole.real());
      if (pole.real() > 1e-12 * std::abs(pole)) growth = std::max(growth, pole.real());
      if (real > 1e-12 * std::abs(pole)) slowest = std::max(slowest, 1.0 / real);
      if (pole.imag() > 0) period = std::max(period, 6.283185307179586 / pole.imag());
    }
  }
  if (growth > 0) return rounded_up(growing_range / growth + delay);
  const double range = std::max(slowest > 0 ? std::min(5.0 * slowest, std::max(40.0 * period, 5.0 * slowest)) : 0.0,
                                slowest > 0 ? 0.0 : 8.0 * period);
  if (discrete) delay += transfer.op.period().to_double() * static_cast<double>(transfer.denominator.polynomial().degree() + 1);
  if (range == 0) return delay > 0 ? 3 * delay : 1.0;
  const double decade = std::pow(10.0, std::floor(std::log10(range)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (range + delay <= factor * decade * (1 + 1e-12)) return factor * decade;
  return 10 * decade;
}

double step_range(const ExactTransfer& transfer) {
  constexpr double longer = 1.5;
  constexpr std::size_t samples = 400;
  const double range = settling_range(transfer);
  if (transfer.op.discrete() || !transfer.denominator.rational()) return range;
  constexpr int most_rounds = 12;
  double end = range, settled = range;
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<double> times;
    for (std::size_t i = 0; i <= samples; ++i) times.push_back(end * static_cast<double>(i) / samples);
    const TimeResponse response = step_response(transfer, times);
    if (!response.final) return range;
    const double final = response.final->to_double();
    double size = std::abs(final);
    if (size == 0)
      for (const double y : response.value) size = std::max(size, std::abs(y));
    std::size_t last = samples + 1;
    while (last-- > 0 && std::abs(response.value[last] - final) <= band * size)
      if (last == 0) return end;  // never outside: nothing moves
    if (last == samples) {
      end *= 2;
      continue;
    }
    settled = end * static_cast<double>(last + 1) / samples;
    if (last * 10 > samples) break;
    end = 2 * settled;  // it is over so soon that finer samples are needed
  }
  return rounded_up(longer * settled);
}

}  // namespace sfg
