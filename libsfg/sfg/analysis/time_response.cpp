#include "sfg/analysis/time_response.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/ring/inverse_laplace.hpp"
#include "sfg/ring/rational_polynomial.hpp"
#include "sfg/ring/roots.hpp"

namespace sfg {

std::optional<std::vector<DelayedPart>> delayed_parts(const ExactTransfer& transfer, double until) {
  using ring::RationalPolynomial;
  constexpr std::size_t most = 300;
  struct Earlier {
    bool operator()(const std::string& a, const std::string& b) const {
      return ring::rational_sign(ring::rational_sum(a, ring::rational_product("-1", b))) < 0;
    }
  };
  std::map<std::string, RationalPolynomial, Earlier> round;  // what has gone round the loops k times, by delay
  for (const auto& part : transfer.numerator.parts) round.emplace(part.delay, RationalPolynomial(part.coefficients));
  const RationalPolynomial first(transfer.denominator.parts.front().coefficients);
  const std::span later(transfer.denominator.parts.begin() + 1, transfer.denominator.parts.end());
  for (const auto& part : later)
    if (RationalPolynomial(part.coefficients).degree() > first.degree()) return {};
  std::vector<DelayedPart> result;
  for (RationalPolynomial below = first; !round.empty(); below *= first) {
    std::map<std::string, RationalPolynomial, Earlier> next;
    for (const auto& [delay, polynomial] : round) {
      if (ring::rational_double(delay) > until) continue;
      if (result.size() == most) return {};
      result.push_back({delay, polynomial.coefficients(), below.coefficients()});
      for (const auto& part : later)
        next[ring::rational_sum(delay, part.delay)] -= polynomial * RationalPolynomial(part.coefficients);
    }
    std::erase_if(next, [](const auto& entry) { return entry.second.is_zero(); });
    round = std::move(next);
  }
  return result;
}

namespace {

double lost(double largest_part, std::span<const double> sum) {
  double largest = 0;
  for (const double value : sum) largest = std::max(largest, std::abs(value));
  return largest > 0 ? largest_part / largest : 0.0;
}

}  // namespace

bool Cancellation::too_much(std::span<const double> sum) const {
  constexpr double most = 1e9;  // seven digits are left: more than a Padé approximant gives
  return lost(largest_part, sum) > most;
}

std::optional<std::string> Cancellation::note(std::span<const double> sum) const {
  constexpr double noticeable = 1e3;
  const double factor = lost(largest_part, sum);
  if (factor < noticeable) return {};
  return "the delayed parts cancel each other: samples are correct to about 1e" +
         std::to_string(static_cast<int>(std::ceil(std::log10(factor) - 16))) + " of the largest";
}

namespace {

using ring::RationalPolynomial;

std::string pade_note(std::size_t order) {
  return "the dead time inside the loops is replaced by its Padé approximant of order " + std::to_string(order);
}

double last_of(std::span<const double> times) { return times.empty() ? 0.0 : times.back(); }

/// A transfer function without dead time inside its loops: the parts N_k(s) e^(−τ_k s) / D(s).
struct Delayed {
  struct Part {
    double delay;
    ring::InverseLaplace function;
  };
  std::vector<Part> parts;
  std::vector<std::string> impulses;
  std::vector<std::string> notes;
};

/// Parts of T(s) · s^(−order) that begin until a time: order 0 is the impulse response, 1 the step, 2 the ramp.
Delayed parts_of(const ExactTransfer& transfer, std::size_t order, double until, std::size_t pade_order) {
  Delayed result;
  auto parts = delayed_parts(transfer, until);
  if (!parts) {
    parts = delayed_parts(pade(transfer, pade_order), until);
    result.notes.push_back(pade_note(pade_order));
  }
  for (const DelayedPart& part : *parts) {
    const RationalPolynomial below = RationalPolynomial(part.denominator).shifted_up(order);
    ring::InverseLaplace function(part.numerator, below.coefficients());
    if (!function.direct().empty() && ring::rational_sign(part.delay) == 0) result.impulses = function.direct();
    result.parts.push_back({ring::rational_double(part.delay), std::move(function)});
  }
  return result;
}

/// Σ of the parts at the times; the largest sampled values decide the precision, part by part.
std::vector<double> sampled(const Delayed& delayed, std::span<const double> times, Cancellation* cancellation = nullptr) {
  std::vector<double> sum(times.size(), 0.0);
  for (const Delayed::Part& part : delayed.parts) {
    std::vector<double> shifted;
    std::vector<std::size_t> where;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] >= part.delay) {
        shifted.push_back(times[i] - part.delay);
        where.push_back(i);
      }
    const std::vector<double> values = part.function.at(shifted);
    for (std::size_t k = 0; k < where.size(); ++k) {
      sum[where[k]] += values[k];
      if (cancellation) cancellation->largest_part = std::max(cancellation->largest_part, std::abs(values[k]));
    }
  }
  return sum;
}

/// lim s·F(s) for s → ∞ of a strictly proper F = T / s^order: the value at 0+.
std::optional<std::string> initial_value(const ExactTransfer& transfer, std::size_t order) {
  if (!transfer.rational()) return {};
  if (transfer.numerator.parts.empty()) return "0";
  const auto& n = transfer.numerator.coefficients();
  const auto& d = transfer.denominator.coefficients();
  const std::size_t up = n.size() + 1, down = d.size() + order;
  if (up < down) return "0";
  if (up == down) return ring::rational_quotient(n.front(), d.front());
  const RationalPolynomial remainder =
      divided(RationalPolynomial(n), RationalPolynomial(d).shifted_up(order)).second;  // impulses apart
  const RationalPolynomial below = RationalPolynomial(d).shifted_up(order);
  if (remainder.degree() + 1 < below.degree()) return "0";
  return ring::rational_quotient(remainder.coefficients().front(), below.coefficients().front());
}

/// lim s·F(s) for s → 0, when every pole of s·F lies left of the axis.
std::optional<std::string> final_value(const ExactTransfer& transfer, std::size_t order) {
  if (transfer.numerator.parts.empty()) return "0";
  if (!transfer.denominator.rational()) {  // poles without number: whether they are stable is judged by those of an approximant
    constexpr std::size_t order_of_judgement = 8;
    return final_value(pade(transfer, order_of_judgement), order);
  }
  const RationalPolynomial d(transfer.denominator.coefficients());
  RationalPolynomial n;
  for (const auto& part : transfer.numerator.parts) n += RationalPolynomial(part.coefficients);  // e^(−τs) → 1
  RationalPolynomial above = n.shifted_up(1), below = d.shifted_up(order);
  const RationalPolynomial common = gcd(above, below);
  above = divided(above, common).first;
  below = divided(below, common).first;
  const auto counts = below.root_counts();
  if (counts.right != 0 || counts.axis != 0) return {};
  return ring::rational_quotient(above.at("0"), below.at("0"));
}

TimeResponse response(const ExactTransfer& transfer, std::size_t order, std::span<const double> times, double amplitude,
                      std::size_t pade_order) {
  const Delayed delayed = parts_of(transfer, order, last_of(times), pade_order);
  TimeResponse result;
  result.time.assign(times.begin(), times.end());
  Cancellation cancellation;
  result.value = sampled(delayed, times, &cancellation);
  if (cancellation.too_much(result.value) && !transfer.denominator.rational()) {
    result = response(pade(transfer, pade_order), order, times, amplitude, pade_order);
    result.notes.push_back(pade_note(pade_order));
    return result;
  }
  const auto lost_digits = cancellation.note(result.value);
  for (double& value : result.value) value *= amplitude;
  const std::string factor = decimal_rational(amplitude);
  const auto scaled = [&](std::optional<std::string> value) {
    return value ? std::optional(ring::rational_product(*value, factor)) : value;
  };
  for (const std::string& weight : delayed.impulses) result.impulses.push_back(ring::rational_product(weight, factor));
  std::reverse(result.impulses.begin(), result.impulses.end());
  result.initial = scaled(initial_value(transfer, order));
  result.final = scaled(final_value(transfer, order));
  result.notes = delayed.notes;
  if (lost_digits && !transfer.denominator.rational()) result.notes.push_back(*lost_digits);
  return result;
}

}  // namespace

TimeResponse step_response(const ExactTransfer& transfer, std::span<const double> times, double amplitude,
                           std::size_t pade_order) {
  return response(transfer, 1, times, amplitude, pade_order);
}

TimeResponse impulse_response(const ExactTransfer& transfer, std::span<const double> times, double amplitude,
                              std::size_t pade_order) {
  return response(transfer, 0, times, amplitude, pade_order);
}

namespace {

/// The signal as polynomials of degree 1 between its points.
std::vector<ring::PolynomialPiece> straight_pieces(std::span<const double> times, std::span<const double> values) {
  std::vector<ring::PolynomialPiece> pieces;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool last = i + 1 == times.size();
    if (!last && times[i + 1] == times[i]) continue;  // a jump: the second point counts from here on
    pieces.push_back({times[i], {values[i]}});
    if (!last) pieces.back().coefficients.push_back((values[i + 1] - values[i]) / (times[i + 1] - times[i]));
  }
  return pieces;
}

double value_of(std::span<const ring::PolynomialPiece> pieces, double t) {
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), t, [](double a, const auto& piece) { return a < piece.begin; });
  if (after == pieces.begin()) return 0;
  const ring::PolynomialPiece& piece = *(after - 1);
  return piece.coefficients[0] + (piece.coefficients.size() > 1 ? piece.coefficients[1] * (t - piece.begin) : 0.0);
}

}  // namespace

TimeResponse sampled_response(const ExactTransfer& transfer, std::span<const double> input_times,
                              std::span<const double> input_values, std::span<const double> times, std::size_t pade_order) {
  const Delayed impulse = parts_of(transfer, 0, last_of(times), pade_order);
  const std::vector<ring::PolynomialPiece> pieces = straight_pieces(input_times, input_values);
  TimeResponse result;
  result.time.assign(times.begin(), times.end());
  result.value.assign(times.size(), 0.0);
  result.notes = impulse.notes;
  result.method = "the input straight between its points; the response to that is exact";
  for (const Delayed::Part& part : impulse.parts) {
    const auto& direct = part.function.direct();
    if (direct.size() > 1)
      throw NoAnswer("the transfer function is improper: its response needs the derivative of a signal that has corners",
                     "ask for an integrated signal");
    const auto first = std::lower_bound(times.begin(), times.end(), part.delay);
    std::vector<double> local;
    for (auto t = first; t != times.end(); ++t) local.push_back(*t - part.delay);
    const std::vector<double> values = part.function.convolved(pieces, local);
    const double feedthrough = direct.empty() ? 0.0 : ring::rational_double(direct.front());
    for (std::size_t i = 0; i < local.size(); ++i)
      result.value[static_cast<std::size_t>(first - times.begin()) + i] += values[i] + feedthrough * value_of(pieces, local[i]);
  }
  return result;
}

namespace {

/// First time after which `reached` holds, refined by bisection on the exact response.
class Refined {
 public:
  Refined(const ExactTransfer& transfer, double until, double amplitude, std::size_t pade_order)
      : step_(parts_of(transfer, 1, until, pade_order)), amplitude_(amplitude) {}
  double crossing(double a, double b, double level) const {
    const bool rising = value(b) > value(a);
    for (int i = 0; i < 60 && b - a > 1e-14 * b; ++i) {
      const double middle = (a + b) / 2;
      ((value(middle) < level) == rising ? a : b) = middle;
    }
    return (a + b) / 2;
  }
  /// Maximum of sign·y between a and b, by golden section.
  std::pair<double, double> extremum(double a, double b, double sign) const {
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double c = b - ratio * (b - a), d = a + ratio * (b - a), fc = sign * value(c), fd = sign * value(d);
    for (int i = 0; i < 70 && b - a > 1e-12 * b; ++i) {
      if (fc > fd) {
        b = d, d = c, fd = fc, c = b - ratio * (b - a), fc = sign * value(c);
      } else {
        a = c, c = d, fc = fd, d = a + ratio * (b - a), fd = sign * value(d);
      }
    }
    return {(a + b) / 2, value((a + b) / 2)};
  }

 private:
  double value(double t) const { return amplitude_ * sampled(step_, std::span(&t, 1)).front(); }
  Delayed step_;
  double amplitude_;
};

}  // namespace

StepFigures step_figures(const ExactTransfer& transfer, const TimeResponse& step, std::size_t pade_order) {
  StepFigures figures;
  if (step.time.empty()) return figures;
  double amplitude = 1;
  const double final_value_ = step.final ? ring::rational_double(*step.final) : 0.0;
  if (const auto unit = final_value(transfer, 1); unit && ring::rational_sign(*unit) != 0)
    amplitude = final_value_ / ring::rational_double(*unit);
  const Refined refined(transfer, step.time.back(), amplitude, pade_order);
  const double sign = final_value_ < 0 ? -1.0 : 1.0;
  std::size_t top = 0;
  for (std::size_t i = 0; i < step.value.size(); ++i)
    if (sign * step.value[i] > sign * step.value[top]) top = i;
  const std::size_t left = top == 0 ? 0 : top - 1, right = std::min(top + 1, step.time.size() - 1);
  std::tie(figures.peak_time, figures.peak) = top == 0 || top + 1 == step.time.size()
                                                  ? std::pair(step.time[top], step.value[top])
                                                  : refined.extremum(step.time[left], step.time[right], sign);
  if (!step.final || final_value_ == 0) return figures;
  figures.overshoot = std::max(0.0, (figures.peak / final_value_ - 1.0) * 100.0);
  const auto first_at = [&](double level) -> std::optional<double> {
    for (std::size_t i = 1; i < step.value.size(); ++i)
      if (sign * step.value[i] >= sign * level)
        return sign * step.value[i - 1] >= sign * level ? step.time[i - 1]
                                                        : refined.crossing(step.time[i - 1], step.time[i], level);
    return {};
  };
  const auto low = first_at(0.1 * final_value_), high = first_at(0.9 * final_value_);
  if (low && high) figures.rise_time = *high - *low;
  constexpr double band = 0.02;
  for (std::size_t i = step.value.size(); i-- > 0;) {
    if (std::abs(step.value[i] - final_value_) <= band * std::abs(final_value_)) continue;
    if (i + 1 < step.value.size()) {
      const double level = final_value_ + (step.value[i] > final_value_ ? band : -band) * std::abs(final_value_);
      figures.settling_time = refined.crossing(step.time[i], step.time[i + 1], level);
    }
    break;
  }
  return figures;
}

double settling_range(const ExactTransfer& transfer, double sample_time) {
  if (!transfer.denominator.rational()) return settling_range(pade(transfer, 4), sample_time);
  const bool discrete = transfer.variable == "z";
  double slowest = 0, period = 0, delay = 0;
  for (const auto& part : transfer.numerator.parts) delay = std::max(delay, ring::rational_double(part.delay));
  for (const auto& part : transfer.denominator.parts) {
    if (part.coefficients.size() < 2) continue;
    for (const ring::Root& root : ring::roots(part.coefficients)) {
      if (discrete && root.value == 0.0) continue;  // a delay: over after as many samples as there are such roots
      const std::complex<double> pole = discrete ? std::log(root.value) / sample_time : root.value;
      const double real = std::abs(pole.real());
      if (real > 1e-12 * std::abs(pole)) slowest = std::max(slowest, 1.0 / real);
      if (pole.imag() > 0) period = std::max(period, 6.283185307179586 / pole.imag());
    }
  }
  const double range = std::max(slowest > 0 ? std::min(5.0 * slowest, std::max(40.0 * period, 5.0 * slowest)) : 0.0,
                                slowest > 0 ? 0.0 : 8.0 * period);
  if (discrete) delay += sample_time * static_cast<double>(transfer.denominator.coefficients().size());
  if (range == 0) return delay > 0 ? 3 * delay : 1.0;
  const double decade = std::pow(10.0, std::floor(std::log10(range)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (range + delay <= factor * decade * (1 + 1e-12)) return factor * decade;
  return 10 * decade;
}

}  // namespace sfg
