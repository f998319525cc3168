#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/math_tree.hpp"

// Not installed: exact rational numbers and their polynomials for people.
namespace sfg {

/// As it is while it can be taken in at a glance, else as a decimal. JSON has it whole.
std::string readable(const exact::Rational&);
Math rational_math(const exact::Rational&);
/// p/q of a number that is not negative, whole.
Math exact_math(const exact::Rational&);

/// p/q, or the decimal where that is the same number and shorter.
std::string coefficient_text(const exact::Rational&);

/// a*s^2 + b*s + c; coefficients highest power first.
std::string polynomial_text(const std::vector<exact::Rational>& coefficients, const std::string& variable);
Math polynomial_math(const std::vector<exact::Rational>& coefficients, const std::string& variable);

/// Exact where the root is rational, else a decimal of twenty digits.
std::string root_text(const exact::RealRoot&);

/// A coefficient, not 0, times something.
Math coefficient_math(const exact::Rational&, std::optional<Math> of);
/// A signal as a factor: in parentheses where it is a sum, product or quotient of signals.
Math signal_name(const std::string&);

}  // namespace sfg
