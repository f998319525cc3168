#include "sfg/multibody/bodies.hpp"

#include <stdexcept>

#include "sfg/multibody/rotation.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using rotation::RowMatrix;
using rotation::skew;
using rotation::vector;
using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Eigen::Map<const Rows3> matrix(const std::array<double, 9>& a) { return Eigen::Map<const Rows3>(a.data()); }
void add(std::array<double, 9>& a, const Matrix3d& b) { Eigen::Map<Rows3>(a.data()) += b; }
void add(std::array<double, 3>& a, const Vector3d& b) { Vector3d::Map(a.data()) += b; }

/// Attitude and angular velocity of a framed part, and its speeds inside.
struct FrameMotion {
  Matrix3d S;
  Vector3d w;
  FrameMotion(std::span<const double> state, std::size_t inside)
      : S(rotation::axes(state.subspan(3, 4))), w(vector(state.subspan(10 + inside))) {}
};

/// M of a body with that first moment of mass and inertia about the origin, as far as its frame.
void frame_inertia(Eigen::Map<RowMatrix>& M, double mass, const Matrix3d& S, const Vector3d& moment, const Matrix3d& inertia) {
  M.setZero();
  M.block<3, 3>(0, 0) = mass * Matrix3d::Identity();
  M.block<3, 3>(0, 3) = -S * skew(moment);
  M.block<3, 3>(3, 0) = M.block<3, 3>(0, 3).transpose();
  M.block<3, 3>(3, 3) = inertia;
}

/// The uniform field acts on M as an acceleration of the frame against it would.
void add_gravity(const Eigen::Map<RowMatrix>& M, const std::array<double, 3>& gravity, Eigen::Map<VectorXd>& force) {
  if (gravity != std::array<double, 3>{}) force += M.leftCols<3>() * vector(gravity);
}

}  // namespace

RigidPart::RigidPart(const RigidMass& body, std::vector<Place> places, std::vector<Wheel> wheels)
    : FramedPart(std::move(places), wheels.size(), wheels.size()),
      mass_(body.mass),
      first_moment_{body.mass * body.com[0], body.mass * body.com[1], body.mass * body.com[2]},
      inertia_(body.inertia),
      wheels_(std::move(wheels)) {
  const Matrix3d com = skew(vector(body.com));
  add(inertia_, body.mass * com.transpose() * com);
}

RigidPart flywheel(const RigidMass& case_and_wheel, const RigidPart::Wheel& wheel, std::vector<FramedPart::Place> places) {
  return {case_and_wheel, std::move(places), {wheel}};
}

void RigidPart::equations(double, std::span<const double> state, std::span<const double> inputs,
                          const std::array<double, 3>& gravity, std::span<double> M_out, std::span<double> force_out) const {
  const Index n = Index(6 + wheels_.size());
  const FrameMotion frame(state, wheels_.size());
  const Vector3d moment = vector(first_moment_);
  Eigen::Map<RowMatrix> M(M_out.data(), n, n);
  Eigen::Map<VectorXd> force(force_out.data(), n);
  frame_inertia(M, mass_, frame.S, moment, matrix(inertia_));
  Vector3d spin = matrix(inertia_) * frame.w;  // angular momentum about the origin, but for that of v
  for (std::size_t k = 0; k < wheels_.size(); ++k) {
    const Wheel& wheel = wheels_[k];
    const Index row = Index(6 + k);
    const double Omega = state[13 + wheels_.size() + k];
    const Vector3d axial = wheel.inertia * vector(wheel.axis);
    M.block<3, 1>(3, row) = axial;
    M.block<1, 3>(row, 3) = axial.transpose();
    M(row, row) = wheel.inertia;
    spin += axial * Omega;
    force[row] = inputs[k] - wheel.friction * Omega;
  }
  force.head<3>() = -frame.S * frame.w.cross(frame.w.cross(moment));
  force.segment<3>(3) = -frame.w.cross(spin);
  add_gravity(M, gravity, force);
}

ElasticPart::ElasticPart(std::span<const MassPoint> points, std::vector<double> stiffness, std::vector<double> damping,
                         std::vector<Place> places, const RigidMass& rigid)
    : FramedPart(std::move(places), points.empty() ? 0 : points[0].shape.size(), points.empty() ? 0 : points[0].shape.size()),
      N3_(rigid.inertia),
      stiffness_(std::move(stiffness)),
      damping_(std::move(damping)) {
  const std::size_t m = inside();
  if (stiffness_.size() != m * m || damping_.size() != m * m)
    throw std::invalid_argument("ElasticPart: stiffness and damping need a row and a column for every mode");
  N2_.resize(m), N6_.resize(m), N7_.resize(m * m), N4_.resize(m), N5_.resize(m * m), N8_.resize(m * m);
  for (const MassPoint& point : points) {
    if (point.shape.size() != m) throw std::invalid_argument("ElasticPart: points differ in the number of their modes");
    add(point);
  }
  add({rigid.mass, rigid.com, std::vector<std::array<double, 3>>(m)});
}

void ElasticPart::add(const MassPoint& point) {
  const std::size_t m = inside();
  const Vector3d rho = vector(point.at);
  mass_ += point.mass;
  sfg::add(N1_, point.mass * rho);
  sfg::add(N3_, point.mass * skew(rho).transpose() * skew(rho));
  for (std::size_t j = 0; j < m; ++j) {
    const Vector3d t = vector(point.shape[j]);
    sfg::add(N2_[j], point.mass * t);
    sfg::add(N4_[j], point.mass * skew(rho).transpose() * skew(t));
    sfg::add(N6_[j], point.mass * rho.cross(t));
    for (std::size_t k = 0; k < m; ++k) {
      const Vector3d u = vector(point.shape[k]);
      sfg::add(N5_[j * m + k], point.mass * skew(t).transpose() * skew(u));
      sfg::add(N7_[j * m + k], point.mass * t.cross(u));
      N8_[j * m + k] += point.mass * t.dot(u);
    }
  }
}

// Mráz's body matrices with the angular velocity in body axes (docs/guide/aggregates.md): I22, J1, J2, K of the inertia, and
// centrifugal and Coriolis forces of the frame and of the modes.
void ElasticPart::equations(double, std::span<const double> state, std::span<const double> inputs,
                            const std::array<double, 3>& gravity, std::span<double> M_out, std::span<double> force_out) const {
  const std::size_t m = inside();
  const Index n = Index(6 + m), modes = Index(m);
  const FrameMotion frame(state, m);
  const Vector3d& w = frame.w;
  const std::span<const double> e = state.subspan(7, m), rate = state.subspan(13 + m, m);
  Vector3d moment = vector(N1_), moment_rate = Vector3d::Zero();
  Matrix3d inertia = matrix(N3_), growth = Matrix3d::Zero();
  std::vector<Matrix3d> change(m);  // N4_j + Σ_k e_k N5_kj
  for (std::size_t j = 0; j < m; ++j) {
    moment += e[j] * vector(N2_[j]);
    moment_rate += rate[j] * vector(N2_[j]);
    change[j] = matrix(N4_[j]);
    for (std::size_t k = 0; k < m; ++k) change[j] += e[k] * matrix(N5_[k * m + j]);
    inertia += e[j] * (matrix(N4_[j]).transpose() + change[j]);
    growth += rate[j] * change[j];
  }
  Eigen::Map<RowMatrix> M(M_out.data(), n, n);
  Eigen::Map<VectorXd> force(force_out.data(), n);
  frame_inertia(M, mass_, frame.S, moment, inertia);
  M.bottomRightCorner(modes, modes) = Eigen::Map<const RowMatrix>(N8_.data(), modes, modes);
  force.head<3>() = -frame.S * (w.cross(w.cross(moment)) + 2 * w.cross(moment_rate));
  force.segment<3>(3) = -w.cross(inertia * w) - 2 * growth * w;
  for (std::size_t j = 0; j < m; ++j) {
    const Index row = Index(6 + j);
    Vector3d turning = vector(N6_[j]), coriolis = Vector3d::Zero();
    double elastic = 0;
    for (std::size_t k = 0; k < m; ++k) {
      turning += e[k] * vector(N7_[k * m + j]);
      coriolis += rate[k] * vector(N7_[k * m + j]);
      elastic += stiffness_[j * m + k] * e[k] + damping_[j * m + k] * rate[k];
    }
    M.block<3, 1>(0, row) = frame.S * vector(N2_[j]);
    M.block<3, 1>(3, row) = turning;
    M.block<1, 6>(row, 0) = M.block<6, 1>(0, row).transpose();
    force[row] = w.dot(change[j].transpose() * w) - 2 * w.dot(coriolis) - elastic + inputs[j];
  }
  add_gravity(M, gravity, force);
}

double ElasticPart::potential(std::span<const double> state) const {
  const Index m = Index(inside());
  const auto e = VectorXd::Map(state.data() + 7, m);
  return 0.5 * e.dot(Eigen::Map<const RowMatrix>(stiffness_.data(), m, m) * e);
}

}  // namespace sfg
