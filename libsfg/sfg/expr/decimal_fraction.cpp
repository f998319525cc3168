#include "sfg/expr/decimal_fraction.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "sfg/error.hpp"
#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_form.hpp"

namespace sfg {

namespace {

bool has_more_digits(const exact::Rational& number, std::size_t digits) {
  const auto decimal = finite_decimal(numeric_value(number.abs()));
  if (!decimal) return true;
  std::string text = decimal->substr(0, decimal->find('e'));
  std::erase(text, '.');
  const std::size_t first = text.find_first_not_of('0');
  return first != std::string::npos && text.find_last_not_of('0') - first + 1 > digits;
}

}  // namespace

namespace {

/// With numbers for constants that are no fractions: √2, e^−1.
ring::Polynomial without_constants(ring::Polynomial side, const PolynomialSpace& space) {
  const exact::ExactField field;
  for (std::size_t i = 0; i < space.size(); ++i)
    if (const auto number = side.depends_on(i) ? exact_number(space.generator(i), field) : std::nullopt)
      side = side.substituted(i, ring::Polynomial::constant(space.context(), number->rounded()));
  return side;
}

}  // namespace

DecimalFraction decimal_fraction(const RationalFunction& value, std::size_t digits) {
  const ring::Polynomial numerator = without_constants(value.numerator(), value.space());
  const ring::Polynomial denominator = without_constants(value.denominator(), value.space());
  std::optional<exact::Rational> first;
  denominator.visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t>) {
    if (!first) first = coefficient;
  });
  const auto scale = ring::Polynomial::constant(value.space().context(), exact::Rational(1) / *first);
  const NumberText style{.kind = NumberText::Kind::rounded, .digits = std::max<std::size_t>(digits, 1)};
  const ring::Polynomial above = numerator * scale, below = denominator * scale;
  const auto written = [&](const ring::Polynomial& side) { return form_tree(polynomial_form(side, Terms::collected), style); };
  DecimalFraction result{written(above), {}};
  if (!below.is_one()) result.below = written(below);
  for (const ring::Polynomial* side : {&above, &below})
    side->visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t>) {
      result.rounded |= has_more_digits(coefficient, style.digits);
    });
  return result;
}

bool has_decimal(const GiNaC::ex& e) {
  if (GiNaC::is_exactly_a<GiNaC::numeric>(e)) {
    const auto& number = GiNaC::ex_to<GiNaC::numeric>(e);
    return number.is_rational() && !number.is_integer() && finite_decimal(number).has_value();
  }
  for (std::size_t i = 0; i < e.nops(); ++i)
    if (has_decimal(e.op(i))) return true;
  return false;
}

bool divides_by_sum(const GiNaC::ex& e) {
  if (GiNaC::is_exactly_a<GiNaC::power>(e) && GiNaC::is_exactly_a<GiNaC::add>(e.op(0))) return true;
  for (std::size_t i = 0; i < e.nops(); ++i)
    if (divides_by_sum(e.op(i))) return true;
  return false;
}

std::vector<exact::Rational> decimals_in(std::string_view text) {
  constexpr std::size_t longest = 40, most = 10'000;
  const auto within = [&](std::size_t i, std::string_view set) {
    return i < text.size() && set.find(text[i]) != std::string_view::npos;
  };
  std::vector<exact::Rational> found;
  for (std::size_t i = 0; i < text.size() && found.size() < most; ++i) {
    const bool word = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
    if (word || !within(i, "0123456789.")) continue;
    std::size_t end = i;
    while (within(end, "0123456789.")) ++end;
    if (within(end, "eE") && (within(end + 1, "0123456789") || (within(end + 1, "+-") && within(end + 2, "0123456789")))) {
      end += 2;
      while (within(end, "0123456789")) ++end;
    }
    try {
      if (const std::string number(text.substr(i, end - i)); number.size() <= longest)
        if (const exact::Rational value = exact_value(parse_number(number)); !value.is_integer()) found.push_back(value);
    } catch (const Error&) {  // a version, 1.2.3
    }
    i = end - 1;
  }
  return found;
}

}  // namespace sfg
