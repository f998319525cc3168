#include "sfg/expr/condition.hpp"

#include <ginac/ginac.h>

namespace sfg {

using ring::Polynomial;

bool PositiveLetters::has_value(const GiNaC::ex& letter) const {
  const auto value = values.find(letter);
  return value != values.end() && GiNaC::is_exactly_a<GiNaC::numeric>(value->second) &&
         GiNaC::ex_to<GiNaC::numeric>(value->second).is_positive();
}

bool PositiveLetters::contains(const GiNaC::ex& letter) const {
  if (values.contains(letter)) return has_value(letter);
  return all && GiNaC::is_a<GiNaC::symbol>(letter);
}

bool PositiveLetters::makes_positive(const Polynomial& polynomial, const PolynomialSpace& space) const {
  bool positive = true;
  polynomial.visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t> exponents) {
    if (coefficient.sign() < 0) positive = false;
    for (std::size_t v = 0; v < exponents.size() && positive; ++v)
      if (exponents[v] != 0 && !contains(space.generator(v))) positive = false;
  });
  return positive;
}

Math positive_condition(const GiNaC::ex& e, const PositiveLetters& letters) {
  const PolynomialSpace space(std::span(&e, 1));
  const RationalFunction value = space.rational(e).reduced();
  Polynomial rest = Polynomial::constant(space.context(), 1);
  for (const Polynomial* side : {&value.numerator(), &value.denominator()}) {
    if (side->is_zero()) return Math::relation(Math::number("0"), ">", Math::number("0"));
    const auto factors = side->factor();
    if (factors.constant.sign() < 0) rest = -rest;
    for (const auto& [base, multiplicity] : factors.factors) {
      const bool negative = letters.makes_positive(-base, space);
      if (negative && multiplicity % 2 == 1) rest = -rest;
      if (!negative && multiplicity % 2 == 1 && !letters.makes_positive(base, space)) rest *= base;
    }
  }
  rest = rest * Polynomial::constant(space.context(), exact::Rational(1) / rest.content().abs());
  Polynomial above(space.context()), below(space.context());  // above > below
  for (const Polynomial::Term& term : rest.terms()) {
    const Polynomial one = Polynomial::sum_of(space.context(), std::span(&term, 1));
    (term.coefficient.sign() > 0 ? above : below) += term.coefficient.sign() > 0 ? one : -one;
  }
  const auto side = [&](const Polynomial& p) { return math(space.expression(p)); };
  if (below.is_zero()) return Math::relation(side(above), ">", Math::number("0"));
  if (above.is_zero() || above.is_constant()) return Math::relation(side(below), "<", side(above));
  return Math::relation(side(above), ">", side(below));
}

}  // namespace sfg
