#include "sfg/multibody/aggregate_run.hpp"

#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/multibody/elimination.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using rotation::vector;
using Axes = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

ConnectionGap gap_of(const ConnectionRows& rows) {
  const Eigen::Matrix<double, 6, 1> rate = rows.blocked * rows.gap_rate;
  return {rows.distance, rows.angle, rate.head<3>().norm(), rate.tail<3>().norm()};
}

/// The part of a vector along free axes, or along blocked ones.
Vector3d along(const Matrix3d& axes, const Vector3d& a, const bool* free, bool which) {
  Vector3d result = Vector3d::Zero();
  for (Eigen::Index k = 0; k < 3; ++k)
    if (free[k] == which) result += axes.col(k) * axes.col(k).dot(a);
  return result;
}

/// The relative motion of the second place that a connection leaves free, taken over: what the second should be.
MovingPlace second_as_it_should_be(const MovingPlace& first, const MovingPlace& second, const Aggregate::Freedom& free,
                                   const ConnectionRows& rows) {
  const Eigen::Map<const Axes> axes(first.axes.data()), turned(second.axes.data());
  const Eigen::Matrix<double, 6, 1> gap = rows.blocked * rows.gap;
  const Vector3d r = vector(first.position), w = vector(std::span(first.twist).subspan(3));
  const Vector3d apart = along(axes, vector(second.position) - r, free.data(), true);
  const Vector3d w_apart = along(axes, vector(std::span(second.twist).subspan(3)) - w, free.data() + 3, true);
  // The second's point at the first place moves relative to it along what is free.
  const Vector3d w_second = vector(std::span(second.twist).subspan(3));
  const Vector3d slip = vector(second.twist) - w_second.cross(vector(second.position) - r) - vector(first.twist);
  MovingPlace result;
  Vector3d::Map(result.position.data()) = r + apart;
  Eigen::Map<Axes>(result.axes.data()) = rotation::turn(-Vector3d(gap.tail<3>())).toRotationMatrix() * turned;
  Vector3d::Map(result.twist.data() + 3) = w + w_apart;
  Vector3d::Map(result.twist.data()) = vector(first.twist) + along(axes, slip, free.data(), true) + (w + w_apart).cross(apart);
  return result;
}

/// Likewise the first, of what the second has: free motions are along the first's axes, so those come first.
MovingPlace first_as_it_should_be(const MovingPlace& first, const MovingPlace& second, const Aggregate::Freedom& free,
                                  const ConnectionRows& rows) {
  const Eigen::Matrix<double, 6, 1> gap = rows.blocked * rows.gap;
  MovingPlace result;
  Eigen::Map<Axes> axes(result.axes.data());
  axes = rotation::turn(gap.tail<3>()).toRotationMatrix() * Eigen::Map<const Axes>(first.axes.data());
  const Vector3d w_second = vector(std::span(second.twist).subspan(3)), w_first = vector(std::span(first.twist).subspan(3));
  const Vector3d apart = along(axes, vector(second.position) - vector(first.position), free.data(), true);
  const Vector3d slip =
      vector(second.twist) - w_second.cross(vector(second.position) - vector(first.position)) - vector(first.twist);
  Vector3d::Map(result.position.data()) = vector(second.position) - apart;
  Vector3d::Map(result.twist.data() + 3) = w_second - along(axes, w_second - w_first, free.data() + 3, true);
  Vector3d::Map(result.twist.data()) = vector(second.twist) - w_second.cross(apart) - along(axes, slip, free.data(), true);
  return result;
}

void put_after_the_other(const Aggregate& aggregate, const Aggregate::Visit& visit, std::span<double> state) {
  const Aggregate::Connection& connection = aggregate.connections()[visit.connection];
  const ConnectionRows rows = rows_of(aggregate, connection, state);
  const MovingPlace first = aggregate.motion_of(connection.first, state), second = aggregate.motion_of(connection.second, state);
  const bool child_is_second = connection.second.part == visit.part;
  const Aggregate::End& child = child_is_second ? connection.second : connection.first;
  aggregate.part(child.part)
      .put(child.place,
           child_is_second ? second_as_it_should_be(first, second, connection.free, rows)
                           : first_as_it_should_be(first, second, connection.free, rows),
           aggregate.state_of(child.part, state));
}

void close(const Aggregate& aggregate, std::span<double> state, double t, bool speeds) {
  Elimination elimination(aggregate);
  elimination.evaluate(t, state, {});
  elimination.take_gaps(speeds);
  elimination.solve();
  for (std::size_t part = 0; part < aggregate.part_count(); ++part) {
    const Eigen::VectorXd& change = elimination.node(part).acceleration;
    const std::span<const double> by(change.data(), std::size_t(change.size()));
    if (speeds)
      aggregate.part(part).add_speeds(by, aggregate.state_of(part, state));
    else
      aggregate.part(part).displace(by, aggregate.state_of(part, state));
  }
}

void close_by_mass(const Aggregate& aggregate, std::span<double> state, double t) {
  constexpr int most = 20;  // Newton from gaps of the size of an integrator's error needs one or two
  constexpr double enough = 1e-14;
  double scale = 1;
  for (const double value : state) scale = std::max(scale, std::abs(value));
  double before = 1e300;
  for (int k = 0; k < most; ++k) {
    const ConnectionGap gap = largest_gap(aggregate, state);
    const double left = std::max(gap.distance, gap.angle);
    if (left < enough * scale || (left >= before && left < 1e-10 * scale)) break;  // rounding is what is left
    if (k + 1 == most) throw NoAnswer("the gaps at the connections of the aggregate cannot be closed");
    before = left;
    close(aggregate, state, t, false);
  }
  close(aggregate, state, t, true);
}

}  // namespace

void ConnectionGap::widen(const ConnectionGap& gap) {
  distance = std::max(distance, gap.distance);
  angle = std::max(angle, gap.angle);
  velocity = std::max(velocity, gap.velocity);
  angular_velocity = std::max(angular_velocity, gap.angular_velocity);
}

ConnectionGap largest_gap(const Aggregate& aggregate, std::span<const double> state) {
  ConnectionGap gap;
  for (const Aggregate::Connection& connection : aggregate.connections())
    gap.widen(gap_of(rows_of(aggregate, connection, state)));
  return gap;
}

ConnectionGap normalise(const Aggregate& aggregate, std::span<double> state, Normalization how, double t) {
  for (std::size_t part = 0; part < aggregate.part_count(); ++part)
    aggregate.part(part).normalise(aggregate.state_of(part, state));
  const ConnectionGap gap = largest_gap(aggregate, state);
  switch (how) {
    case Normalization::off: break;
    case Normalization::tree:
      for (const auto& visit : aggregate.outwards())
        if (visit.connection != Aggregate::Visit::none) put_after_the_other(aggregate, visit, state);
      break;
    case Normalization::mass: close_by_mass(aggregate, state, t); break;
  }
  return gap;
}

}  // namespace sfg
