#pragma once
#include <ginac/ex.h>

#include <complex>
#include <optional>

#include "sfg/exact/rational.hpp"

namespace sfg {

/// The value of a constant expression as an exact rational number; irrational ones (sqrt(2), pi, cos(1/2)) are rounded to
/// `digits` significant digits. Nothing when the expression is not a real constant.
std::optional<exact::Rational> rational_value(const GiNaC::ex&, std::size_t digits = 120);
/// The value of a constant expression, correctly rounded; nothing when it is not a real constant.
std::optional<double> double_value(const GiNaC::ex&);
/// The value of an expression whose only name is `variable` at a complex point; nothing where it has none.
std::optional<std::complex<double>> complex_value(const GiNaC::ex&, const GiNaC::ex& variable, std::complex<double> point);

/// The shortest decimal that reads back to the double, exactly: 1/10 for 0.1.
exact::Rational decimal_rational(double);

}  // namespace sfg
