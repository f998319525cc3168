#include "sfg/multibody/joint_motion.hpp"

#include <cmath>
#include <stdexcept>

#include "sfg/multibody/rotation.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using rotation::vector;
using Axes = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
using Kind = Multibody::JointKind;

/// What the second place is in the axes of the first.
struct Relative {
  Vector3d position = Vector3d::Zero(), velocity = Vector3d::Zero();  // velocity as the first's axes see it
  Matrix3d axes = Matrix3d::Identity();
  Vector3d w = Vector3d::Zero();  // in the axes of the first
};

struct Motion {
  Vector3d position, velocity, w;
  Matrix3d axes;
  explicit Motion(const MovingPlace& place)
      : position(vector(place.position)),
        velocity(vector(std::span(place.twist))),
        w(vector(std::span(place.twist).subspan(3))),
        axes(Eigen::Map<const Axes>(place.axes.data())) {}
};

Relative relative(const Motion& first, const Motion& second) {
  const Vector3d apart = second.position - first.position;
  return {first.axes.transpose() * apart, first.axes.transpose() * (second.velocity - first.velocity - first.w.cross(apart)),
          first.axes.transpose() * second.axes, first.axes.transpose() * (second.w - first.w)};
}

MovingPlace placed(const Vector3d& position, const Matrix3d& axes, const Vector3d& velocity, const Vector3d& w) {
  MovingPlace result;
  Vector3d::Map(result.position.data()) = position;
  Eigen::Map<Axes>(result.axes.data()) = axes;
  Vector3d::Map(result.twist.data()) = velocity;
  Vector3d::Map(result.twist.data() + 3) = w;
  return result;
}

/// Displacements along the axes and angle about z, as far as a joint of one or two of these axes has them.
struct Freedoms {
  std::vector<int> along;  // axes of displacements
  bool turns = false;      // about z
  bool angle_first = false;
};
Freedoms freedoms(Kind kind) {
  switch (kind) {
    case Kind::weld: return {};
    case Kind::revolute:
    case Kind::revolute_between_bodies: return {{}, true};
    case Kind::prismatic: return {{2}, false};
    case Kind::cylindrical: return {{2}, true, true};
    case Kind::planar: return {{0, 1}, true};
    default: throw std::invalid_argument("freedoms: a joint with a quaternion, or universal");
  }
}

bool has_quaternion(Kind kind) { return kind == Kind::spherical || kind == Kind::free; }

Relative relative(Kind kind, const JointMotion& motion) {
  Relative result;
  const std::vector<double>&q = motion.coordinates, &v = motion.speeds;
  if (has_quaternion(kind)) {
    const std::size_t at = kind == Kind::free ? 3 : 0;
    if (at > 0) result.position = vector(std::span(q)), result.velocity = vector(std::span(v));
    const Eigen::Quaterniond turn = rotation::quaternion(std::span(q).subspan(at));
    if (turn.norm() > 0) result.axes = turn.normalized().toRotationMatrix();
    result.w = result.axes * vector(std::span(v).subspan(at));
    return result;
  }
  const Freedoms free = freedoms(kind);
  std::size_t next = free.angle_first ? 1 : 0;
  for (const int axis : free.along) {
    result.position[axis] = q[next];
    result.velocity[axis] = v[next++];
  }
  if (free.turns) {
    const std::size_t angle = free.angle_first ? 0 : next;
    result.axes = Eigen::AngleAxisd(q[angle], Vector3d::UnitZ()).toRotationMatrix();
    result.w = v[angle] * Vector3d::UnitZ();
  }
  return result;
}

}  // namespace

Aggregate::Freedom freedom_of(Kind kind) {
  switch (kind) {
    case Kind::spherical: return {false, false, false, true, true, true};
    case Kind::free: return {true, true, true, true, true, true};
    default: break;
  }
  Aggregate::Freedom result{};
  const Freedoms free = freedoms(kind);
  for (const int axis : free.along) result[std::size_t(axis)] = true;
  result[5] = free.turns;
  return result;
}

JointMotion at_rest(Kind kind) {
  if (kind == Kind::spherical) return {{1, 0, 0, 0}, std::vector<double>(3)};
  if (kind == Kind::free) return {{0, 0, 0, 1, 0, 0, 0}, std::vector<double>(6)};
  const Freedoms free = freedoms(kind);
  const std::size_t count = free.along.size() + (free.turns ? 1 : 0);
  return {std::vector<double>(count), std::vector<double>(count)};
}

JointMotion joint_motion(Kind kind, const MovingPlace& first, const MovingPlace& second) {
  const Relative motion = relative(Motion(first), Motion(second));
  JointMotion result;
  if (has_quaternion(kind)) {
    if (kind == Kind::free)
      for (int k = 0; k < 3; ++k) result.coordinates.push_back(motion.position[k]), result.speeds.push_back(motion.velocity[k]);
    Eigen::Quaterniond turn(motion.axes);
    if (turn.w() < 0) turn.coeffs() *= -1;
    for (const double component : {turn.w(), turn.x(), turn.y(), turn.z()}) result.coordinates.push_back(component);
    const Vector3d w = motion.axes.transpose() * motion.w;
    result.speeds.insert(result.speeds.end(), w.begin(), w.end());
    return result;
  }
  const Freedoms free = freedoms(kind);
  for (const int axis : free.along) {
    result.coordinates.push_back(motion.position[axis]);
    result.speeds.push_back(motion.velocity[axis]);
  }
  if (free.turns) {
    const std::ptrdiff_t at = free.angle_first ? 0 : std::ptrdiff_t(free.along.size());
    result.coordinates.insert(result.coordinates.begin() + at, std::atan2(motion.axes(1, 0), motion.axes(0, 0)));
    result.speeds.insert(result.speeds.begin() + at, motion.w.z());
  }
  return result;
}

MovingPlace second_place(Kind kind, const MovingPlace& place, const JointMotion& motion) {
  const Motion first(place);
  const Relative r = relative(kind, motion);
  const Vector3d apart = first.axes * r.position;
  return placed(first.position + apart, first.axes * r.axes, first.velocity + first.w.cross(apart) + first.axes * r.velocity,
                first.w + first.axes * r.w);
}

MovingPlace first_place(Kind kind, const MovingPlace& place, const JointMotion& motion) {
  const Motion second(place);
  const Relative r = relative(kind, motion);
  const Matrix3d axes = second.axes * r.axes.transpose();
  const Vector3d apart = axes * r.position, w = second.w - axes * r.w;
  return placed(second.position - apart, axes, second.velocity - w.cross(apart) - axes * r.velocity, w);
}

}  // namespace sfg
