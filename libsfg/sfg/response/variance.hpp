#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"

namespace sfg {

/// One output of noise: density(w) · |N(jw)/D(jw)|², coefficients highest power first.
struct FilteredNoise {
  GiNaC::ex density;  ///< one-sided, of the source, a polynomial in w² or free of w
  std::vector<GiNaC::ex> numerator, denominator;
};

/// Σ ∫ S df over 0…∞ in closed form, for denominators with all roots left of the axis: with X(s) D(−s) + X(−s) D(s) = S(s) the
/// integral is x_{n−1}/(2 d_n). Nothing where it diverges, or where a density is no polynomial in w².
/// @throws LimitReached when the products of the elimination would be too many: put numbers in.
std::optional<GiNaC::ex> variance(std::span<const FilteredNoise>, const GiNaC::ex& w, const Budget& = {});

/// The same of each noise alone, where all its coefficients are numbers and it is finite: one elimination for all that have the
/// same poles. Of what is stable.
std::vector<std::optional<double>> mean_squares(std::span<const FilteredNoise>, const GiNaC::ex& w);

}  // namespace sfg
