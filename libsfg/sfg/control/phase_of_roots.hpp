#pragma once
// Not installed: the phase of a rational function along the imaginary axis from its certified roots, and that of sums of delayed
// polynomials.
#include <complex>
#include <span>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// Phase in degrees of n(jω)/d(jω) for ω > 0, continuous from the low-frequency asymptote c·(jω)^k: 90°·k, and 180° more for
/// c < 0. Each root contributes a continuous function of ω that is 0 at ω = 0; one on the axis counts as a little to its left.
class PhaseOfRoots {
 public:
  /// Coefficients, highest power first; neither is 0.
  PhaseOfRoots(const std::vector<exact::Rational>& numerator, const std::vector<exact::Rational>& denominator);

  double operator()(double w) const;
  double asymptote() const { return start_; }  ///< the phase that ω → 0 begins with
  double last() const;                         ///< the phase that ω → ∞ ends with

  /// Roots on the axis above 0: frequency, and the multiplicity of a zero or minus that of a pole.
  struct OnAxis {
    double frequency = 0;
    int order = 0;
  };
  const std::vector<OnAxis>& on_axis() const { return on_axis_; }
  /// The order of the zero (positive) or pole (negative) at a frequency, to the last digit of a double; 0 where there is none.
  int order_at(double w, double tolerance = 2.5e-16) const;

 private:
  void add(const std::vector<exact::Rational>& coefficients, int sign);
  double start_ = 0;
  int order_at_zero_ = 0;
  std::vector<std::pair<std::complex<double>, int>> roots_;
  std::vector<OnAxis> on_axis_;
};

/// The angle of a value, in degrees, on the sheet of the prediction.
double on_sheet(std::complex<double> value, double predicted);

/// The same on the unit circle, e^{jωh}: the phase of the image on the axis, carried on beyond half the sampling frequency, where
/// the response is mirrored. Roots on the circle count as a little inside.
class PhaseOnCircle {
 public:
  PhaseOnCircle(const std::vector<exact::Rational>& numerator, const std::vector<exact::Rational>& denominator,
                double sample_time);

  double operator()(double w) const;
  double asymptote() const { return image_.asymptote(); }
  std::vector<double> on_circle() const;  ///< frequencies of roots on the circle, up to half the sampling frequency, rad/s
  int order_at(double w) const;

 private:
  double folded(double w) const;  ///< ωh in [0, π]
  PhaseOfRoots image_;
  double sample_time_;
  int at_one_ = 0, at_minus_one_ = 0;  ///< orders of the zeros there
};

/// Phase in degrees of Σ p_k(jω) e^(−jωτ_k) at ascending frequencies > 0, continuous from the low-frequency asymptote. NaN beyond
/// the frequency up to which it could be followed, and where the sum vanishes.
std::vector<double> phase_of_delays(const QuasiPolynomial&, std::span<const double> ascending);

}  // namespace sfg
