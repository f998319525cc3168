#include "sfg/expr/constant.hpp"

#include <cln/float.h>
#include <cln/rational.h>
#include <cln/real.h>
#include <ginac/ginac.h>

#include <limits>

#include "sfg/expr/exact_value.hpp"

namespace sfg {

namespace {

/// GiNaC keeps the working precision of evalf() in a global; it is put back whatever happens.
class Digits {
 public:
  explicit Digits(std::size_t digits) : before_(GiNaC::Digits) { GiNaC::Digits = static_cast<long>(digits); }
  Digits(const Digits&) = delete;
  Digits& operator=(const Digits&) = delete;
  ~Digits() { GiNaC::Digits = before_; }

 private:
  long before_;
};

}  // namespace

std::optional<exact::Rational> rational_value(const GiNaC::ex& expression, std::size_t digits) {
  try {
    const Digits precision(digits);
    GiNaC::ex value = expression;
    if (!GiNaC::is_a<GiNaC::numeric>(value) || !GiNaC::ex_to<GiNaC::numeric>(value).is_rational()) value = value.evalf();
    if (!GiNaC::is_a<GiNaC::numeric>(value)) return {};
    const auto& number = GiNaC::ex_to<GiNaC::numeric>(value);
    if (!number.is_real()) return {};
    const cln::cl_R real = cln::realpart(number.to_cl_N());
    return exact_value(number.is_rational() ? number : GiNaC::numeric(cln::cl_N(cln::rational(real))));
  } catch (const std::exception&) {  // a pole of a function: log(0), tan(pi/2)
    return {};
  }
}

std::optional<double> double_value(const GiNaC::ex& expression) {
  const auto value = rational_value(expression, 40);
  if (!value) return {};
  return value->to_double();
}

std::optional<std::complex<double>> complex_value(const GiNaC::ex& expression, const GiNaC::ex& variable,
                                                  std::complex<double> point) {
  try {
    const GiNaC::ex at = GiNaC::numeric(point.real()) + GiNaC::I * GiNaC::numeric(point.imag());
    const GiNaC::ex value = expression.subs(variable == at).evalf();
    if (!GiNaC::is_a<GiNaC::numeric>(value)) return {};
    const auto& number = GiNaC::ex_to<GiNaC::numeric>(value);
    return std::complex<double>(number.real().to_double(), number.imag().to_double());
  } catch (const std::exception&) {  // a pole of a function
    return {};
  }
}

exact::Rational decimal_rational(double value) {
  const exact::Rational exact = exact::Rational::of(value);
  constexpr std::size_t enough = std::numeric_limits<double>::max_digits10;
  for (std::size_t digits = 1; digits < enough; ++digits)
    if (const exact::Rational decimal = rounded(exact, digits); decimal.to_double() == value) return decimal;
  return rounded(exact, enough);
}

}  // namespace sfg
