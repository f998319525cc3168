#pragma once
#include <ginac/ginac.h>

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/model/motion.hpp"

namespace sfg {

/// Displacements that close the loops: ξ = R y of the independent ones y, J R = 0 (coordinate partitioning).
struct ConstraintElimination {
  std::vector<std::size_t> independent;  ///< columns of J, in their order
  std::vector<std::size_t> dependent;    ///< columns, in the order of `rows`
  std::vector<std::size_t> rows;         ///< constraints that fix the dependent displacements; the others follow from these
  EquationsOfMotion::Matrix R;           ///< size × independent
  EquationsOfMotion::Matrix inverse;     ///< J_d⁻¹ of these rows and columns
};

/// Numbers for pivots of a matrix: values of parameters, and of those that have none some.
GiNaC::exmap pivot_numbers(const EquationsOfMotion::Matrix& J, GiNaC::exmap values);

/// Gauss and Jordan's elimination with pivots chosen by the numbers: of those within a tenth of the greatest the last column, so
/// that the coordinates named first stay independent.
/// @param J        at the point, exact or with 60 digits
/// @param numbers  the same as doubles: pivots, and rank by 1e-9 of the greatest pivot
/// @param wanted   columns that shall be independent; empty: chosen
/// @throws NoAnswer when the wanted columns cannot be independent.
ConstraintElimination eliminated(const EquationsOfMotion::Matrix& J, std::size_t columns,
                                 const std::vector<std::vector<double>>& numbers, std::span<const std::size_t> wanted,
                                 const std::function<GiNaC::ex(const GiNaC::ex&)>& simplified, const Budget& = {});

/// What is said where constraints are none of the rows: they follow from the others, everywhere or at the point alone, where
/// motions branch and a linear model is of none of them.
std::optional<Diagnostic> lost_rank(const std::vector<EquationsOfMotion::Constraint>&, std::span<const std::size_t> rows);

}  // namespace sfg
