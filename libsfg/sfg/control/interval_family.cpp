#include "sfg/control/interval_family.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <set>

#include "sfg/control/routh.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;

struct Bounds {
  Rational low, high;
};

Bounds product(const Bounds& a, const Bounds& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

/// x^n: of an interval around 0 with an even power from 0 on.
Bounds power(const Bounds& x, std::uint64_t n) {
  Bounds result{1, 1};
  for (std::uint64_t i = 0; i < n; ++i) result = {result.low * x.low, result.high * x.high};
  if (result.high < result.low) std::swap(result.low, result.high);
  if (n % 2 == 0 && n > 0 && x.low.sign() < 0 && x.high.sign() > 0) result.low = 0;
  return result;
}

/// A coefficient as a polynomial in the parameters.
class Coefficient {
 public:
  Coefficient(const GiNaC::ex& expression, std::span<const ParameterInterval> parameters) : parameters_(parameters) {
    const PolynomialSpace space(std::span(&expression, 1));
    const RationalFunction value = space.rational(expression).reduced();
    if (!value.denominator().is_constant())
      throw NoAnswer("the coefficient " + print(expression) + " is no polynomial in the parameters",
                     "multiply by the denominator");
    scale_ = 1 / value.denominator().content();
    for (std::size_t i = 0; i < space.size(); ++i) places_.push_back(place(space.generator(i)));
    terms_ = value.numerator().terms();
    for (const auto& term : terms_)
      for (const auto& [index, exponent] : term.powers) {
        linear_ = linear_ && exponent <= 1;
        used_.insert(places_[index]);
      }
  }

  const std::set<std::size_t>& used() const { return used_; }
  bool linear() const { return linear_; }

  /// Of a polynomial that is linear in each parameter the extremes lie in the corners; else the bounds are those of interval
  /// arithmetic.
  Bounds bounds() const {
    constexpr std::size_t most = 12;
    return linear_ && used_.size() <= most ? corners() : by_terms();
  }

 private:
  std::size_t place(const GiNaC::ex& generator) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (parameters_[i].symbol.is_equal(generator)) return i;
    if (symbol_names(generator).empty())  // rounded, it would decide cases on the boundary
      throw NoAnswer("bounds of coefficients need rational numbers, and " + print(generator) + " is none",
                     "state it as a decimal" | Remedy(Advice::state_interval));
    throw missing_values(generator);
  }

  Bounds corners() const {
    const std::vector<std::size_t> list(used_.begin(), used_.end());
    Bounds result;
    for (std::size_t corner = 0; corner < std::size_t{1} << list.size(); ++corner) {
      std::map<std::size_t, Rational> values;
      for (std::size_t i = 0; i < list.size(); ++i)
        values[list[i]] = (corner >> i & 1) != 0 ? parameters_[list[i]].high : parameters_[list[i]].low;
      Rational sum;
      for (const auto& term : terms_) {
        Rational part = scale_ * term.coefficient;
        for (const auto& [index, exponent] : term.powers) part *= values.at(places_[index]);
        sum += part;
      }
      if (corner == 0 || sum < result.low) result.low = sum;
      if (corner == 0 || result.high < sum) result.high = sum;
    }
    return result;
  }

  Bounds by_terms() const {
    Bounds sum;
    for (const auto& term : terms_) {
      const Rational c = scale_ * term.coefficient;
      Bounds part{c, c};
      for (const auto& [index, exponent] : term.powers)
        part = product(part, power({parameters_[places_[index]].low, parameters_[places_[index]].high}, exponent));
      sum = {sum.low + part.low, sum.high + part.high};
    }
    return sum;
  }

  std::span<const ParameterInterval> parameters_;
  std::vector<std::size_t> places_;
  std::vector<ring::Polynomial::Term> terms_;
  std::set<std::size_t> used_;
  Rational scale_;
  bool linear_ = true;
};

struct Parts {
  GiNaC::ex fixed = 1;  ///< free of the parameters
  GiNaC::ex moved = 1;
};

Parts parts_of(const GiNaC::ex& characteristic, const GiNaC::ex& variable, std::span<const ParameterInterval> parameters) {
  const PolynomialSpace space(std::span(&characteristic, 1), variable);
  const RationalFunction value = space.rational(characteristic).reduced();
  if (!value.denominator().is_constant()) return {1, characteristic};
  const auto factors = value.numerator().factor();
  Parts parts{1, GiNaC::ex(space.expression(ring::Polynomial::constant(space.context(), factors.constant))) /
                     space.expression(value.denominator())};
  for (const auto& [factor, multiplicity] : factors.factors) {
    const GiNaC::ex power = GiNaC::pow(space.expression(factor), static_cast<unsigned long>(multiplicity));
    const bool moves = std::any_of(parameters.begin(), parameters.end(),
                                   [&](const ParameterInterval& parameter) { return power.has(parameter.symbol); });
    (moves || !power.has(variable) ? parts.moved : parts.fixed) *= power;
  }
  return parts;
}

/// The fixed factor as numbers, and whether its roots all lie left of the axis.
void judge_fixed(IntervalFamily& family, const GiNaC::ex& fixed, const GiNaC::ex& variable) {
  for (const GiNaC::ex& coefficient : polynomial_coefficients(fixed, variable).value_or(std::vector<GiNaC::ex>{})) {
    const auto number = rational_value(coefficient);
    if (!number) throw missing_values(coefficient);
    family.fixed.push_back(*number);
  }
  const auto counts = RationalPolynomial(family.fixed).root_counts();
  family.fixed_stable = counts.right + counts.axis == 0;
}

}  // namespace

IntervalFamily interval_family(const GiNaC::ex& characteristic, const GiNaC::ex& variable,
                               std::span<const ParameterInterval> parameters) {
  const auto whole = polynomial_coefficients(characteristic, variable);
  if (!whole || whole->empty()) throw NoAnswer("the characteristic is no polynomial in " + print(variable), Advice::pade);
  const Parts parts = parts_of(characteristic, variable, parameters);
  const auto coefficients = polynomial_coefficients(parts.moved, variable);
  IntervalFamily family;
  judge_fixed(family, parts.fixed, variable);
  std::vector<std::size_t> uses(parameters.size(), 0);
  for (const GiNaC::ex& expression : *coefficients) {
    const Coefficient coefficient(expression, parameters);
    const Bounds bounds = coefficient.bounds();
    family.low.push_back(bounds.low);
    family.high.push_back(bounds.high);
    family.independent = family.independent && coefficient.linear();
    for (const std::size_t parameter : coefficient.used()) ++uses[parameter];
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (uses[i] > 1) family.shared.push_back(parameters[i].name);
  family.independent = family.independent && family.shared.empty();
  if (family.low.front().sign() * family.high.front().sign() <= 0)
    throw NoAnswer(
        "the leading coefficient, between " + family.low.front().text() + " and " + family.high.front().text() + ", may vanish",
        "choose intervals that keep the degree");
  family.polynomials = kharitonov(family.low, family.high);
  family.all_stable = family.fixed_stable;
  for (std::size_t i = 0; i < 4; ++i) {
    family.counts[i] = RationalPolynomial(family.polynomials[i]).root_counts();
    family.all_stable = family.all_stable && family.counts[i].right + family.counts[i].axis == 0;
  }
  return family;
}

std::optional<std::pair<Rational, Rational>> tolerance_interval(const Symbol& symbol) {
  const auto value = symbol.value ? rational_value(*symbol.value) : std::nullopt;
  if (!value || !symbol.tolerance) return {};
  const Rational width = symbol.tolerance->of(*value);
  return std::pair(*value - width, *value + width);
}

}  // namespace sfg
