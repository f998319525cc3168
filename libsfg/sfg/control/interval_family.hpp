#pragma once
#include <ginac/ex.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// A parameter that is known to lie in an interval.
struct ParameterInterval {
  GiNaC::ex symbol;
  std::string name;
  exact::Rational low, high;
};

/// The values about its nominal one that the tolerance of a parameter admits.
/// Nothing without a value or a tolerance.
std::optional<std::pair<exact::Rational, exact::Rational>> tolerance_interval(const Symbol&);

/// All polynomials whose coefficients lie between bounds, judged by Kharitonov's four (Kharitonov 1978). A factor that no
/// parameter moves is judged by itself: as a part of the coefficients it would only make them depend on each other.
struct IntervalFamily {
  std::vector<exact::Rational> fixed;  ///< coefficients of that factor, highest power first; {1} when there is none
  bool fixed_stable = true;
  std::vector<exact::Rational> low, high;  ///< of the coefficients, highest power first
  std::array<std::vector<exact::Rational>, 4> polynomials;
  std::array<exact::RationalPolynomial::RootCounts, 4> counts;
  bool all_stable = false;  ///< of the four and of the fixed factor, and so of every polynomial between the bounds
  /// Every parameter enters one coefficient alone, linearly: the family of the parameters is the family between the bounds.
  /// Otherwise it is a part of it, and that all four are stable is sufficient only.
  bool independent = true;
  std::vector<std::string> shared;  ///< the parameters that enter several coefficients
};

/// @param characteristic  a polynomial in the variable and the parameters, with numbers for all else.
/// @throws NoAnswer when it is none, or when the leading coefficient may vanish.
IntervalFamily interval_family(const GiNaC::ex& characteristic, const GiNaC::ex& variable, std::span<const ParameterInterval>);

}  // namespace sfg
