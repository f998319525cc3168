#pragma once
#include <array>
#include <cstddef>

// Not installed.
namespace sfg {

/// M a = f + Jᵀ λ, J a = γ of a few speeds and independent rows, by M = L D Lᵀ in place: what constrained() solves of any system,
/// at a small part of the cost.
class SmallElimination {
 public:
  static constexpr std::size_t largest = 24;  ///< speeds, or rows

  /// @param M  the upper triangle by rows
  /// @param J  rows, one `stride` after the other
  /// @returns  false where M is not positive definite or rows nearly depend on each other
  bool factorise(std::size_t speeds, std::size_t rows, const double* M, const double* J, std::size_t stride);
  /// @param gamma  of the rows, `stride` apart
  void solve(const double* f, const double* gamma, std::size_t stride, double* accelerations);
  /// λ of the last solution.
  const double* multipliers() const { return lambda_.data(); }
  /// Least part of a row of J that the others do not have, to the largest row, squared.
  double pivot() const { return pivot_; }

  using Triangle = std::array<std::array<double, largest>, largest>;
  using Column = std::array<double, largest>;

 private:
  std::size_t speeds_ = 0, rows_ = 0;
  Triangle L_, W_, S_;  // W = L⁻¹ Jᵀ by rows of J; S = Wᵀ D⁻¹ W
  Column inverse_, row_inverse_, free_, lambda_;
  double pivot_ = 1;
};

}  // namespace sfg
