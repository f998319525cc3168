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

std::string root_text(const exact::RealRoot& root) {
  constexpr std::size_t digits = 20;
  return root.exact ? root.number.text() : decimal(root.number, digits);
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
