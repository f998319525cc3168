#pragma once
#include <ginac/ginac.h>

#include <functional>
#include <optional>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/multibody/point_arithmetic.hpp"

namespace sfg {

/// Constraints on rates in small motions (Neimark, Fufaev 1972: the linearised equations of nonholonomic systems): of
/// A (ξ̇ + W ξ) + G ξ = 0 with ξ = R y every row gives the rate of one y in terms of the others, and forces act along the
/// directions that the rows allow, which are fewer than there are y.
struct RateRows {
  using Matrix = EquationsOfMotion::Matrix;

  std::vector<std::size_t> free;       ///< y whose rates the rows leave free
  std::vector<std::size_t> dependent;  ///< y whose rate a row gives
  Matrix allowed;                      ///< ξ̇ by free rate: A allowed = 0
  Matrix C, K;                         ///< C ẏ + K y = 0, by dependent y: its own factor in C is 1

  /// Rows in the order of y: those of forces by free rate, and those of constraints by dependent y.
  Matrix in_order(Matrix of_forces, const Matrix& of_constraints) const;
};

/// @param A, turned  A and A W + G at the point, by constraint and displacement
/// @param R          displacements that close the loops
/// @param number     of an entry, for pivots
/// @param settled    what an entry becomes in the elimination, and what it is rounded to behind it
/// @return nothing where the rows depend on each other
struct RateElimination {
  std::function<double(const GiNaC::ex&)> number;
  std::function<GiNaC::ex(const GiNaC::ex&)> settled, rounded;
  const PointArithmetic& simplified;

  std::optional<RateRows> operator()(const RateRows::Matrix& A, const RateRows::Matrix& turned, const RateRows::Matrix& R,
                                     const Budget&) const;
};

}  // namespace sfg
