#include "sfg/write/rational_text.hpp"

#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

std::string readable(const exact::Rational& rational) {
  constexpr std::size_t glance = 24;
  std::string text = rational.text();
  return text.size() <= glance ? text : print(rational.to_double());
}

std::string coefficient_text(const exact::Rational& rational) {
  constexpr std::size_t readable = 12;
  std::string text = rational.text();
  if (text.size() <= readable) return text;
  const double value = rational.to_double();
  if (decimal_rational(value) == rational) return print(value);
  constexpr std::size_t most_digits = 60;
  exact::Rational scaled = rational.abs();
  for (std::size_t digits = 1; digits <= most_digits; ++digits) {  // a decimal of more digits than a double has
    scaled *= 10;
    if (!scaled.is_integer()) continue;
    std::string whole = scaled.text();
    if (whole.size() <= digits) whole.insert(0, digits + 1 - whole.size(), '0');
    return (rational.sign() < 0 ? "-" : "") + whole.substr(0, whole.size() - digits) + "." + whole.substr(whole.size() - digits);
  }
  return text;
}

Math rational_math(const exact::Rational& rational) {
  const std::string text = readable(rational.abs());
  const std::size_t slash = text.find('/');
  Math size = slash == std::string::npos
                  ? Math::number(text)
                  : Math::quotient(Math::number(text.substr(0, slash)), Math::number(text.substr(slash + 1)));
  return rational.sign() < 0 ? Math::negative(std::move(size)) : size;
}

Math exact_math(const exact::Rational& value) {
  Math above = Math::number(value.numerator().text());
  return value.is_integer() ? above : Math::quotient(std::move(above), Math::number(value.denominator().text()));
}

std::string root_text(const exact::RealRoot& root) {
  constexpr std::size_t digits = 20;
  return root.exact ? root.number.text() : decimal(root.number, digits);
}

Math coefficient_math(const exact::Rational& coefficient, std::optional<Math> of) {
  const std::string size = coefficient_text(coefficient.abs());
  const std::size_t slash = size.find('/');
  const std::string above = size.substr(0, slash);
  std::vector<Math> factors;
  if (above != "1" || !of) factors.push_back(Math::number(above));
  if (of) factors.push_back(std::move(*of));
  Math term = Math::product(std::move(factors));
  if (slash != std::string::npos) term = Math::quotient(std::move(term), Math::number(size.substr(slash + 1)));
  return coefficient.sign() < 0 ? Math::negative(std::move(term)) : term;
}

Math polynomial_math(const std::vector<exact::Rational>& coefficients, const std::string& variable) {
  std::vector<Math> terms;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const std::size_t power = coefficients.size() - 1 - i;
    if (coefficients[i].is_zero()) continue;
    std::optional<Math> by;
    if (power == 1) by = Math::name(variable);
    if (power > 1) by = Math::power(Math::name(variable), Math::number(std::to_string(power)));
    terms.push_back(coefficient_math(coefficients[i], std::move(by)));
  }
  return terms.empty() ? Math::number("0") : Math::sum(std::move(terms));
}

std::string polynomial_text(const std::vector<exact::Rational>& coefficients, const std::string& variable) {
  std::string text;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const std::size_t power = coefficients.size() - 1 - i;
    const int sign = coefficients[i].sign();
    if (sign == 0) continue;
    std::string size = coefficient_text(coefficients[i].abs());
    const std::string by = power == 0 ? "" : power == 1 ? variable : variable + "^" + std::to_string(power);
    if (!by.empty()) size = size == "1" ? by : size + "*" + by;
    text += (text.empty() ? (sign < 0 ? "-" : "") : (sign < 0 ? " - " : " + ")) + size;
  }
  return text.empty() ? "0" : text;
}

}  // namespace sfg
