#pragma once
#include <Eigen/Core>
#include <array>

// Not installed.
namespace sfg {

/// M a = F + Jᵀ λ, J a = γ of a few speeds and independent rows, by Cholesky's method in place: what constrained() solves of any
/// system, at a small part of its cost.
class SmallElimination {
 public:
  static constexpr Eigen::Index largest = 24;  ///< speeds and rows

  /// @param terms  the upper triangle of M by rows, F, then of every row φ, ∂φ/∂t, γ and the row of J
  /// @returns  false where M is not positive definite or rows nearly depend on each other
  bool solve(Eigen::Index speeds, Eigen::Index rows, const double* terms, double* accelerations);
  /// Least part of a row of J that the others do not have, to the largest row, squared.
  double pivot() const { return pivot_; }

 private:
  static constexpr std::size_t side = 24;
  std::array<std::array<double, side>, side> L_{}, W_{}, S_{};  // W by rows of J
  std::array<double, side> free_{}, lambda_{};
  double pivot_ = 1;
};

}  // namespace sfg
