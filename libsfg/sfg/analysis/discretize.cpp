#include "sfg/analysis/discretize.hpp"

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/ring/inverse_laplace.hpp"
#include "sfg/ring/rational_polynomial.hpp"
#include "sfg/ring/roots.hpp"

namespace sfg {

namespace {

using ring::RationalPolynomial;
using Wide = std::complex<long double>;

/// Whole sample times in the dead time of the (only) numerator part.
std::size_t held_delay(const ExactTransfer& transfer, const std::string& h) {
  if (!transfer.denominator.rational() || transfer.numerator.parts.size() > 1)
    throw NoAnswer("a sampled system needs a rational loop", "replace the dead time by a Padé approximant (--pade N)");
  if (transfer.numerator.parts.empty()) return 0;
  const std::string periods = ring::rational_quotient(transfer.numerator.parts.front().delay, h);
  if (periods.find('/') != std::string::npos)
    throw NoAnswer("the dead time is no multiple of the sample time", "choose a sample time that divides it, or --pade N");
  return std::stoul(periods);
}

RationalPolynomial numerator_of(const ExactTransfer& transfer) {
  return transfer.numerator.parts.empty() ? RationalPolynomial()
                                          : RationalPolynomial(transfer.numerator.parts.front().coefficients);
}

ExactTransfer in_z(const ExactTransfer& transfer, const RationalPolynomial& n, const RationalPolynomial& d, std::size_t delay) {
  ExactTransfer result;
  result.input = transfer.input;
  result.output = transfer.output;
  result.variable = "z";
  if (!n.is_zero()) result.numerator.parts = {{"0", n.coefficients()}};
  result.denominator.parts = {{"0", d.shifted_up(delay).coefficients()}};
  return result;
}

/// p((2/h) (z − 1)/(z + 1)) · (z + 1)^n.
RationalPolynomial bilinear(const RationalPolynomial& p, const std::string& h, std::size_t n) {
  const RationalPolynomial z = RationalPolynomial::variable(), one = RationalPolynomial::constant("1");
  const RationalPolynomial minus = (z - one) * RationalPolynomial::constant(ring::rational_quotient("2", h)), plus = z + one;
  RationalPolynomial sum;
  for (std::size_t i = 0; i <= n; ++i) sum += RationalPolynomial::constant(p.coefficient(i)) * minus.power(i) * plus.power(n - i);
  return sum;
}

/// Π (z − e^(p h)) over the roots, real parts of the coefficients, highest power first.
std::vector<long double> mapped(const std::vector<ring::Root>& roots, long double h) {
  std::vector<Wide> p{1};
  for (const ring::Root& root : roots) {
    const Wide z = std::exp(Wide(root.value) * h);
    for (std::size_t m = 0; m < root.multiplicity; ++m) {
      p.push_back(0);
      for (std::size_t i = p.size() - 1; i > 0; --i) p[i] -= z * p[i - 1];
    }
  }
  std::vector<long double> real;
  for (const Wide& c : p) real.push_back(c.real());
  return real;
}

RationalPolynomial rational(const std::vector<long double>& coefficients) {
  std::vector<std::string> text;
  for (const long double c : coefficients) text.push_back(ring::rational_of(static_cast<double>(c)));
  return RationalPolynomial(text);
}

ExactTransfer held(const ExactTransfer& transfer, const RationalPolynomial& n, const RationalPolynomial& d, const std::string& h,
                   std::size_t delay) {
  const double step = ring::rational_double(h);
  const std::vector<long double> den = mapped(ring::roots(d.coefficients()), step);
  const std::size_t order = den.size() - 1;
  std::vector<double> times(order + 1);
  for (std::size_t k = 0; k <= order; ++k) times[k] = static_cast<double>(k) * step;
  const std::vector<double> y = ring::InverseLaplace(n.coefficients(), d.shifted_up(1).coefficients()).at(times);
  std::vector<long double> num(order + 1, 0);  // numerator = denominator × samples of the pulse response
  for (std::size_t k = 0; k <= order; ++k)
    for (std::size_t j = 0; j <= k; ++j)
      num[k] += den[j] * (static_cast<long double>(y[k - j]) - (k - j == 0 ? 0 : y[k - j - 1]));
  if (n.degree() < d.degree()) num[0] = 0;
  return in_z(transfer, rational(num), rational(den), delay);
}

ExactTransfer matched(const ExactTransfer& transfer, const RationalPolynomial& n, const RationalPolynomial& d,
                      const std::string& h, std::size_t delay) {
  const long double step = ring::rational_double(h);
  const RationalPolynomial den = rational(mapped(ring::roots(d.coefficients()), step));
  RationalPolynomial num = rational(mapped(ring::roots(n.coefficients()), step));
  const RationalPolynomial minus_one = RationalPolynomial::variable() + RationalPolynomial::constant("1");
  for (long k = n.degree() + 1; k < d.degree(); ++k) num *= minus_one;
  double s = 0;  // the gain is matched at 0, or a little off it for an integrator
  while (d.at(std::complex<double>(s)) == 0.0 || n.at(std::complex<double>(s)) == 0.0) s += 1e-3 / static_cast<double>(step);
  const double z = std::exp(s * static_cast<double>(step));
  const double wanted = (n.at(std::complex<double>(s)) / d.at(std::complex<double>(s))).real();
  const double have = (num.at(std::complex<double>(z)) / den.at(std::complex<double>(z))).real();
  return in_z(transfer, num * RationalPolynomial::constant(ring::rational_of(wanted / have)), den, delay);
}

}  // namespace

ExactTransfer discretized(const ExactTransfer& transfer, const std::string& sample_time, Discretization method) {
  if (transfer.variable == "z") throw NoAnswer("the system is in z already");
  const std::size_t delay = held_delay(transfer, sample_time);
  const RationalPolynomial n = numerator_of(transfer), d(transfer.denominator.coefficients());
  if (n.degree() > d.degree()) throw NoAnswer("an improper transfer function cannot be sampled");
  if (n.is_zero()) return in_z(transfer, n, RationalPolynomial::constant("1"), 0);
  switch (method) {
    case Discretization::zero_order_hold: return held(transfer, n, d, sample_time, delay);
    case Discretization::matched: return matched(transfer, n, d, sample_time, delay);
    case Discretization::tustin: break;
  }
  const auto order = static_cast<std::size_t>(d.degree());
  return in_z(transfer, bilinear(n, sample_time, order), bilinear(d, sample_time, order), delay);
}

std::vector<double> discrete_response(const ExactTransfer& transfer, std::size_t count, bool step) {
  const std::vector<double> den = RationalPolynomial(transfer.denominator.coefficients()).doubles();
  std::vector<double> num = numerator_of(transfer).doubles();
  if (num.size() > den.size()) throw NoAnswer("the transfer function in z looks ahead: its numerator has a higher degree");
  num.insert(num.begin(), den.size() - num.size(), 0.0);
  std::vector<long double> y(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    long double sum = 0;
    for (std::size_t i = 0; i < num.size() && i <= k; ++i)
      if (step || i == k) sum += num[i];
    for (std::size_t i = 1; i < den.size() && i <= k; ++i) sum -= den[i] * y[k - i];
    y[k] = sum / den[0];
  }
  return {y.begin(), y.end()};
}

}  // namespace sfg
