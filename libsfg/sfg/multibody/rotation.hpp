#pragma once
#include <array>
#include <cmath>
#include <span>

#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg::rotation {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Vector3d vector(std::span<const double> a) { return {a[0], a[1], a[2]}; }
inline Eigen::Vector3d vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

/// a~ b = a × b.
inline Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

/// Scalar first; of any length but 0.
inline Eigen::Quaterniond quaternion(std::span<const double> q) { return {q[0], q[1], q[2], q[3]}; }

/// The axes of a quaternion that need not have length 1: an error of its length is no error of the axes' right angles.
inline Eigen::Matrix3d axes(std::span<const double> q) { return quaternion(q).normalized().toRotationMatrix(); }

/// The turn by |a| about a.
inline Eigen::Quaterniond turn(const Eigen::Vector3d& a) {
  const double angle = a.norm(), factor = angle < 1e-8 ? 0.5 - angle * angle / 48 : std::sin(angle / 2) / angle;
  return {std::cos(angle / 2), factor * a.x(), factor * a.y(), factor * a.z()};
}

/// The vector of a turn: its axis times its angle, which is not above π.
inline Eigen::Vector3d turn_vector(const Eigen::Matrix3d& axes) {
  Eigen::Quaterniond q(axes);
  if (q.w() < 0) q.coeffs() *= -1;
  const double sine = q.vec().norm();
  return sine < 1e-12 ? Eigen::Vector3d(2 * q.vec()) : Eigen::Vector3d(2 * std::atan2(sine, q.w()) / sine * q.vec());
}

inline void store(const Eigen::Quaterniond& q, std::span<double> into) {
  into[0] = q.w(), into[1] = q.x(), into[2] = q.y(), into[3] = q.z();
}

}  // namespace sfg::rotation
