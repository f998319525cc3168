#include "sfg/approximate/approximate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

constexpr double decibels = 20.0 / std::numbers::ln10;

/// log(A/B) along s = jω: a constant and Σ ± log(jω − r).
class LogRatio {
 public:
  struct Value {
    Complex log;       ///< imaginary part in (−π, π]
    Complex slope;     ///< by ω
    double curvature;  ///< bound of the second derivative on the interval
  };

  LogRatio(const ExactTransfer& A, const ExactTransfer& B, double anywhere)
      : plus_(exact::root_values(A.numerator.parts.front().polynomial.coefficients())),
        minus_(exact::root_values(A.denominator.parts.front().polynomial.coefficients())) {
    for (const Complex root : exact::root_values(B.denominator.parts.front().polynomial.coefficients())) plus_.push_back(root);
    for (const Complex root : exact::root_values(B.numerator.parts.front().polynomial.coefficients())) minus_.push_back(root);
    drop_common();
    // The logarithm of the leading coefficients, which may be far beyond the range of a double, from one certified value.
    const Complex s(0, anywhere);
    const auto without_delay = [](ExactTransfer transfer) {
      transfer.numerator.parts.front().delay = transfer.denominator.parts.front().delay = 0;
      return transfer;
    };
    constant_ = std::log(value_at(without_delay(A), s)) - std::log(value_at(without_delay(B), s)) - sum(s);
  }

  Value on(double low, double high) const {
    const double middle = (low + high) / 2;
    const Complex s(0, middle);
    Value value{constant_ + sum(s), 0, 0};
    value.log.imag(std::remainder(value.log.imag(), 2 * std::numbers::pi));
    for (const Complex root : plus_) value.slope += Complex(0, 1) / (s - root);
    for (const Complex root : minus_) value.slope -= Complex(0, 1) / (s - root);
    for (const auto* side : {&plus_, &minus_})
      for (const Complex root : *side) {
        const double nearest = std::clamp(root.imag(), low, high);
        value.curvature += 1 / std::norm(Complex(0, nearest) - root);
      }
    return value;
  }

 private:
  Complex sum(Complex s) const {
    Complex result = 0;
    for (const Complex root : plus_) result += std::log(s - root);
    for (const Complex root : minus_) result -= std::log(s - root);
    return result;
  }
  /// What both have cancels, poles on the axis among it.
  void drop_common() {
    for (auto root = plus_.begin(); root != plus_.end();) {
      const auto same = std::find(minus_.begin(), minus_.end(), *root);
      if (same == minus_.end()) {
        ++root;
      } else {
        minus_.erase(same);
        root = plus_.erase(root);
      }
    }
  }

  std::vector<Complex> plus_, minus_;
  Complex constant_;
};

/// The greatest |part of log(A/B)| by branch and bound.
struct Peak {
  double value = 0, at = 0;
};

Peak peak(const LogRatio& ratio, double low, double high, double (*part)(Complex), bool wrapped) {
  constexpr double close_enough = 1e-3;  ///< of the greatest value, or of a thousandth
  constexpr int starts = 64, most = 2'000'000;
  std::vector<std::pair<double, double>> open;
  const std::vector<double> grid = logarithmic(low, high, starts + 1);
  for (int i = starts; i-- > 0;) open.emplace_back(grid[static_cast<std::size_t>(i)], grid[static_cast<std::size_t>(i) + 1]);
  Peak best;
  for (int step = 0; !open.empty() && step < most; ++step) {
    const auto [a, b] = open.back();
    open.pop_back();
    const LogRatio::Value here = ratio.on(a, b);
    const double h = (b - a) / 2, value = std::abs(part(here.log));
    if (value > best.value) best = {value, (a + b) / 2};
    double above = value + h * std::abs(part(here.slope)) + h * h / 2 * here.curvature;
    if (wrapped) above = std::min(above, std::numbers::pi);
    if (above <= best.value * (1 + close_enough) + 1e-6 || h < 1e-13 * b) continue;
    open.emplace_back(a, (a + b) / 2);
    open.emplace_back((a + b) / 2, b);
  }
  for (const double end : {low, high})
    if (const double value = std::abs(part(ratio.on(end, end).log)); value > best.value) best = {value, end};
  return best;
}

Deviation sampled(const ExactTransfer& A, const ExactTransfer& B, double low, double high) {
  Deviation result;
  result.bounded = false;
  std::vector<Complex> points;
  for (const double w : logarithmic(low, high, 10'000)) points.emplace_back(0, w);
  const std::vector<Complex> a = values_at(A, points), b = values_at(B, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Complex log = std::log(a[i] / b[i]);
    if (const double db = std::abs(log.real()) * decibels; db > result.magnitude_db) {
      result.magnitude_db = db;
      result.magnitude_at = points[i].imag();
    }
    if (const double deg = std::abs(log.imag()) * degrees; deg > result.phase_deg) {
      result.phase_deg = deg;
      result.phase_at = points[i].imag();
    }
  }
  return result;
}

/// Dead time in front of a rational function: e^(−τs) n(s)/d(s).
bool one_delay(const ExactTransfer& transfer) {
  return transfer.numerator.parts.size() == 1 && transfer.denominator.parts.size() == 1;
}
exact::Rational dead_time(const ExactTransfer& transfer) {
  return transfer.numerator.parts.front().delay - transfer.denominator.parts.front().delay;
}

}  // namespace

Deviation deviation(const ExactTransfer& A, const ExactTransfer& B, double low, double high) {
  if (!(low > 0) || !(high >= low)) throw std::invalid_argument("deviation: a range of positive frequencies is needed");
  if (!one_delay(A) || !one_delay(B) || dead_time(A) != dead_time(B)) return sampled(A, B, low, high);
  const LogRatio ratio(A, B, std::sqrt(low * high) * 1.00731);  // hardly ever on a pole of a textbook example
  const Peak magnitude = peak(
      ratio, low, high, [](Complex z) { return z.real(); }, false);
  const Peak phase = peak(
      ratio, low, high, [](Complex z) { return z.imag(); }, true);
  // Upwards by what the search leaves open, so that what is said is never less than what is true.
  const auto upwards = [](double value) { return value < 1e-10 ? 0.0 : value * 1.001 + 1e-6; };
  return {decibels * upwards(magnitude.value), std::min(degrees * upwards(phase.value), 180.0), magnitude.at, phase.at, true};
}

}  // namespace sfg
