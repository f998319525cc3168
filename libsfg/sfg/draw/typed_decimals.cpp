#include "sfg/draw/typed_decimals.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
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

/// Whether a number other than 1 stands before a factor, or before a term of one.
bool is_numbered(const Math& m) {
  if (m.kind == Kind::power) return is_numbered(m.parts[0]);
  if (m.kind == Kind::product || m.kind == Kind::sum) return std::ranges::any_of(m.parts, is_numbered);
  return coefficient(m).abs() != 1;
}

std::optional<Math> typed_number(const Rational& value) {
  const auto text = finite_decimal(numeric_value(value));
  if (!text) return {};
  return Math::number(*text);
}

/// The term with another number in front, which is positive.
std::optional<Math> with_coefficient(const Math& term, const Rational& value) {
  const auto front = typed_number(value);
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
      if (scale > 1 && divided(sum, scale, typed) && typed) return scale;
    }
  }
  return 1;
}

/// The number as one, or a quotient, of what may have been typed; nothing where it is neither.
std::optional<std::pair<Rational, Rational>> TypedDecimals::parts_of(const Rational& value) const {
  const auto is_typed = [this](const Rational& x) { return x.is_integer() || decimals_.contains(x); };
  if (is_typed(value)) return std::pair<Rational, Rational>(value, 1);
  for (const Rational& decimal : decimals_)
    if (is_typed(value * decimal)) return std::pair(value * decimal, decimal);
  return {};
}

/// The number in front of a product, and its factors, sums with typed decimals where that can be.
TypedDecimals::Side TypedDecimals::side(const Math& m) const {
  Side result;
  for (const Math& factor : m.kind == Kind::product ? m.parts : std::vector<Math>{m}) {
    const bool power = factor.kind == Kind::power;
    const auto exponent = power ? whole_number(factor.parts[1]).value_or(0).to_integer().value_or(0) : 1;
    const Math& sum = power ? factor.parts[0] : factor;
    if (const auto front = whole_number(factor)) {
      result.number *= *front;
    } else if (sum.kind == Kind::sum && exponent > 0) {
      const Rational scale = scale_of(sum);
      bool typed = false;
      Math scaled = divided(sum, scale, typed).value_or(sum);
      result.number *= scale.power(static_cast<long>(exponent));
      result.factors.push_back(power ? Math::power(std::move(scaled), factor.parts[1]) : std::move(scaled));
    } else {
      result.factors.push_back(factor);
    }
  }
  return result;
}

Math TypedDecimals::quotient(const Math& m) const {
  const bool ones = !is_numbered(m.parts[0]);  // the algebra took no decimal out of what is below
  Side below = side(m.parts[1]);
  bool typed = false;
  auto above = divided(m.parts[0], below.number, typed);  // a lone sum takes the number in
  if (above && typed && ones) return m;
  if (!above) {
    Side top = side(m.parts[0]);
    const auto parts = parts_of(top.number / below.number);
    if (!parts || (ones && (!parts->first.is_integer() || !parts->second.is_integer()))) return m;
    if (parts->first != 1 || top.factors.empty()) top.factors.insert(top.factors.begin(), *typed_number(parts->first));
    if (parts->second != 1) below.factors.insert(below.factors.begin(), *typed_number(parts->second));
    above = Math::product(std::move(top.factors));
  }
  return below.factors.empty() ? *above : Math::quotient(*above, Math::product(below.factors));
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
