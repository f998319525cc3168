#pragma once
#include <ginac/ginac.h>

#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "sfg/derive/multibody/constraint_elimination.hpp"
#include "sfg/derive/multibody/point_arithmetic.hpp"

// Not installed.
namespace sfg {

/// Loops that inputs move: φ(ξ, u) = 0 gives ξ = R y + S u, J S = −∂φ/∂u.
struct PrescribedMotion {
  using Matrix = EquationsOfMotion::Matrix;

  Matrix S;  ///< by displacement and input

  PrescribedMotion() = default;
  /// @param moved    ∂φ/∂u at the point, by constraint and input
  /// @param settled  what an entry becomes
  PrescribedMotion(const ConstraintElimination&, const Matrix& moved, std::size_t displacements, std::size_t inputs,
                   const std::function<GiNaC::ex(const GiNaC::ex&)>& settled);

  /// A constraint that follows from others and does not go along with an input as these do: its number and that of the input.
  /// @param J  by constraint and displacement  @param number  of an entry, where it has one
  std::optional<std::pair<std::size_t, std::size_t>> contradiction(
      const ConstraintElimination&, const Matrix& moved, const Matrix& J,
      const std::function<std::optional<double>(const GiNaC::ex&)>& number) const;

  /// What moves along with the inputs: B(p) = B − Rᵀ (M S p² + C S p + K S).
  void drive(Matrix& B, const Matrix& Rt, const std::array<const Matrix*, 3>& K_C_M, const GiNaC::ex& p,
             const PointArithmetic& simplified) const;
};

}  // namespace sfg
