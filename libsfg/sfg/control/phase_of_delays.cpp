// The sum is followed in steps that cannot overlook a turn: from x to x + h its value f changes by at most h·B, where B bounds
// |f′| on the way by moduli of coefficients, so that h ≤ |f(x)|/(2B) keeps the angle within 30°. What the polynomials have in
// common, and with it every zero on the axis that is one by algebra, is taken out first and known from its roots. A zero that
// remains on the axis (of 1 − e^(−s), say) is approached and then stepped over; it counts as a little to the left.

#include "sfg/control/phase_of_roots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;
using Complex = std::complex<double>;

constexpr double least_step = 1e-9;  // of the frequency; closer to the axis than that a zero counts as on it
constexpr double rounding = 1e-12;   // of the sum of the moduli; what is less has no angle
constexpr std::size_t most_steps = 300'000;

double wrapped(double angle) { return angle - 360.0 * std::round(angle / 360.0); }

struct Delayed {
  exact::Rational delay;
  double seconds = 0;
  RationalPolynomial polynomial;
  std::vector<double> moduli;  ///< of the coefficients, lowest power first
};

class Sum {
 public:
  explicit Sum(std::vector<Delayed> parts) : parts_(std::move(parts)) {}

  Complex at(double w) const {
    Complex sum = 0;
    for (const Delayed& part : parts_) sum += part.polynomial.at(Complex(0, w)) * std::polar(1.0, -w * part.seconds);
    return sum;
  }
  /// Greater than |f′| up to w.
  double steepest(double w) const {
    double sum = 0;
    for (const Delayed& part : parts_)
      for (std::size_t i = part.moduli.size(); i-- > 0;)
        sum += part.moduli[i] * (part.seconds * std::pow(w, i) + (i == 0 ? 0 : i * std::pow(w, i - 1)));
    return sum;
  }
  bool has_angle(Complex value, double w) const {
    double sum = 0;
    for (const Delayed& part : parts_)
      for (std::size_t i = 0; i < part.moduli.size(); ++i) sum += part.moduli[i] * std::pow(w, i);
    return std::abs(value) > rounding * sum && std::isfinite(std::abs(value));
  }

  /// The phase c·(jω)^m begins with, and a frequency up to which the other terms of the series are less than half of that one.
  struct Start {
    double phase = 0, frequency = 0;
  };
  Start start() const {
    const std::vector<double> c = series();  // exact zeros are zeros here
    std::size_t m = 0;
    while (m < c.size() && c[m] == 0) ++m;
    if (m == c.size()) return {};
    double frequency = std::numeric_limits<double>::infinity();
    for (const Delayed& part : parts_)
      if (part.seconds > 0) frequency = std::min(frequency, 1 / (8 * part.seconds));
    for (std::size_t j = m + 1; j < c.size(); ++j)
      if (c[j] != 0) frequency = std::min(frequency, std::pow(std::abs(c[m] / c[j]), 1.0 / static_cast<double>(j - m)) / 4);
    return {90.0 * static_cast<double>(m) + (c[m] < 0 ? 180.0 : 0.0), frequency};
  }

 private:
  /// Σ c_j s^j, as many as decide the order of the zero at 0 (at most Σ (deg p_k + 1)) and two more.
  std::vector<double> series() const {
    std::size_t count = 2;
    for (const Delayed& part : parts_) count += part.moduli.size();
    RationalPolynomial sum;
    for (const Delayed& part : parts_) {
      std::vector<exact::Rational> exponential{1};
      for (std::size_t j = 1; j < count && part.seconds > 0; ++j)
        exponential.insert(exponential.begin(), (exponential.front() * -part.delay) / j);
      sum += part.polynomial * RationalPolynomial(exponential);
    }
    std::vector<double> c;
    for (std::size_t j = 0; j < count; ++j) c.push_back(sum.coefficient(j).sign() == 0 ? 0.0 : sum.coefficient(j).to_double());
    return c;
  }

  std::vector<Delayed> parts_;
};

/// Follows the angle of a sum upwards.
class Walk {
 public:
  explicit Walk(const Sum& sum) : sum_(sum) {
    const Sum::Start start = sum.start();
    asymptote_ = phase_ = start.phase;
    w_ = from_ = start.frequency;
    value_ = sum.at(w_);
    phase_ += wrapped(std::arg(value_) * degrees - phase_);
  }

  double to(double w) {
    const Complex value = sum_.at(w);
    if (!sum_.has_angle(value, w)) return std::numeric_limits<double>::quiet_NaN();
    if (w <= from_) return asymptote_ + wrapped(std::arg(value) * degrees - asymptote_);
    while (w_ < w && steps_ < most_steps) step(w);
    return w_ < w ? std::numeric_limits<double>::quiet_NaN() : phase_;
  }

 private:
  void step(double last) {
    ++steps_;
    const double furthest = std::min(last - w_, w_);
    const double proven = std::min(furthest, std::abs(value_) / (2 * sum_.steepest(w_ + furthest)));
    const double least = 2 * least_step * w_;
    double next = proven == last - w_ ? last : w_ + proven;
    bool stepped_over = proven < least && next < last;
    if (stepped_over) next = std::min(last, w_ + least);
    Complex there = sum_.at(next);
    while (!sum_.has_angle(there, next) && next < last && steps_++ < most_steps) {
      next = std::min(last, next + least);
      there = sum_.at(next);
      stepped_over = true;
    }
    const double turn = wrapped((std::arg(there) - std::arg(value_)) * degrees);
    phase_ += stepped_over && turn < -90 ? turn + 360 : turn;
    w_ = next;
    value_ = there;
  }

  const Sum& sum_;
  double asymptote_ = 0, from_ = 0, w_ = 0, phase_ = 0;
  Complex value_;
  std::size_t steps_ = 0;
};

}  // namespace

std::vector<double> phase_of_delays(const QuasiPolynomial& f, std::span<const double> ascending) {
  RationalPolynomial common;
  for (const auto& part : f.parts) common = gcd(common, part.polynomial);
  const PhaseOfRoots known(common.coefficients(), {1});
  const exact::Rational& earliest = f.parts.front().delay;
  const double shift = earliest.to_double();
  std::vector<Delayed> parts;
  for (const auto& part : f.parts) {
    Delayed rest{part.delay - earliest, 0, divided(part.polynomial, common).first, {}};
    rest.seconds = rest.delay.to_double();
    const std::vector<double> c = rest.polynomial.doubles();
    for (auto i = c.rbegin(); i != c.rend(); ++i) rest.moduli.push_back(std::abs(*i));
    parts.push_back(std::move(rest));
  }
  const Sum sum(std::move(parts));
  std::optional<Walk> walk;  // a single part has all its turns in its roots and its dead time
  double sign = 0;
  if (f.parts.size() > 1)
    walk.emplace(sum);
  else
    sign = sum.at(1).real() < 0 ? 180 : 0;
  std::vector<double> phases;
  for (const double w : ascending) phases.push_back(known(w) - w * shift * degrees + (walk ? walk->to(w) : sign));
  return phases;
}

}  // namespace sfg
