#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string_view>

#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// A fraction with its parallel combinations as such: gm·R1·R2/(R1 + R2) is gm·(R1 ∥ R2), and (R1 + R2)/(C·R1·R2) is
/// 1/(C·(R1 ∥ R2)). A factor F of one side and a product P of factors of the other are one where F/P falls apart into terms
/// without common letters, at least two of which are reciprocals: F/P = 1/x₁ + 1/x₂ + …, P/F = x₁ ∥ x₂ ∥ …; each x is written
/// the same way, and so is what such a combination is added to. Coefficients of x are positive: a difference is none.
/// @param value  in lowest terms
/// @returns nothing where there is no parallel combination, or where the fraction is too long (400 terms, 12 factors) to be
///          searched.
std::optional<Math> parallel_form(const RationalFunction& value);

/// Whether a parallel combination stands in it.
bool shows_parallel(const Math&);

/// math() with its parallel combinations; also of roots of fractions and of their products with fractions.
Math parallel_math(const GiNaC::ex&, std::string_view main = {});

}  // namespace sfg
