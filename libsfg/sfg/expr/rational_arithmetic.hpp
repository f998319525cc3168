#pragma once
#include <vector>

#include "sfg/expr/rational.hpp"

namespace sfg {

// The field of rational functions of one space: every result is in lowest terms, so that the numbers of an elimination
// stay as small as they can be. Operands of different spaces: std::invalid_argument.

RationalFunction operator+(const RationalFunction&, const RationalFunction&);
RationalFunction operator-(const RationalFunction&, const RationalFunction&);
RationalFunction operator*(const RationalFunction&, const RationalFunction&);
/// @throws std::domain_error when the divisor is 0.
RationalFunction operator/(const RationalFunction&, const RationalFunction&);
RationalFunction operator-(const RationalFunction&);

RationalFunction constant(const PolynomialSpace&, long value);
bool is_zero(const RationalFunction&);
bool is_one(const RationalFunction&);  ///< of one in lowest terms

/// Dense, by rows; every entry of the same space.
using RationalMatrix = std::vector<std::vector<RationalFunction>>;

RationalMatrix zero_matrix(const PolynomialSpace&, std::size_t rows, std::size_t columns);
RationalMatrix product(const RationalMatrix&, const RationalMatrix&);
RationalMatrix transpose(const RationalMatrix&);

/// Brings the rows into reduced echelon form (pivots 1, alone in their column; zero rows removed) and gives the pivots' columns.
/// Among possible pivot rows the one with the shortest pivot is taken.
std::vector<std::size_t> reduce_rows(RationalMatrix&);

}  // namespace sfg
