// With s = jω, d/dω ln T = j·T′/T, so that the group delay −d(arg T)/dω is −Re(T′/T): that of the numerator less that of the
// denominator. A polynomial P(jω) = A(ω) + jB(ω) has the delay −(B′A − A′B)/(A² + B²), a quotient of two exact polynomials:
// nothing is lost where the terms of T′/T nearly cancel.
#include "sfg/response/group_delay.hpp"

#include <cmath>
#include <complex>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;
using Scaled = RationalPolynomial::Scaled;

double quotient(const Scaled& above, const Scaled& below) {
  if (below.mantissa == 0.0) return undefined;
  return std::ldexp(above.mantissa.real() / below.mantissa.real(), static_cast<int>(above.exponent - below.exponent));
}

/// Of one polynomial along the imaginary axis.
class AxisDelay {
 public:
  explicit AxisDelay(const RationalPolynomial& p) {
    const RationalPolynomial minus_square{-1, 0, 0};  // e(s²) at s = jω is e(−ω²)
    const RationalPolynomial A = p.even_part().composed(minus_square), B = p.odd_part().composed(minus_square).shifted_up(1);
    above_ = A.derivative() * B - B.derivative() * A;
    below_ = A * A + B * B;
    if (const RationalPolynomial common = gcd(above_, below_); common.degree() > 0) {  // roots on the axis
      above_ = divided(above_, common).first;
      below_ = divided(below_, common).first;
    }
  }
  double at(double w) const { return above_.is_zero() ? 0.0 : quotient(above_.scaled_at(w), below_.scaled_at(w)); }

 private:
  RationalPolynomial above_, below_;
};

/// Of Σ p_k(s) e^(−τ_k s), at any point: −Re of the logarithmic derivative.
class SumDelay {
 public:
  explicit SumDelay(const QuasiPolynomial& side) {
    for (const auto& part : side.parts) {
      const RationalPolynomial& p = part.polynomial;
      parts_.push_back({part.delay.to_double(), p, p.derivative() - RationalPolynomial::constant(part.delay) * p});
    }
  }
  std::complex<double> derivative_over_value(std::complex<double> s) const {
    std::complex<double> value = 0, slope = 0;
    for (const Part& part : parts_) {
      const std::complex<double> late = std::exp(-part.delay * s);
      value += part.p.at(s) * late;
      slope += part.slope.at(s) * late;
    }
    return slope / value;
  }

 private:
  struct Part {
    double delay;
    RationalPolynomial p, slope;
  };
  std::vector<Part> parts_;
};

std::vector<double> along_axis(const ExactTransfer& transfer, std::span<const double> frequency) {
  const AxisDelay above(transfer.numerator.parts.front().polynomial), below(transfer.denominator.parts.front().polynomial);
  const double dead_time = (transfer.numerator.parts.front().delay - transfer.denominator.parts.front().delay).to_double();
  std::vector<double> delay;
  for (const double w : frequency) delay.push_back(above.at(w) - below.at(w) + dead_time);
  return delay;
}

std::vector<double> by_values(const ExactTransfer& transfer, std::span<const double> frequency) {
  const SumDelay above(transfer.numerator), below(transfer.denominator);
  std::vector<double> delay;
  for (const double w : frequency) {
    const std::complex<double> s = transfer.op.at_frequency(w);
    const std::complex<double> turn = above.derivative_over_value(s) - below.derivative_over_value(s);
    delay.push_back(transfer.op.discrete() ? -transfer.op.period().to_double() * (s * turn).real() : -turn.real());
  }
  return delay;
}

}  // namespace

std::vector<double> group_delay(const ExactTransfer& transfer, std::span<const double> rad_per_s) {
  if (transfer.numerator.parts.empty()) return std::vector<double>(rad_per_s.size(), undefined);
  const bool one_part = transfer.numerator.parts.size() == 1 && transfer.denominator.parts.size() == 1;
  return one_part && !transfer.op.discrete() ? along_axis(transfer, rad_per_s) : by_values(transfer, rad_per_s);
}

}  // namespace sfg
