#pragma once
#include <string>
#include <vector>

// Not installed: exact rational numbers and their polynomials for people.
namespace sfg {

/// As it is while it can be taken in at a glance, else as a decimal. JSON has it whole.
std::string readable(const std::string& rational);

/// p/q, or the decimal where that is the same number and shorter.
std::string coefficient_text(const std::string& rational);

/// a*s^2 + b*s + c; coefficients highest power first.
std::string polynomial_text(const std::vector<std::string>& coefficients, const std::string& variable);

}  // namespace sfg
