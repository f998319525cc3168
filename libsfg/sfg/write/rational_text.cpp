#include "sfg/write/rational_text.hpp"

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

std::string readable(const std::string& rational) {
  constexpr std::size_t glance = 24;
  return rational.size() <= glance ? rational : print(exact::rational_double(rational));
}

std::string coefficient_text(const std::string& rational) {
  constexpr std::size_t readable = 12;
  if (rational.size() <= readable) return rational;
  const double value = exact::rational_double(rational);
  if (decimal_rational(value) == rational) return print(value);
  constexpr std::size_t most_digits = 60;
  std::string scaled = rational;
  for (std::size_t digits = 1; digits <= most_digits; ++digits) {  // a decimal of more digits than a double has
    scaled = exact::rational_product(scaled, "10");
    if (scaled.find('/') != std::string::npos) continue;
    const bool negative = scaled.front() == '-';
    std::string whole = negative ? scaled.substr(1) : scaled;
    if (whole.size() <= digits) whole.insert(0, digits + 1 - whole.size(), '0');
    return (negative ? "-" : "") + whole.substr(0, whole.size() - digits) + "." + whole.substr(whole.size() - digits);
  }
  return rational;
}

std::string polynomial_text(const std::vector<std::string>& coefficients, const std::string& variable) {
  std::string text;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const std::size_t power = coefficients.size() - 1 - i;
    const int sign = exact::rational_sign(coefficients[i]);
    if (sign == 0) continue;
    std::string size = coefficient_text(sign < 0 ? exact::rational_product("-1", coefficients[i]) : coefficients[i]);
    const std::string by = power == 0 ? "" : power == 1 ? variable : variable + "^" + std::to_string(power);
    if (!by.empty()) size = size == "1" ? by : size + "*" + by;
    text += (text.empty() ? (sign < 0 ? "-" : "") : (sign < 0 ? " - " : " + ")) + size;
  }
  return text.empty() ? "0" : text;
}

}  // namespace sfg
