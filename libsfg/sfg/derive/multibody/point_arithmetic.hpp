#pragma once
#include <ginac/ginac.h>

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

EquationsOfMotion::Matrix zeros(std::size_t rows, std::size_t columns);
EquationsOfMotion::Matrix transposed(const EquationsOfMotion::Matrix&);

}  // namespace sfg
