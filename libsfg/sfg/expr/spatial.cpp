#include "sfg/expr/spatial.hpp"

#include <ginac/ginac.h>

namespace sfg::spatial {

using GiNaC::ex;

Vector zero() { return {0, 0, 0}; }

Matrix unit() { return {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}}; }

bool is_zero(const Vector& a) { return a[0].is_zero() && a[1].is_zero() && a[2].is_zero(); }

Vector sum(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Vector scaled(const ex& factor, const Vector& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

ex dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector column(const Matrix& A, std::size_t j) { return {A[0][j], A[1][j], A[2][j]}; }

Vector product(const Matrix& A, const Vector& b) { return {dot(A[0], b), dot(A[1], b), dot(A[2], b)}; }

Vector transposed_product(const Matrix& A, const Vector& b) {
  return {dot(column(A, 0), b), dot(column(A, 1), b), dot(column(A, 2), b)};
}

Matrix transposed(const Matrix& A) { return {column(A, 0), column(A, 1), column(A, 2)}; }

Matrix product(const Matrix& A, const Matrix& B) {
  const Matrix T = transposed(B);
  return {product(T, A[0]), product(T, A[1]), product(T, A[2])};
}

Matrix sum(const Matrix& A, const Matrix& B) { return {sum(A[0], B[0]), sum(A[1], B[1]), sum(A[2], B[2])}; }

Matrix scaled(const ex& factor, const Matrix& A) { return {scaled(factor, A[0]), scaled(factor, A[1]), scaled(factor, A[2])}; }

Matrix skew(const Vector& a) { return {Vector{0, -a[2], a[1]}, Vector{a[2], 0, -a[0]}, Vector{-a[1], a[0], 0}}; }

Matrix skew_product(const Vector& a, const Vector& b) {
  Matrix result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      result[i][j] = i == j ? ex(0) : ex(-b[i] * a[j]);
      if (i == j)
        for (std::size_t k = 0; k < 3; ++k)
          if (k != i) result[i][j] += a[k] * b[k];
    }
  return result;
}

Matrix rotation(const Vector& axis, const ex& cosine, const ex& sine) {
  Matrix result;
  const Matrix turn = skew(axis);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const ex along = axis[i] * axis[j];
      result[i][j] = i == j ? ex(along + (1 - along) * cosine) : ex(along * (1 - cosine) + turn[i][j] * sine);
    }
  return result;
}

Matrix rotation(const Quaternion& q) {
  return {Vector{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]), 2 * (q[1] * q[3] + q[0] * q[2])},
          Vector{2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1])},
          Vector{2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
}

std::array<Vector, 2> normal_to(const Vector& axis) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (!axis[(k + 1) % 3].is_zero() || !axis[(k + 2) % 3].is_zero()) continue;
    Vector first = zero(), second = zero();
    first[(k + 1) % 3] = 1;
    second[(k + 2) % 3] = axis[k];
    return {first, second};
  }
  // across the smaller of the components, as far as they are numbers
  const bool along_x = axis[1].is_zero() && axis[2].is_zero();
  const std::size_t k = along_x || !axis[2].is_zero() ? (axis[0].is_zero() ? 0 : (axis[1].is_zero() ? 1 : 2)) : 2;
  Vector other = zero();
  other[k] = 1;
  Vector first = cross(other, axis);
  const ex length = GiNaC::sqrt(dot(first, first).normal());
  for (ex& entry : first) entry = (entry / length).normal();
  return {first, cross(axis, first)};
}

}  // namespace sfg::spatial
