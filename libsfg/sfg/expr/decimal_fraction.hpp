#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// A fraction with decimals in place of exact numbers, to be read by people.
struct DecimalFraction {
  Math above;
  std::optional<Math> below;  ///< nothing where it is 1
  bool rounded = false;       ///< a number has more digits than are shown
};

/// Constants that are no fractions are decimals, too. Divided by the number in front of the denominator's first term, every
/// number then rounded to so many significant digits (at least 1), half away from zero.
DecimalFraction decimal_fraction(const RationalFunction&, std::size_t digits);

/// Whether a number in it is not whole and a finite decimal.
bool has_decimal(const GiNaC::ex&);
/// Whether it divides by a sum: the algebra takes decimals out of such, 1/(0.5*s + 1) is 2/(s + 2) to it.
bool divides_by_sum(const GiNaC::ex&);
/// The decimals in a text of a model, in whatever place.
std::vector<exact::Rational> decimals_in(std::string_view text);

}  // namespace sfg
