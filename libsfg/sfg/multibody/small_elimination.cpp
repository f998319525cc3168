#include "sfg/multibody/small_elimination.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {

namespace {

constexpr double definite = 1e-13, far = 1e-7;  // as of constrained()

/// The lower triangle becomes that of L with A = L Lᵀ; false where a pivot is not above that part of the diagonal.
template <class Matrix>
bool factorised(Matrix& A, std::size_t n, double least) {
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = A[j][j];
    for (std::size_t k = 0; k < j; ++k) pivot -= A[j][k] * A[j][k];
    if (!(pivot > least * A[j][j])) return false;
    A[j][j] = std::sqrt(pivot);
    const double inverse = 1 / A[j][j];
    for (std::size_t i = j + 1; i < n; ++i) {
      double rest = A[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= A[i][k] * A[j][k];
      A[i][j] = rest * inverse;
    }
  }
  return true;
}

/// L⁻¹ b in place.
template <class Matrix>
void forwards(const Matrix& L, std::size_t n, double* b) {
  for (std::size_t i = 0; i < n; ++i) {
    double rest = b[i];
    for (std::size_t k = 0; k < i; ++k) rest -= L[i][k] * b[k];
    b[i] = rest / L[i][i];
  }
}

/// L⁻ᵀ b in place.
template <class Matrix>
void backwards(const Matrix& L, std::size_t n, double* b) {
  for (std::size_t i = n; i-- > 0;) {
    double rest = b[i];
    for (std::size_t k = i + 1; k < n; ++k) rest -= L[k][i] * b[k];
    b[i] = rest / L[i][i];
  }
}

}  // namespace

bool SmallElimination::solve(Eigen::Index speeds, Eigen::Index rows, const double* terms, double* accelerations) {
  const auto n = static_cast<std::size_t>(speeds), m = static_cast<std::size_t>(rows);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) L_[j][i] = *terms++;
  if (!factorised(L_, n, definite)) return false;
  for (std::size_t i = 0; i < n; ++i) free_[i] = *terms++;
  forwards(L_, n, free_.data());
  for (std::size_t row = 0; row < m; ++row) {
    lambda_[row] = terms[2];
    std::copy_n(terms + 3, n, W_[row].begin());
    terms += 3 + n;
    forwards(L_, n, W_[row].data());
  }
  double greatest = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      S_[i][j] = 0;
      for (std::size_t k = 0; k < n; ++k) S_[i][j] += W_[i][k] * W_[j][k];
    }
    for (std::size_t k = 0; k < n; ++k) lambda_[i] -= W_[i][k] * free_[k];
    greatest = std::max(greatest, S_[i][i]);
  }
  if (!factorised(S_, m, 0)) return false;
  pivot_ = 1;
  for (std::size_t i = 0; i < m; ++i) pivot_ = std::min(pivot_, S_[i][i] * S_[i][i] / greatest);
  if (!(pivot_ > far)) return false;
  forwards(S_, m, lambda_.data());
  backwards(S_, m, lambda_.data());
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t k = 0; k < n; ++k) free_[k] += W_[row][k] * lambda_[row];
  backwards(L_, n, free_.data());
  std::copy_n(free_.begin(), n, accelerations);
  return true;
}

}  // namespace sfg
