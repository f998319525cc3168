// With L = n/d, S + (σ − 1)/2 = ((σ + 1) d + (σ − 1) n)/(2 (n + d)): α is the least |P/Q| on the axis, P = 2 (n + d). It is
// stationary at the roots of A′B − AB′ in x = ω², A = |P|², B = |Q|².
#include "sfg/control/margins.hpp"

#include <cmath>

#include "sfg/control/on_axis.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;

double decibels_of_gain(double gain) { return 20.0 * std::log10(gain); }

/// |P/Q| at a frequency: the quotient of the two, each correct to double precision whatever its size.
double modulus_of_quotient(const RationalPolynomial& P, const RationalPolynomial& Q, double w) {
  const RationalPolynomial::Scaled p = P.scaled_at({0, w}), q = Q.scaled_at({0, w});
  return std::ldexp(std::abs(p.mantissa) / std::abs(q.mantissa), static_cast<int>(p.exponent - q.exponent));
}

/// Squares of values that a stationary one is compared with exactly.
class KnownSquares {
 public:
  KnownSquares(const RationalPolynomial& A, const RationalPolynomial& B, const RationalPolynomial& stationary)
      : A_(A), B_(B), stationary_(stationary) {}
  void add(const Rational& square) { squares_.push_back(square); }
  /// The root of a known square where the value at a root of the stationary polynomial is that exactly.
  double settled(double value, const exact::RealRoot& x) const {
    constexpr double alike = 1e-9;
    for (const Rational& square : squares_) {
      const double known = std::sqrt(square.to_double());
      if (std::abs(value - known) > alike * known) continue;
      if (is_root(gcd(A_ - RationalPolynomial::constant(square) * B_, stationary_), x)) return known;
    }
    return value;
  }

 private:
  const RationalPolynomial &A_, &B_, &stationary_;
  std::vector<Rational> squares_{1, 4};
};

}  // namespace

DiskMargin disk_margin(int skew, double radius, std::optional<double> frequency) {
  DiskMargin margin{.skew = skew, .radius = radius, .frequency = frequency};
  const double one_less = radius * (1 - skew), one_more = skew == -1 ? 0 : radius * (1 + skew);
  const double low = skew == 1 ? 2 / (2 + one_more) : (2 - one_less) / (2 + one_more);
  if (low > 0) margin.gain_low_db = decibels_of_gain(low);
  if (one_more < 2 && std::isfinite(radius))
    margin.gain_high_db =
        skew == 0 ? -decibels_of_gain(low) : decibels_of_gain((2 + (skew == 1 ? 0 : one_less)) / (2 - one_more));
  // (1 + γ_low γ_high)/(γ_low + γ_high), without what is infinite in it
  const double square = radius * radius;
  const double cosine = skew == 0 ? std::isfinite(square) ? (4 - square) / (4 + square) : -1 : 1 - square / 2;
  if (cosine >= -1) margin.phase_deg = std::acos(cosine) * degrees;
  return margin;
}

double disk_radius(int skew, std::complex<double> L) {
  const bool great = !(std::abs(L) <= 1);
  const std::complex<double> u = great ? std::isinf(std::abs(L)) ? 0 : 1.0 / L : L;
  const double more = 1 + skew, less = skew - 1;
  return 2 * std::abs(1.0 + u) / std::abs(great ? more * u + less : more + less * u);
}

std::optional<LeastOnAxis> least_on_axis(const RationalPolynomial& P, const RationalPolynomial& Q) {
  std::optional<LeastOnAxis> least;
  const auto candidate = [&](double value, std::optional<double> w) {
    if (!least || value < least->value) least = LeastOnAxis{value, w};
  };
  if (Q.is_zero()) return least;
  const RationalPolynomial A = OnAxis(P).squared_magnitude(), B = OnAxis(Q).squared_magnitude();
  const RationalPolynomial stationary = without_roots(A.derivative() * B - A * B.derivative(), B);
  KnownSquares known(A, B, stationary);
  if (Q.sign_of(0) != 0) {
    const Rational still = P.coefficient(0) / Q.coefficient(0);
    known.add(still * still);
    candidate(still.abs().to_double(), 0.0);
  }
  const auto last_power = static_cast<std::size_t>(std::max(P.degree(), Q.degree()));
  std::optional<Rational> last;
  if (Q.sign_of(last_power) != 0) {
    last = P.coefficient(last_power) / Q.coefficient(last_power);
    known.add(*last * *last);
  }
  for (const exact::RealRoot& x : positive_roots(A)) candidate(0.0, std::sqrt(x.value));
  for (const exact::RealRoot& x : positive_roots(stationary)) {
    const double w = std::sqrt(x.value);
    candidate(known.settled(modulus_of_quotient(P, Q, w), x), w);
  }
  if (last) candidate(last->abs().to_double(), {});
  return least;
}

std::vector<DiskMargin> disk_margins(const RationalPolynomial& n, const RationalPolynomial& d,
                                     const std::optional<LeastOnAxis>& modulus_margin) {
  const RationalPolynomial closed = n + d;
  const auto of = [&](int skew, const std::optional<LeastOnAxis>& least) {
    return least ? disk_margin(skew, least->value, least->frequency) : disk_margin(skew, infinity, 0.0);
  };
  return {of(0, least_on_axis(RationalPolynomial::constant(2) * closed, d - n)), of(1, modulus_margin),
          of(-1, least_on_axis(closed, n))};
}

}  // namespace sfg
