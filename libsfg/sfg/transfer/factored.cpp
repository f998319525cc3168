#include "sfg/transfer/factored.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using ring::Polynomial;

constexpr std::uint64_t most_terms = 20'000;  ///< beyond, factoring takes minutes

bool is_positive(const GiNaC::ex& symbol, const GiNaC::exmap& values) {
  const auto value = values.find(symbol);
  return value != values.end() && GiNaC::is_exactly_a<GiNaC::numeric>(value->second) &&
         GiNaC::ex_to<GiNaC::numeric>(value->second).is_positive();
}

/// Whether it contains a function of the variable, a dead time say.
bool transcendental(const PolynomialSpace& space, const Polynomial& polynomial) {
  for (std::size_t i = 1; i < space.size(); ++i)
    if (polynomial.depends_on(i) && space.generator(i).has(space.generator(0))) return true;
  return false;
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
  if ((result.order != 1 && result.order != 2) || transcendental(space, polynomial)) return result;
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
  exact::Rational constant;
  std::int64_t power = 0;
  std::vector<FactoredTransfer::Factor> factors;
};

Split split(const PolynomialSpace& space, const Polynomial& polynomial, const GiNaC::exmap& values, const Budget& budget) {
  if (polynomial.term_count() > most_terms)
    throw LimitReached("a polynomial of " + std::to_string(polynomial.term_count()) + " terms is too large to be factored",
                       Advice::ask_unfactored | "put in numbers");
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

/// The order of the zero at 0 and the coefficient the series begins with.
std::pair<std::int64_t, GiNaC::ex> series_at_zero(const PolynomialSpace& space, const Polynomial& polynomial) {
  const GiNaC::ex& variable = space.generator(0);
  const GiNaC::ex value = space.expression(polynomial);
  constexpr int most = 40;
  for (int order = 0; order < most; ++order) {
    const GiNaC::ex coefficient =
        (value.diff(GiNaC::ex_to<GiNaC::symbol>(variable), static_cast<unsigned>(order)) / GiNaC::factorial(order))
            .subs(variable == 0, GiNaC::subs_options::no_pattern);
    if (!vanishes(coefficient)) return {order, coefficient};
  }
  throw NoAnswer("the value at " + print(variable) + " = 0 cannot be decided");
}

void find_value_at_zero(FactoredTransfer& result, const RationalFunction& value) {
  std::int64_t power = result.power;
  GiNaC::ex above, below;
  if (transcendental(value.space(), value.numerator()) || transcendental(value.space(), value.denominator())) {
    const auto [n, over] = series_at_zero(value.space(), value.numerator());
    const auto [d, under] = series_at_zero(value.space(), value.denominator());
    power = n - d;
    above = over, below = under;
  } else if (power == 0) {
    above = value.space().expression(value.numerator().coefficients(0).back());
    below = value.space().expression(value.denominator().coefficients(0).back());
  }
  if (power < 0)
    result.pole_at_zero = -power;
  else
    result.dc_gain = power > 0 ? GiNaC::ex(0) : above / below;
}

/// τ of the factors e^(−τs), together.
void find_dead_time(FactoredTransfer& result, const GiNaC::ex& variable) {
  GiNaC::ex delay = 0;
  const auto add = [&](const std::vector<FactoredTransfer::Factor>& side, int sign) {
    for (const FactoredTransfer::Factor& factor : side) {
      if (!GiNaC::is_the_function<GiNaC::exp_SERIAL>(factor.value)) continue;
      const GiNaC::ex exponent = factor.value.op(0).expand();
      if (exponent.degree(variable) == 1) delay -= sign * exponent.coeff(variable, 1) * factor.multiplicity;
    }
  };
  add(result.above, 1);
  add(result.below, -1);
  if (!delay.is_zero()) result.dead_time = delay;
}

}  // namespace

FactoredTransfer factored(const TransferFunction& transfer, const GiNaC::exmap& values, const Budget& budget) {
  const PolynomialSpace& space = transfer.value.space();
  FactoredTransfer result;
  result.question = transfer.question;
  result.variable = space.context()->variables()[0];
  if (transfer.value.numerator().is_zero()) {
    result.dc_gain = 0;
    return result;
  }
  Split above = split(space, transfer.value.numerator(), values, budget);
  Split below = split(space, transfer.value.denominator(), values, budget);
  result.gain = above.constant / below.constant;
  result.power = above.power - below.power;
  result.above = std::move(above.factors);
  result.below = std::move(below.factors);
  find_value_at_zero(result, transfer.value);
  find_dead_time(result, space.generator(0));
  return result;
}

}  // namespace sfg
