#include "sfg/draw/typed_decimals.hpp"

#include <ginac/ginac.h>

#include <optional>
#include <utility>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print_form.hpp"

namespace sfg {
namespace {

using exact::Rational;
using Kind = Math::Kind;

std::optional<Rational> whole_number(const Math& m) {
  if (m.kind != Kind::number) return {};
  return Rational::parse(m.text);
}

/// The number in front of a term, with its sign.
Rational coefficient(const Math& term) {
  if (term.is_negative()) return -coefficient(term.parts[0]);
  const Math& first = term.kind == Kind::product ? term.parts.front() : term;
  return whole_number(first).value_or(1);
}

std::optional<Math> number(const Rational& value) {
  const auto text = finite_decimal(numeric_value(value));
  if (!text) return {};
  return Math::number(*text);
}

/// The term with another number in front, which is positive.
std::optional<Math> with_coefficient(const Math& term, const Rational& value) {
  const auto front = number(value);
  if (!front) return {};
  if (whole_number(term)) return front;
  std::vector<Math> factors = term.kind == Kind::product ? term.parts : std::vector<Math>{term};
  if (whole_number(factors.front())) factors.erase(factors.begin());
  if (value != 1) factors.insert(factors.begin(), *front);
  return Math::product(std::move(factors));
}

}  // namespace

/// Every number of a sum divided by one; nothing where that makes a decimal that was not typed.
std::optional<Math> TypedDecimals::divided(const Math& sum, const Rational& by, bool& typed) const {
  std::vector<Math> terms;
  for (const Math& term : sum.kind == Kind::sum ? sum.parts : std::vector<Math>{sum}) {
    const Rational value = coefficient(term) / by, size = value.abs();
    if (!size.is_integer() && !decimals_.contains(size)) return {};
    typed = typed || !size.is_integer();
    const auto changed = with_coefficient(term.is_negative() ? term.parts[0] : term, size);
    if (!changed) return {};
    terms.push_back(value.sign() < 0 ? Math::negative(*changed) : *changed);
  }
  return Math::sum(std::move(terms));
}

/// By what the numbers of a sum are to be divided to be typed ones: the number of a term, or that of a term over a decimal.
Rational TypedDecimals::scale_of(const Math& sum) const {
  for (const Math& term : sum.parts) {
    const Rational value = coefficient(term).abs();
    for (const Rational& decimal : decimals_) {
      const Rational scale = value / decimal;
      bool typed = false;
      if (scale.sign() > 0 && divided(sum, scale, typed) && typed) return scale;
    }
  }
  return 1;
}

Math TypedDecimals::quotient(const Math& m) const {
  const Math &top = m.parts[0], &bottom = m.parts[1];
  Rational above = 1;  // what the numerator is still to be multiplied by
  std::vector<Math> factors;
  for (const Math& factor : bottom.kind == Kind::product ? bottom.parts : std::vector<Math>{bottom}) {
    const bool power = factor.kind == Kind::power;
    const auto exponent = power ? whole_number(factor.parts[1]).value_or(0).to_integer().value_or(0) : 1;
    const Math& sum = power ? factor.parts[0] : factor;
    if (const auto front = whole_number(factor)) {
      above /= *front;
    } else if (sum.kind == Kind::sum && exponent > 0) {
      const Rational scale = scale_of(sum);
      bool typed = false;
      Math scaled = divided(sum, scale, typed).value_or(sum);
      above /= scale.power(static_cast<long>(exponent));
      factors.push_back(power ? Math::power(std::move(scaled), factor.parts[1]) : std::move(scaled));
    } else {
      factors.push_back(factor);
    }
  }
  bool typed = false;
  const auto numerator = divided(top, Rational(1) / above, typed);
  if (!numerator) return m;
  return factors.empty() ? *numerator : Math::quotient(*numerator, Math::product(std::move(factors)));
}

Math TypedDecimals::restored(Math m) const {
  if (decimals_.empty()) return m;
  if (m.kind == Kind::power) {
    m.parts[0] = restored(std::move(m.parts[0]));
    return m;
  }
  for (Math& part : m.parts) part = restored(std::move(part));
  return m.kind == Kind::quotient ? quotient(m) : m;
}

}  // namespace sfg
