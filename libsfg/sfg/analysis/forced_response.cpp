#include "sfg/analysis/forced_response.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>

#include "sfg/analysis/input_signal.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/ring/inverse_laplace.hpp"
#include "sfg/ring/rational_polynomial.hpp"

namespace sfg {

namespace {

using ring::PolynomialPiece;
using ring::RationalPolynomial;

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

TimeResponse exact_response(const std::vector<DelayedPart>& parts, const InputSignal& signal, std::span<const double> times,
                            Cancellation& cancellation) {
  TimeResponse result;
  result.time.assign(times.begin(), times.end());
  result.value.assign(times.size(), 0.0);
  result.method = "partial fractions, exact, every event at its time";
  if (signal.rounded) result.method += "; irrational constants with 120 digits";
  for (const InputSignal::Piece& piece : signal.pieces)
    for (const DelayedPart& part : parts) {
      const std::string start = ring::rational_sum(piece.start, part.delay);
      if (times.empty() || ring::rational_double(start) > times.back()) continue;
      const RationalPolynomial n = RationalPolynomial(piece.numerator) * RationalPolynomial(part.numerator);
      const RationalPolynomial d = RationalPolynomial(piece.denominator) * RationalPolynomial(part.denominator);
      const ring::InverseLaplace function(n.coefficients(), d.coefficients());
      add_from(ring::rational_double(start), times, result.value, cancellation,
               [&](std::span<const double> local) { return function.at(local); });
      if (function.direct().empty()) continue;
      if (ring::rational_sign(start) == 0) {
        std::vector<std::string> weights(function.direct().rbegin(), function.direct().rend());
        if (result.impulses.size() < weights.size()) result.impulses.resize(weights.size(), "0");
        for (std::size_t k = 0; k < weights.size(); ++k) result.impulses[k] = ring::rational_sum(result.impulses[k], weights[k]);
      } else {
        result.notes.push_back("an impulse at t = " + start + " is not shown by the samples");
      }
    }
  return result;
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
                         "raise --rtol or --atol, or shorten --until");
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
  constexpr std::size_t least_pieces = 200;  // so that nothing as long as 1/200 of the time is overlooked
  std::vector<double> breaks{0.0, until};
  for (std::size_t i = 1; i < least_pieces; ++i) breaks.push_back(until * static_cast<double>(i) / least_pieces);
  for (const double time : switching_times(input, t))
    if (time < until) breaks.push_back(time);
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  double largest = 0;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) largest = std::max(largest, std::abs(u((breaks[i] + breaks[i + 1]) / 2)));
  Follower follower(u, options.atol + options.rtol * largest, largest, options.budget);
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) follower.follow(breaks[i], breaks[i + 1]);
  for (const DelayedPart& part : parts) {
    const ring::InverseLaplace function(part.numerator, part.denominator);
    if (function.direct().size() > 1)
      throw NoAnswer(
          "the transfer function is improper: its response needs the derivative of an input that has none in closed form",
          "ask for an integrated signal");
    const double feedthrough = function.direct().empty() ? 0.0 : ring::rational_double(function.direct().front());
    add_from(ring::rational_double(part.delay), times, result.value, cancellation, [&](std::span<const double> local) {
      std::vector<double> values = function.convolved(follower.pieces, local);
      for (std::size_t i = 0; feedthrough != 0 && i < values.size(); ++i) values[i] += feedthrough * u(local[i]);
      return values;
    });
  }
  char size[32];
  std::snprintf(size, sizeof size, "%.2g", options.atol + options.rtol * largest);
  result.method = "the input followed by " + std::to_string(follower.pieces.size()) + " polynomials to within " + size +
                  "; the response to them is exact";
  return result;
}

}  // namespace

TimeResponse forced_response(const ExactTransfer& transfer, const GiNaC::ex& input, const GiNaC::ex& t,
                             std::span<const double> times, const ForcedOptions& options) {
  const auto signal = input_signal(input, t);
  const auto attempt = [&](const std::vector<DelayedPart>& parts, Cancellation& cancellation) {
    return signal ? exact_response(parts, *signal, times, cancellation)
                  : followed_response(parts, input, t, times, options, cancellation);
  };
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
  TimeResponse result = attempt(*delayed_parts(pade(transfer, options.pade_order), until), ignored);
  result.notes.push_back("the dead time inside the loops is replaced by its Padé approximant of order " +
                         std::to_string(options.pade_order));
  return result;
}

}  // namespace sfg
