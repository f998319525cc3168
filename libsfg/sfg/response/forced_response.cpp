#include "sfg/response/simulation.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numbers>

#include "sfg/error.hpp"
#include "sfg/exact/inverse_laplace.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/switching_times.hpp"
#include "sfg/response/time_function.hpp"
#include "sfg/response/time_scales.hpp"

namespace sfg {

namespace {

using exact::PolynomialPiece;
using exact::RationalPolynomial;

/// numerator(s)/denominator(s) e^(−delay s): what a transfer function with dead time is a sum of, as far as time goes.
struct DelayedPart {
  exact::Rational delay;  ///< s
  std::vector<exact::Rational> numerator, denominator;
};
/// The parts that begin until a time. Dead time in the numerator gives one part each; inside a loop, with the denominator
/// D = D_0 + R and R all that is delayed, 1/D = Σ (−R)^k / D_0^(k+1): what has gone round the loop k times comes k dead times
/// later, so that finitely many parts are exact (the method of steps). Nothing when there are more than 300, or R is of higher
/// degree than D_0.
std::optional<std::vector<DelayedPart>> delayed_parts(const ExactTransfer&, double until);

/// What the cancelling of delayed parts leaves: nothing to say, a note on the digits that are left, or too few of them.
struct Cancellation {
  double largest_part = 0;  ///< of all samples of all parts
  bool too_much(std::span<const double> sum) const;
  std::optional<std::string> note(std::span<const double> sum) const;
};

std::optional<std::vector<DelayedPart>> delayed_parts(const ExactTransfer& transfer, double until) {
  constexpr std::size_t most = 300;
  std::map<exact::Rational, RationalPolynomial> round;  // what has gone round the loops k times, by delay
  for (const auto& part : transfer.numerator.parts) round.emplace(part.delay, part.polynomial);
  const RationalPolynomial first = transfer.denominator.parts.front().polynomial;
  const std::span later(transfer.denominator.parts.begin() + 1, transfer.denominator.parts.end());
  for (const auto& part : later)
    if (part.polynomial.degree() > first.degree()) return {};
  std::vector<DelayedPart> result;
  for (RationalPolynomial below = first; !round.empty(); below *= first) {
    std::map<exact::Rational, RationalPolynomial> next;
    for (const auto& [delay, polynomial] : round) {
      if (delay.to_double() > until) continue;
      if (result.size() == most) return {};
      result.push_back({delay, polynomial.coefficients(), below.coefficients()});
      for (const auto& part : later) next[delay + part.delay] -= polynomial * part.polynomial;
    }
    std::erase_if(next, [](const auto& entry) { return entry.second.is_zero(); });
    round = std::move(next);
  }
  return result;
}

double lost(double largest_part, std::span<const double> sum) {
  double largest = 0;
  for (const double value : sum) largest = std::max(largest, std::abs(value));
  return largest > 0 ? largest_part / largest : 0.0;
}

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

/// Values of a function of t − start at the times from `start` on are added to the sum.
void add_from(double start, std::span<const double> times, std::vector<double>& sum, Cancellation& cancellation,
              const std::function<std::vector<double>(std::span<const double>)>& function) {
  const auto first = std::lower_bound(times.begin(), times.end(), start);
  std::vector<double> local;
  for (auto t = first; t != times.end(); ++t) local.push_back(*t - start);
  const std::vector<double> values = function(local);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum[static_cast<std::size_t>(first - times.begin()) + i] += values[i];
    cancellation.largest_part = std::max(cancellation.largest_part, std::abs(values[i]));
  }
}

/// All pieces of one denominator are one numerator with dead times.
std::map<std::vector<exact::Rational>, QuasiPolynomial> by_denominator(const QuasiPolynomial& numerator,
                                                                       const InputSignal& signal) {
  std::map<std::vector<exact::Rational>, QuasiPolynomial> sums;
  for (const InputSignal::Piece& piece : signal.pieces) {
    QuasiPolynomial& sum = sums[piece.denominator];
    for (auto& part : product(numerator, RationalPolynomial(piece.numerator), piece.start).parts)
      sum.parts.push_back(std::move(part));
  }
  return sums;
}

TimeResponse exact_response(const ExactTransfer& transfer, const InputSignal& signal, std::span<const double> times,
                            const ForcedOptions& options) {
  TimeResponse result;
  result.time.assign(times.begin(), times.end());
  result.value.assign(times.size(), 0.0);
  result.method = transfer.denominator.rational() ? "partial fractions, exact, every event at its time"
                                                  : "the method of steps, exact, every event at its time";
  if (signal.rounded) result.method += "; irrational constants with 120 digits";
  for (const auto& [denominator, numerator] : by_denominator(transfer.numerator, signal)) {
    const TimeFunction function(numerator, product(transfer.denominator, RationalPolynomial(denominator)),
                                times.empty() ? 0.0 : times.back(), options.pade_order, options.budget);
    const std::vector<double> values = function.at(times);
    for (std::size_t i = 0; i < values.size(); ++i) result.value[i] += values[i];
    result.impulses.insert(result.impulses.end(), function.impulses().begin(), function.impulses().end());
    for (const std::string& note : function.notes())
      if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end()) result.notes.push_back(note);
  }
  result.impulses = added(std::move(result.impulses));
  return result;
}

/// The sum over the parts, or the response of the Padé approximant where they are too many or leave too few digits.
TimeResponse through_parts(const ExactTransfer& transfer, std::span<const double> times, std::size_t pade_order,
                           const std::function<TimeResponse(const std::vector<DelayedPart>&, Cancellation&)>& attempt) {
  const double until = times.empty() ? 0.0 : times.back();
  const bool inside = !transfer.denominator.rational();
  if (const auto parts = delayed_parts(transfer, until)) {
    Cancellation cancellation;
    TimeResponse result = attempt(*parts, cancellation);
    if (inside)
      if (const auto note = cancellation.note(result.value)) result.notes.push_back(*note);
    if (!inside || !cancellation.too_much(result.value)) return result;
  }
  Cancellation ignored;
  TimeResponse result = attempt(*delayed_parts(pade(transfer, pade_order), until), ignored);
  result.notes.push_back("the dead time inside the loops is replaced by its Padé approximant of order " +
                         std::to_string(pade_order));
  return result;
}

/// The response to a signal of polynomial pieces, added to the sum; `u` is its value.
void add_response(const DelayedPart& part, std::span<const PolynomialPiece> pieces, const std::function<double(double)>& u,
                  TimeResponse& sum, Cancellation& cancellation, const std::string& improper, const Budget& budget) {
  const exact::InverseLaplace function(part.numerator, part.denominator);
  if (function.direct().size() > 1)
    throw NoAnswer("the transfer function is improper: its response needs the derivative of " + improper,
                   "ask for an integrated signal");
  const double feedthrough = function.direct().empty() ? 0.0 : function.direct().front().to_double();
  add_from(part.delay.to_double(), sum.time, sum.value, cancellation, [&](std::span<const double> local) {
    std::vector<double> values = function.convolved(pieces, local, budget);
    for (std::size_t i = 0; feedthrough != 0 && i < values.size(); ++i) values[i] += feedthrough * u(local[i]);
    return values;
  });
}

// --- inputs without exact form ---

constexpr std::size_t degree = 6;
using Values = std::array<double, degree + 1>;

/// Nodes and weights of the interpolation on (0, 1): Chebyshev's points of the first kind, so that neither end, where the
/// signal may jump, is looked at.
struct Interpolation {
  Interpolation() {
    for (std::size_t i = 0; i <= degree; ++i)
      nodes[i] = 0.5 - 0.5 * std::cos((static_cast<double>(i) + 0.5) * std::numbers::pi / (degree + 1));
    for (std::size_t i = 0; i <= degree; ++i) {  // coefficients of the Lagrange polynomials
      std::vector<double> p{1};
      for (std::size_t j = 0; j <= degree; ++j) {
        if (j == i) continue;
        p.push_back(0);
        for (std::size_t k = p.size() - 1; k > 0; --k) p[k] = p[k - 1] - nodes[j] * p[k];
        p[0] *= -nodes[j];
        for (double& c : p) c /= nodes[i] - nodes[j];
      }
      std::copy(p.begin(), p.end(), lagrange[i].begin());
    }
  }
  std::array<double, degree + 1> coefficients(const Values& values) const {
    std::array<double, degree + 1> c{};
    for (std::size_t i = 0; i <= degree; ++i)
      for (std::size_t k = 0; k <= degree; ++k) c[k] += values[i] * lagrange[i][k];
    return c;
  }
  std::array<double, degree + 1> nodes{};
  std::array<std::array<double, degree + 1>, degree + 1> lagrange{};
};

/// Polynomials that follow a function between breaks.
class Follower {
 public:
  Follower(std::function<double(double)> u, double tolerance, double largest, const Budget& budget)
      : u_(std::move(u)), tolerance_(tolerance), unbounded_(1e9 * largest), budget_(budget) {}

  void follow(double a, double b) {
    Values values;
    for (std::size_t i = 0; i <= degree; ++i) {
      values[i] = u_(a + (b - a) * rule_.nodes[i]);
      if (std::abs(values[i]) > unbounded_ && unbounded_ > 0)
        throw NoAnswer("the input grows without bound near t = " + print(a), "state an input that is finite");
    }
    const auto c = rule_.coefficients(values);
    double error = 0;
    for (const double x : {0.02, 0.12, 0.29, 0.5, 0.71, 0.88, 0.98}) {
      double p = 0;
      for (std::size_t k = c.size(); k-- > 0;) p = p * x + c[k];
      error = std::max(error, std::abs(p - u_(a + (b - a) * x)));
    }
    const double middle = a + (b - a) / 2;
    constexpr double narrowest = 1e-13;  // of the time: a jump is located that well
    if (error > tolerance_ && b - a > narrowest * std::max(b, 1e-3)) {
      follow(a, middle);
      follow(middle, b);
      return;
    }
    keep(a, b, c);
  }
  std::vector<PolynomialPiece> pieces;

 private:
  void keep(double a, double b, const std::array<double, degree + 1>& c) {
    constexpr std::size_t most = 100'000;
    if (pieces.size() >= most)
      throw LimitReached("the input needs more than " + std::to_string(most) + " pieces to be followed",
                         Advice::loosen_tolerances | Advice::shorten_time);
    if (pieces.size() % 1000 == 0) budget_.check("the input signal");
    PolynomialPiece piece{a, {c.begin(), c.end()}};
    double width = 1;
    for (double& coefficient : piece.coefficients) {
      coefficient /= width;
      width *= b - a;
    }
    pieces.push_back(std::move(piece));
  }

  std::function<double(double)> u_;
  double tolerance_, unbounded_;
  const Budget& budget_;
  Interpolation rule_;
};

/// The input as a function of doubles; what is not finite is refused.
std::function<double(double)> function_of(const GiNaC::ex& input, const GiNaC::ex& t) {
  auto tape = std::make_shared<const numeric::Tape>(compile(std::span(&input, 1), std::span(&t, 1)));
  return [tape](double time) {
    const double value = tape->values(std::span<const double>(&time, 1)).front();
    if (!std::isfinite(value))
      throw NoAnswer("the input has no finite real value at t = " + print(time), "state an input that is finite");
    return value;
  };
}

TimeResponse followed_response(const std::vector<DelayedPart>& parts, const GiNaC::ex& input, const GiNaC::ex& t,
                               std::span<const double> times, const ForcedOptions& options, Cancellation& cancellation) {
  TimeResponse result;
  result.time.assign(times.begin(), times.end());
  result.value.assign(times.size(), 0.0);
  if (times.empty() || parts.empty()) return result;
  const auto u = function_of(input, t);
  const double until = times.back();
  constexpr std::size_t least_pieces = 200;
  std::vector<double> breaks{0.0, until};
  for (std::size_t i = 1; i < least_pieces; ++i) breaks.push_back(until * static_cast<double>(i) / least_pieces);
  // What is shorter than these pieces is found by enclosures.
  const TimeScales scales(std::span(&input, 1), t, until, options.budget);
  const std::vector<double> narrow = scales.parts_below(until / static_cast<double>(least_pieces));
  breaks.insert(breaks.end(), narrow.begin(), narrow.end());
  const SwitchingTimes switches = switching_times(input, t, until, options.budget);
  breaks.insert(breaks.end(), switches.times.begin(), switches.times.end());
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  double largest = 0;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) largest = std::max(largest, std::abs(u((breaks[i] + breaks[i + 1]) / 2)));
  Follower follower(u, options.atol + options.rtol * largest, largest, options.budget);
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) follower.follow(breaks[i], breaks[i + 1]);
  for (const DelayedPart& part : parts) {
    add_response(part, follower.pieces, u, result, cancellation, "an input that has none in closed form", options.budget);
  }
  char size[32];
  std::snprintf(size, sizeof size, "%.2g", options.atol + options.rtol * largest);
  result.method = "the input followed by " + std::to_string(follower.pieces.size()) + " polynomials to within " + size +
                  "; the response to them is exact";
  if (!switches.complete)
    result.notes.push_back("the input switches too often for every instant to be found: a switch may be missed");
  if (!scales.complete())
    result.notes.push_back(
        "the input varies in more than 100,000 parts of the time: a pulse between them may be missed; ask for a shorter time");
  return result;
}

/// The signal as polynomials of degree 1 between its points.
std::vector<PolynomialPiece> straight_pieces(std::span<const double> times, std::span<const double> values) {
  std::vector<PolynomialPiece> pieces;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const bool last = i + 1 == times.size();
    if (!last && times[i + 1] == times[i]) continue;  // a jump: the second point counts from here on
    pieces.push_back({times[i], {values[i]}});
    if (!last) pieces.back().coefficients.push_back((values[i + 1] - values[i]) / (times[i + 1] - times[i]));
  }
  return pieces;
}

double value_of(std::span<const PolynomialPiece> pieces, double t) {
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), t, [](double a, const auto& piece) { return a < piece.begin; });
  if (after == pieces.begin()) return 0;
  const PolynomialPiece& piece = *(after - 1);
  return piece.coefficients[0] + (piece.coefficients.size() > 1 ? piece.coefficients[1] * (t - piece.begin) : 0.0);
}

}  // namespace

TimeResponse forced_response(const ExactTransfer& transfer, const GiNaC::ex& input, const GiNaC::ex& t,
                             std::span<const double> times, const ForcedOptions& options) {
  if (const auto signal = input_signal(input, t)) return exact_response(transfer, *signal, times, options);
  return through_parts(transfer, times, options.pade_order,
                       [&](const std::vector<DelayedPart>& parts, Cancellation& cancellation) {
                         return followed_response(parts, input, t, times, options, cancellation);
                       });
}

TimeResponse sampled_response(const ExactTransfer& transfer, std::span<const double> input_times,
                              std::span<const double> input_values, std::span<const double> times, const ForcedOptions& options) {
  const std::vector<PolynomialPiece> pieces = straight_pieces(input_times, input_values);
  return through_parts(transfer, times, options.pade_order,
                       [&](const std::vector<DelayedPart>& parts, Cancellation& cancellation) {
                         TimeResponse result;
                         result.time.assign(times.begin(), times.end());
                         result.value.assign(times.size(), 0.0);
                         result.method = "the input straight between its points; the response to that is exact";
                         for (const DelayedPart& part : parts) {
                           add_response(
                               part, pieces, [&](double time) { return value_of(pieces, time); }, result, cancellation,
                               "a signal that has corners", options.budget);
                         }
                         return result;
                       });
}

}  // namespace sfg
