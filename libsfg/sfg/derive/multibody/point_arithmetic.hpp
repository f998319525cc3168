#pragma once
#include <ginac/ginac.h>

#include <array>

#include "sfg/model/motion.hpp"

namespace sfg {

/// Coefficients at a point. Functions of numbers become decimals of 40 digits (cos(7/10), not sqrt(2) nor pi); at a point that is
/// itself known in decimals no number has more digits than that.
class PointArithmetic {
 public:
  using Matrix = EquationsOfMotion::Matrix;

  explicit PointArithmetic(bool exact) : exact_(exact) {}
  /// Multiplied out where that is small, 0 where it vanishes.
  GiNaC::ex operator()(const GiNaC::ex&) const;
  Matrix product(const Matrix& A, const Matrix& B) const;
  /// A + factor B.
  Matrix sum(const Matrix& A, const Matrix& B, const GiNaC::ex& factor = 1) const;

 private:
  bool exact_;
};

/// Takes as 0 what rounding alone has left at a point that is known in decimals: entries of M, C, K below 1e-14 of the others in
/// their row and column, measured in M, and entries of B and of the laws' rows below 1e-14 of their column or row.
/// Entries that have no number stay.
/// @return how many were taken as 0
std::size_t drop_rounding(EquationsOfMotion::Matrix& M, std::array<EquationsOfMotion::Matrix*, 2> C_and_K,
                          EquationsOfMotion::Matrix& B, std::array<EquationsOfMotion::Matrix*, 2> laws,
                          const GiNaC::exmap& parameters);

EquationsOfMotion::Matrix zeros(std::size_t rows, std::size_t columns);
EquationsOfMotion::Matrix transposed(const EquationsOfMotion::Matrix&);

}  // namespace sfg
