#include "sfg/multibody/small_elimination.hpp"

#include <algorithm>

namespace sfg {

namespace {

constexpr double definite = 1e-13, far = 1e-7;  // as of constrained()
using Triangle = SmallElimination::Triangle;
using Column = SmallElimination::Column;

/// The lower triangle becomes that of L with A = L D Lᵀ; the diagonal D, and its inverses; false where an entry of D is not above
/// that part of the diagonal of A.
bool factorised(Triangle& A, std::size_t n, double least, Column& inverse) {
  Column scaled;
  for (std::size_t j = 0; j < n; ++j) {
    double* const row = A[j].data();
    double pivot = row[j];
    for (std::size_t k = 0; k < j; ++k) {
      scaled[k] = row[k];
      for (std::size_t i = 0; i < k; ++i) scaled[k] -= scaled[i] * A[k][i];
      row[k] = scaled[k] * inverse[k];
      pivot -= scaled[k] * row[k];
    }
    if (!(pivot > least * row[j])) return false;
    row[j] = pivot;
    inverse[j] = 1 / pivot;
  }
  return true;
}

void forwards(const Triangle& L, std::size_t n, double* b) {
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) b[i] -= L[i][k] * b[k];
}

void backwards(const Triangle& L, std::size_t n, double* b) {
  for (std::size_t i = n; i-- > 1;)
    for (std::size_t k = 0; k < i; ++k) b[k] -= L[i][k] * b[i];
}

}  // namespace

bool SmallElimination::factorise(std::size_t speeds, std::size_t rows, const double* M, const double* J, std::size_t stride) {
  speeds_ = speeds;
  rows_ = rows;
  for (std::size_t i = 0; i < speeds; ++i)
    for (std::size_t j = i; j < speeds; ++j) L_[j][i] = *M++;
  if (!factorised(L_, speeds, definite, inverse_)) return false;
  double greatest = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    double* const row = W_[i].data();
    std::copy_n(J + i * stride, speeds, row);
    forwards(L_, speeds, row);
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < speeds; ++k) sum += row[k] * W_[j][k] * inverse_[k];
      S_[i][j] = sum;
    }
    greatest = std::max(greatest, S_[i][i]);
  }
  pivot_ = 1;
  if (rows == 0) return true;
  if (!factorised(S_, rows, 0, row_inverse_)) return false;
  for (std::size_t i = 0; i < rows; ++i) pivot_ = std::min(pivot_, S_[i][i] / greatest);
  return pivot_ > far;
}

void SmallElimination::solve(const double* f, const double* gamma, std::size_t stride, double* a) {
  std::copy_n(f, speeds_, free_.begin());
  forwards(L_, speeds_, free_.data());
  for (std::size_t i = 0; i < rows_; ++i) {
    double rest = gamma[i * stride];
    for (std::size_t k = 0; k < speeds_; ++k) rest -= W_[i][k] * inverse_[k] * free_[k];
    lambda_[i] = rest;
  }
  forwards(S_, rows_, lambda_.data());
  for (std::size_t i = 0; i < rows_; ++i) lambda_[i] *= row_inverse_[i];
  backwards(S_, rows_, lambda_.data());
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t k = 0; k < speeds_; ++k) free_[k] += W_[i][k] * lambda_[i];
  for (std::size_t k = 0; k < speeds_; ++k) a[k] = free_[k] * inverse_[k];
  backwards(L_, speeds_, a);
}

}  // namespace sfg
