#include "sfg/control/phase_of_roots.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/control/on_axis.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

/// The lowest power with a coefficient that is not 0, and its sign.
std::pair<int, int> lowest_and_sign(const std::vector<exact::Rational>& coefficients) {
  const RationalPolynomial p(coefficients);
  std::size_t power = 0;
  while (p.sign_of(power) == 0) ++power;
  return {static_cast<int>(power), p.sign_of(power)};
}

}  // namespace

double on_sheet(std::complex<double> value, double predicted) {
  const double angle = std::arg(value) * degrees;
  return std::isfinite(angle) ? angle + 360.0 * std::round((predicted - angle) / 360.0) : angle;
}

PhaseOfRoots::PhaseOfRoots(const std::vector<exact::Rational>& numerator, const std::vector<exact::Rational>& denominator) {
  const auto [n, n_sign] = lowest_and_sign(numerator);
  const auto [d, d_sign] = lowest_and_sign(denominator);
  order_at_zero_ = n - d;
  start_ = 90.0 * order_at_zero_ + (n_sign * d_sign < 0 ? 180.0 : 0.0);
  add(numerator, 1);
  add(denominator, -1);
  std::sort(on_axis_.begin(), on_axis_.end(), [](const OnAxis& a, const OnAxis& b) { return a.frequency < b.frequency; });
}

void PhaseOfRoots::add(const std::vector<exact::Rational>& coefficients, int sign) {
  if (coefficients.size() < 2) return;
  for (const exact::Root& root : exact::roots(coefficients)) {
    if (root.value == 0.0 || root.value.imag() < 0) continue;
    const std::complex<double> value = root.on_axis ? std::complex<double>(0, root.value.imag()) : root.value;
    const int count = sign * static_cast<int>(root.multiplicity);
    roots_.emplace_back(value, count);
    if (root.on_axis) on_axis_.push_back({value.imag(), count});
  }
}

double PhaseOfRoots::operator()(double w) const {
  double phase = 0;
  for (const auto& [root, count] : roots_) {  // a real one atan(ω/|r|), a pair atan2(−2aω, |r|² − ω²)
    const double re = root.real(), im = root.imag();
    if (im == 0)
      phase += count * std::atan2(w, std::abs(re)) * (re < 0 ? 1 : -1);
    else if (re == 0)
      phase += count * (w > im ? std::numbers::pi : w == im ? std::numbers::pi / 2 : 0);
    else
      phase += count * std::atan2(-2 * re * w, (std::abs(root) - w) * (std::abs(root) + w));
  }
  return start_ + phase * degrees;
}

double PhaseOfRoots::last() const {
  double phase = start_;
  for (const auto& [root, count] : roots_) phase += count * (root.imag() == 0 ? 90 : 180) * (root.real() <= 0 ? 1 : -1);
  return phase;
}

int PhaseOfRoots::order_at(double w, double tolerance) const {
  if (w == 0) return order_at_zero_;
  for (const OnAxis& root : on_axis_)
    if (std::abs(w - root.frequency) <= tolerance * root.frequency) return root.order;
  return 0;
}

namespace {

PhaseOfRoots image_phase(const std::vector<exact::Rational>& numerator, const std::vector<exact::Rational>& denominator) {
  ExactTransfer transfer;
  transfer.numerator.parts = {{0, RationalPolynomial(numerator)}};
  transfer.denominator.parts = {{0, RationalPolynomial(denominator)}};
  const ExactTransfer image = axis_image(transfer);
  return {image.numerator.polynomial().coefficients(), image.denominator.polynomial().coefficients()};
}

int order_of_root(const std::vector<exact::Rational>& coefficients, const exact::Rational& at) {
  int order = 0;
  for (RationalPolynomial p(coefficients); p.sign_at(at) == 0; ++order) p = p.derivative();
  return order;
}

}  // namespace

PhaseOnCircle::PhaseOnCircle(const std::vector<exact::Rational>& numerator, const std::vector<exact::Rational>& denominator,
                             double sample_time)
    : image_(image_phase(numerator, denominator)),
      sample_time_(sample_time),
      at_one_(order_of_root(numerator, 1) - order_of_root(denominator, 1)),
      at_minus_one_(order_of_root(numerator, -1) - order_of_root(denominator, -1)) {}

double PhaseOnCircle::folded(double w) const {
  const double angle = std::abs(std::remainder(w * sample_time_, 2 * std::numbers::pi));
  return std::min(angle, std::numbers::pi);
}

/// One turn of the circle: up to −1, the same mirrored, and half a turn for each root at −1 and at 1, which is passed on its
/// outside.
double PhaseOnCircle::operator()(double w) const {
  const double angle = w * sample_time_, first = image_.asymptote(), half = image_.last();
  const double turn = 2 * (half - first) + 180.0 * (at_minus_one_ + at_one_);
  const double turns = std::floor(angle / (2 * std::numbers::pi)), rest = angle - turns * 2 * std::numbers::pi;
  const double at = image_(std::tan(folded(w) / 2));
  return turns * turn + (rest <= std::numbers::pi ? at : 2 * half + 180.0 * at_minus_one_ - at);
}

std::vector<double> PhaseOnCircle::on_circle() const {
  std::vector<double> frequencies;
  for (const PhaseOfRoots::OnAxis& root : image_.on_axis()) frequencies.push_back(2 * std::atan(root.frequency) / sample_time_);
  if (at_minus_one_ != 0) frequencies.push_back(std::numbers::pi / sample_time_);
  return frequencies;
}

int PhaseOnCircle::order_at(double w) const {
  constexpr double rounding = 1e-15;  // of ωh and of the tangent
  const double angle = folded(w);
  if (angle <= rounding * w * sample_time_) return at_one_;
  if (std::numbers::pi - angle <= rounding * w * sample_time_) return at_minus_one_;
  const double sine = std::sin(angle);  // dν/ν = dθ/sin θ
  return image_.order_at(std::tan(angle / 2), rounding * w * sample_time_ / sine);
}

}  // namespace sfg
