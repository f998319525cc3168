#include "sfg/analysis/factored.hpp"

#include <ginac/numeric.h>
#include <ginac/operators.h>
#include <ginac/power.h>
#include <ginac/symbol.h>

#include <algorithm>

#include "sfg/error.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

constexpr std::uint64_t most_terms = 20'000;  ///< beyond, factoring takes minutes

GiNaC::ex root(const GiNaC::ex& e) { return GiNaC::pow(e, GiNaC::numeric(1, 2)); }

FactoredTransfer::Factor factor(const PolynomialSpace& space, const Polynomial& polynomial, std::uint64_t multiplicity) {
  FactoredTransfer::Factor result{space.expression(polynomial), polynomial, multiplicity, polynomial.degree(0), {}, {}};
  if (result.order != 1 && result.order != 2) return result;
  std::vector<GiNaC::ex> c;
  for (const Polynomial& coefficient : polynomial.coefficients(0)) c.push_back(space.expression(coefficient));
  if (result.order == 1) {
    result.first = FactoredTransfer::FirstOrder{c[0] / c[1], c[1] / c[0]};
  } else {
    result.second = FactoredTransfer::SecondOrder{root(c[2] / c[0]), c[1] / (2 * root(c[0] * c[2])), {}};
    if (!c[1].is_zero()) result.second->quality = root(c[0] * c[2]) / c[1];
  }
  return result;
}

/// Takes the powers of the variable and the constant out of a polynomial's factors.
struct Split {
  std::string constant;
  std::int64_t power = 0;
  std::vector<FactoredTransfer::Factor> factors;
};

Split split(const PolynomialSpace& space, const Polynomial& polynomial, const Budget& budget) {
  if (polynomial.term_count() > most_terms)
    throw LimitReached("a polynomial of " + std::to_string(polynomial.term_count()) + " terms is too large to be factored",
                       "ask for `--form rational` or `--form sequence`, or put in numbers");
  budget.check("factoring");
  const auto factors = polynomial.factor();
  Split result{factors.constant, 0, {}};
  const Polynomial variable = Polynomial::variable(space.context(), 0);
  for (const auto& [base, multiplicity] : factors.factors) {
    if (base == variable)
      result.power += static_cast<std::int64_t>(multiplicity);
    else
      result.factors.push_back(factor(space, base, multiplicity));
  }
  std::stable_sort(result.factors.begin(), result.factors.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
  return result;
}

std::string quotient(const std::string& above, const std::string& below, const PolynomialSpace& space) {
  const auto constant = [&](const std::string& text) { return Polynomial::constant(space.context(), text); };
  return exact_quotient(constant(above), constant(below)).value().content();
}

std::optional<GiNaC::ex> value_at_zero(const RationalFunction& value, std::int64_t power) {
  if (power < 0) return std::nullopt;
  const auto constant_term = [&](const Polynomial& polynomial) {
    const std::vector<Polynomial> coefficients = polynomial.coefficients(0);
    return coefficients.empty() ? GiNaC::ex(0) : value.space().expression(coefficients.back());
  };
  return constant_term(value.numerator()) / constant_term(value.denominator());
}

}  // namespace

FactoredTransfer factored(const TransferFunction& transfer, const Budget& budget) {
  const PolynomialSpace& space = transfer.value.space();
  FactoredTransfer result;
  result.question = transfer.question;
  result.variable = space.context()->variables()[0];
  if (transfer.value.numerator().is_zero()) {
    result.gain = "0";
    result.dc_gain = 0;
    return result;
  }
  Split above = split(space, transfer.value.numerator(), budget);
  Split below = split(space, transfer.value.denominator(), budget);
  result.gain = quotient(above.constant, below.constant, space);
  result.power = above.power - below.power;
  result.above = std::move(above.factors);
  result.below = std::move(below.factors);
  result.dc_gain = value_at_zero(transfer.value, result.power);
  return result;
}

}  // namespace sfg
