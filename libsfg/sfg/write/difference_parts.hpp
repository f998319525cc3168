#pragma once
#include <optional>
#include <string>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/math_tree.hpp"

// Not installed: parts of difference equations that polynomials and names of gains have, too.
namespace sfg {

/// A coefficient, not 0, times something.
Math coefficient_math(const exact::Rational&, std::optional<Math> of);
/// A signal as a factor: in parentheses where it is a sum, product or quotient of signals.
Math signal_name(const std::string&);

}  // namespace sfg
