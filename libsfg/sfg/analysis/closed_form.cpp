// N/D with D = Π f_i^m_i: the part over f_i^m_i is N · (Π_{j≠i} f_j^m_j)⁻¹ modulo f_i^m_i, and dividing it by f_i again and
// again gives the numerators over f_i, f_i², …
#include "sfg/analysis/closed_form.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/ring/rational_polynomial.hpp"

namespace sfg {

namespace {

using ring::RationalPolynomial;

GiNaC::ex number(const std::string& rational) {
  const std::size_t slash = rational.find('/');
  if (slash == std::string::npos) return GiNaC::numeric(rational.c_str());
  return GiNaC::numeric(rational.substr(0, slash).c_str()) / GiNaC::numeric(rational.substr(slash + 1).c_str());
}

/// L⁻¹ of r/(s − p)^k.
GiNaC::ex pole_term(const std::string& residue, const GiNaC::ex& pole, std::size_t k, const GiNaC::ex& t) {
  const auto order = static_cast<unsigned>(k - 1);
  return number(residue) * GiNaC::pow(t, order) / GiNaC::factorial(order) * GiNaC::exp(pole * t);
}

/// L⁻¹ of (B s + C)/(s² + b s + c) = e^(σt) (B cos ωt + (C + Bσ)/ω sin ωt), hyperbolic when the roots are real.
GiNaC::ex pair_term(const RationalPolynomial& numerator, const RationalPolynomial& quadratic, const GiNaC::ex& t) {
  const GiNaC::ex B = number(numerator.coefficient(1)), C = number(numerator.coefficient(0));
  const GiNaC::ex sigma = -number(quadratic.coefficient(1)) / 2, square = number(quadratic.coefficient(0)) - sigma * sigma;
  const bool oscillating = GiNaC::ex_to<GiNaC::numeric>(square).is_positive();
  const GiNaC::ex omega = GiNaC::sqrt(oscillating ? square : -square), sine = (C + B * sigma) / omega;
  const GiNaC::ex shape = oscillating ? B * GiNaC::cos(omega * t) + sine * GiNaC::sin(omega * t)
                                      : B * GiNaC::cosh(omega * t) + sine * GiNaC::sinh(omega * t);
  return GiNaC::exp(sigma * t) * shape;
}

}  // namespace

std::optional<GiNaC::ex> inverse_laplace(std::span<const std::string> numerator, std::span<const std::string> denominator,
                                         const GiNaC::ex& t) {
  RationalPolynomial N(numerator), D(denominator);
  const RationalPolynomial common = gcd(N, D);
  D = divided(D, common).first;
  const std::string leading = D.coefficient(static_cast<std::size_t>(D.degree()));
  N = divided(divided(N, common).first, D).second * RationalPolynomial::constant(ring::rational_quotient("1", leading));
  D = D.monic();
  GiNaC::ex sum = 0;
  for (const auto& [factor, multiplicity] : D.factors()) {
    if (factor.degree() > 2 || (factor.degree() == 2 && multiplicity > 1)) return {};
    const RationalPolynomial power = factor.power(multiplicity), rest = divided(D, power).first;
    RationalPolynomial part = divided(N * rest.inverse_modulo(power), power).second;
    if (factor.degree() == 2) {
      sum += pair_term(part, factor, t);
      continue;
    }
    const GiNaC::ex pole = -number(factor.coefficient(0));
    for (std::size_t k = multiplicity; k > 0; --k) {
      const auto [quotient, remainder] = divided(part, factor);
      if (!remainder.is_zero()) sum += pole_term(remainder.coefficient(0), pole, k, t);
      part = quotient;
    }
  }
  return sum;
}

std::string shown_expression(const GiNaC::ex& f) {
  constexpr std::size_t longest = 500;
  std::string text = print(f);
  return text.size() <= longest ? text : std::string();
}

std::optional<GiNaC::ex> time_function(const ExactTransfer& transfer, const InputSignal& input, const GiNaC::ex& t) {
  constexpr long highest_order = 16;  // factors over ℚ are sought by lattice reduction: no use where none will be small
  if (input.rounded || !transfer.denominator.rational()) return {};
  GiNaC::ex sum = 0;
  const RationalPolynomial below(transfer.denominator.coefficients());
  for (const InputSignal::Piece& piece : input.pieces)
    for (const QuasiPolynomial::Part& part : transfer.numerator.parts) {
      const RationalPolynomial n = RationalPolynomial(piece.numerator) * RationalPolynomial(part.coefficients);
      const RationalPolynomial d = RationalPolynomial(piece.denominator) * below;
      if (d.degree() > highest_order) return {};
      const auto f = inverse_laplace(n.coefficients(), d.coefficients(), t);
      if (!f) return {};
      const GiNaC::ex start = number(ring::rational_sum(piece.start, part.delay));
      sum += start.is_zero() ? *f : unit_step(t - start) * f->subs(t == t - start);
    }
  return sum;
}

}  // namespace sfg
