#include "sfg/analysis/factored.hpp"

#include <ginac/mul.h>
#include <ginac/numeric.h>
#include <ginac/operators.h>
#include <ginac/power.h>
#include <ginac/symbol.h>

#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/expr/kernel.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

constexpr std::uint64_t most_terms = 20'000;  ///< beyond, factoring takes minutes

bool is_positive(const GiNaC::ex& symbol, const GiNaC::exmap& values) {
  const auto value = values.find(symbol);
  return value != values.end() && GiNaC::is_exactly_a<GiNaC::numeric>(value->second) &&
         GiNaC::ex_to<GiNaC::numeric>(value->second).is_positive();
}

/// √e; of letters with a positive value the even powers come out.
GiNaC::ex root(const GiNaC::ex& e, const GiNaC::exmap& values) {
  GiNaC::ex inside = 1, outside = 1;
  const bool is_product = GiNaC::is_exactly_a<GiNaC::mul>(e);
  for (std::size_t i = 0; i < (is_product ? e.nops() : 1); ++i) {
    const GiNaC::ex part = is_product ? e.op(i) : e;
    const auto exponent = whole_exponent(part);
    if (exponent && is_positive(part.op(0), values)) {
      outside *= GiNaC::pow(part.op(0), static_cast<int>(*exponent / 2));
      inside *= GiNaC::pow(part.op(0), static_cast<int>(*exponent % 2));
    } else {
      inside *= part;
    }
  }
  return outside * GiNaC::pow(inside, GiNaC::numeric(1, 2));
}

FactoredTransfer::Factor factor(const PolynomialSpace& space, const Polynomial& polynomial, std::uint64_t multiplicity,
                                const GiNaC::exmap& values) {
  FactoredTransfer::Factor result{space.expression(polynomial), polynomial, multiplicity, polynomial.degree(0), {}, {}};
  if (result.order != 1 && result.order != 2) return result;
  std::vector<GiNaC::ex> c;
  for (const Polynomial& coefficient : polynomial.coefficients(0)) c.push_back(space.expression(coefficient));
  if (result.order == 1) {
    result.first = FactoredTransfer::FirstOrder{c[0] / c[1], c[1] / c[0]};
  } else {
    result.second = FactoredTransfer::SecondOrder{root(c[2] / c[0], values), c[1] / (2 * root(c[0] * c[2], values)), {}};
    if (!c[1].is_zero()) result.second->quality = root(c[0] * c[2], values) / c[1];
  }
  return result;
}

/// Takes the powers of the variable and the constant out of a polynomial's factors.
struct Split {
  std::string constant;
  std::int64_t power = 0;
  std::vector<FactoredTransfer::Factor> factors;
};

Split split(const PolynomialSpace& space, const Polynomial& polynomial, const GiNaC::exmap& values, const Budget& budget) {
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
      result.factors.push_back(factor(space, base, multiplicity, values));
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

FactoredTransfer factored(const TransferFunction& transfer, const GiNaC::exmap& values, const Budget& budget) {
  const PolynomialSpace& space = transfer.value.space();
  FactoredTransfer result;
  result.question = transfer.question;
  result.variable = space.context()->variables()[0];
  if (transfer.value.numerator().is_zero()) {
    result.gain = "0";
    result.dc_gain = 0;
    return result;
  }
  Split above = split(space, transfer.value.numerator(), values, budget);
  Split below = split(space, transfer.value.denominator(), values, budget);
  result.gain = quotient(above.constant, below.constant, space);
  result.power = above.power - below.power;
  result.above = std::move(above.factors);
  result.below = std::move(below.factors);
  result.dc_gain = value_at_zero(transfer.value, result.power);
  return result;
}

}  // namespace sfg
