#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace sfg {

/// A lookup table as one formula, for languages without tables of its kinds: a line, then at every knot what the first three
/// derivatives jump by, times powers of what the argument is above the knot. Straight beyond its ends, as the table is.
/// @param code      the right operand of a lookup (numeric::lookup_code)
/// @param argument  an atom
/// @param ramp      max(difference, 0) in the language, an atom
/// @throws NoAnswer for the derivative of a table
std::string table_formula(std::uint32_t code, const std::string& argument,
                          const std::function<std::string(const std::string& difference)>& ramp);

}  // namespace sfg
