// N/D with D = Π f_i^m_i: the part over f_i^m_i is N · (Π_{j≠i} f_j^m_j)⁻¹ modulo f_i^m_i, and dividing it by f_i again and
// again gives the numerators over f_i, f_i², …
#include "sfg/response/closed_form.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/partial_fractions.hpp"
#include "sfg/response/time_function.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

/// L⁻¹ of r/(s − p)^k.
GiNaC::ex pole_term(const exact::Rational& residue, const GiNaC::ex& pole, std::size_t k, const GiNaC::ex& t) {
  const auto order = static_cast<unsigned>(k - 1);
  return numeric_value(residue) * GiNaC::pow(t, order) / GiNaC::factorial(order) * GiNaC::exp(pole * t);
}

/// L⁻¹ of (B s + C)/((s − σ)² + q)^k = e^(σt) (B g_k + (C + Bσ) f_k) with f_k, g_k the time functions of 1/(s² + q)^k and s/(s² +
/// q)^k: f_1 = sin(ωt)/ω, g_1 = cos(ωt), ω² = q (hyperbolic for q < 0).
GiNaC::ex pair_term(const GiNaC::ex& B, const GiNaC::ex& C, const GiNaC::ex& sigma, const GiNaC::ex& q, bool oscillating,
                    std::size_t k, const GiNaC::ex& t) {
  const GiNaC::ex omega = GiNaC::sqrt(oscillating ? q : -q);
  const auto [f, g] = pair_functions((oscillating ? GiNaC::sin(omega * t) : GiNaC::sinh(omega * t)) / omega,
                                     oscillating ? GiNaC::cos(omega * t) : GiNaC::cosh(omega * t), q, k, t);
  return GiNaC::exp(sigma * t) * (B * g + (C + B * sigma) * f).expand();
}

}  // namespace

std::optional<GiNaC::ex> inverse_laplace(std::span<const exact::Rational> numerator, std::span<const exact::Rational> denominator,
                                         const GiNaC::ex& t) {
  RationalPolynomial N(numerator), D(denominator);
  const RationalPolynomial common = gcd(N, D);
  D = divided(D, common).first;
  N = divided(divided(N, common).first, D).second * RationalPolynomial::constant(1 / D.leading());
  D = D.monic();
  GiNaC::ex sum = 0;
  for (const auto& [factor, multiplicity] : D.factors()) {
    if (factor.degree() > 2) return {};
    const RationalPolynomial power = factor.power(multiplicity), rest = divided(D, power).first;
    RationalPolynomial part = divided(N * rest.inverse_modulo(power), power).second;
    const bool is_pair = factor.degree() == 2;
    const GiNaC::ex pole = is_pair ? -numeric_value(factor.coefficient(1)) / 2 : -numeric_value(factor.coefficient(0));
    const GiNaC::ex square = is_pair ? numeric_value(factor.coefficient(0)) - pole * pole : GiNaC::ex(0);
    for (std::size_t k = multiplicity; k > 0; --k) {
      const auto [quotient, remainder] = divided(part, factor);
      if (is_pair && !remainder.is_zero())
        sum += pair_term(numeric_value(remainder.coefficient(1)), numeric_value(remainder.coefficient(0)), pole, square,
                         GiNaC::ex_to<GiNaC::numeric>(square).is_positive(), k, t);
      else if (!remainder.is_zero())
        sum += pole_term(remainder.coefficient(0), pole, k, t);
      part = quotient;
    }
  }
  return sum;
}

namespace {

/// Sums the time functions of partial fractions.
class SymbolicSum {
 public:
  explicit SymbolicSum(const GiNaC::ex& t) : t_(t) {}

  /// Σ_k numerators[k − 1]/(a s + b)^k
  void add_linear(const FieldPolynomial& factor, const std::vector<FieldPolynomial>& numerators) {
    const GiNaC::ex a = factor[1].expression(), pole = -(factor[0] / factor[1]).expression();
    for (std::size_t k = 1; k <= numerators.size(); ++k) {
      if (numerators[k - 1].empty()) continue;
      const auto order = static_cast<unsigned>(k - 1);
      const GiNaC::ex weight = numerators[k - 1][0].expression() / GiNaC::pow(a, static_cast<int>(k));
      response.value += normal_form(weight) * GiNaC::pow(t_, order) / GiNaC::factorial(order) * GiNaC::exp(pole * t_);
    }
  }

  /// Σ_k numerators[k − 1]/(a s² + b s + c)^k
  void add_quadratic(const FieldPolynomial& factor, const std::vector<FieldPolynomial>& numerators) {
    const GiNaC::ex a = factor[2].expression(), b = factor[1].expression(), c = factor[0].expression();
    const GiNaC::ex sigma = normal_form(-b / (2 * a)), square = normal_form(c / a - b * b / (4 * a * a));
    const auto number = rational_value(square);
    if (!number) response.positive.push_back(normal_form(4 * a * c - b * b));
    const bool oscillating = !number || number->sign() > 0;
    for (std::size_t k = 1; k <= numerators.size(); ++k) {
      const FieldPolynomial& n = numerators[k - 1];
      if (n.empty()) continue;
      const GiNaC::ex power = GiNaC::pow(a, static_cast<int>(k));
      const GiNaC::ex B = normal_form((n.size() > 1 ? n[1].expression() : 0) / power), C = normal_form(n[0].expression() / power);
      response.value += pair_term(B, C, sigma, square, oscillating, k, t_);
    }
  }

  SymbolicResponse response;

 private:
  GiNaC::ex t_;
};

}  // namespace

std::optional<SymbolicResponse> symbolic_response(const TransferFunction& transfer, const GiNaC::ex& variable,
                                                  Excitation excitation, const GiNaC::ex& t) {
  const bool step = excitation == Excitation::step;
  const PolynomialSpace& space = transfer.value.space();
  for (std::size_t i = 0; i < space.size(); ++i)
    if (!space.generator(i).is_equal(variable) && space.generator(i).has(variable))
      throw NoAnswer("expression '" + print(space.generator(i)) + "' is not rational in " + print(variable), Advice::ask_numeric);
  SymbolicSum sum(t);
  if (transfer.value.numerator().is_zero()) return sum.response;
  FieldPolynomial N = field_polynomial(space, transfer.value.numerator()),
                  D = field_polynomial(space, transfer.value.denominator());
  if (step) D.insert(D.begin(), constant(space, 0));
  const std::vector<Factor> factors = with_roots_at_0(main_factors(space, transfer.value.denominator()), space, step ? 1 : 0);
  FieldPolynomial product{constant(space, 1)};
  for (const Factor& factor : factors) {
    if (factor.polynomial.size() > 3) return {};
    for (std::uint64_t i = 0; i < factor.multiplicity; ++i) product = product * factor.polynomial;
  }
  const RationalFunction rest = D.back() / product.back();  // what of the denominator is free of the operator
  for (RationalFunction& c : N) c = c / rest;
  auto division = divide(N, product);
  for (const RationalFunction& weight : division.quotient) sum.response.impulses.push_back(weight.expression());
  N = std::move(division.remainder);
  const auto parts = partial_fractions(N, factors);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (factors[i].polynomial.size() == 2)
      sum.add_linear(factors[i].polynomial, parts[i]);
    else
      sum.add_quadratic(factors[i].polynomial, parts[i]);
  }
  if (!N.empty() && N.size() + 1 == product.size()) sum.response.initial = (N.back() / product.back()).expression();
  const auto T0 = [&](const ring::Polynomial& p) { return field_polynomial(space, p).front(); };
  const RationalFunction below = T0(transfer.value.denominator());
  if (!step)
    sum.response.final = GiNaC::ex(0);
  else if (!is_zero(below))
    sum.response.final = (T0(transfer.value.numerator()) / below).expression();
  return sum.response;
}

namespace {

/// Irrational values have been rounded to 120 digits: a formula would show them as if they were exact.
bool has_long_numbers(const ExactTransfer& transfer) {
  const exact::Rational longest = exact::Rational(10).power(120);
  for (const QuasiPolynomial* side : {&transfer.numerator, &transfer.denominator})
    for (const QuasiPolynomial::Part& part : side->parts)
      for (const exact::Rational& c : part.polynomial.coefficients())
        if (c.numerator().abs() * c.denominator() > longest) return true;
  return false;
}

}  // namespace

std::optional<ClosedForm> time_function(const ExactTransfer& transfer, const InputSignal& input, const GiNaC::ex& t) {
  constexpr long highest_order = 16;  // factors over ℚ are sought by lattice reduction: no use where none will be small
  if (input.rounded || !transfer.denominator.rational() || has_long_numbers(transfer)) return {};
  ClosedForm sum{0, {}};
  for (const InputSignal::Piece& piece : input.pieces) {
    const QuasiPolynomial numerator = product(transfer.numerator, RationalPolynomial(piece.numerator), piece.start);
    const RationalPolynomial d = RationalPolynomial(piece.denominator) * transfer.denominator.polynomial();
    if (d.degree() > highest_order) return {};
    for (const QuasiPolynomial::Part& part : numerator.parts) {
      const auto f = inverse_laplace(part.polynomial.coefficients(), d.coefficients(), t);
      if (!f) return {};
      const GiNaC::ex start = numeric_value(part.delay);
      sum.value += start.is_zero() ? *f : unit_step(t - start) * f->subs(t == t - start);
      const RationalPolynomial direct = divided(part.polynomial, d).first;
      for (long k = 0; k <= direct.degree(); ++k)
        sum.impulses.push_back({part.delay, static_cast<std::size_t>(k), direct.coefficient(static_cast<std::size_t>(k))});
    }
  }
  sum.impulses = added(std::move(sum.impulses));
  return sum;
}

}  // namespace sfg
