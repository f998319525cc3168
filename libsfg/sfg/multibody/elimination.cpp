#include "sfg/multibody/elimination.hpp"

#include "sfg/error.hpp"

// Elimination from the leaves (docs/guide/aggregates.md): a leaf with its connection is an apparent inertia of the part before
// it, as in the articulated-body method of Featherstone (Rigid Body Dynamics Algorithms, 2008, ch. 7), for parts of any kind.
// Every part is visited twice; what is solved has the size of one part or one connection.

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using rotation::RowMatrix;
using rotation::skew;
using rotation::vector;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix36 = Eigen::Matrix<double, 6, 6>;

/// A place with its accelerations D q̈ + C.
struct EndRows {
  MovingPlace motion;
  RowMatrix D;
  Vector6 C;
  EndRows(const Aggregate& aggregate, const Aggregate::End& end, std::span<const double> state)
      : D(6, Index(aggregate.part(end.part).size().speeds)) {
    aggregate.part(end.part).place(end.place, aggregate.state_of(end.part, state), motion, {D.data(), std::size_t(D.size())},
                                   {C.data(), 6});
  }
  Matrix3d axes() const { return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(motion.axes.data()); }
  Vector3d velocity() const { return vector(std::span(motion.twist)); }
  Vector3d w() const { return vector(std::span(motion.twist).subspan(3)); }
};

/// The point of the second body that is where the first place is: of a connection that can slide the two places are apart.
void shift(EndRows& end, const Vector3d& to, const Vector3d& velocity_of_target) {
  const Vector3d d = to - vector(end.motion.position), w = end.w();
  end.D.topRows<3>() -= skew(d) * end.D.bottomRows<3>();
  end.C.head<3>() -= d.cross(Vector3d(end.C.tail<3>()));
  end.C.head<3>() += w.cross(velocity_of_target - end.velocity());
  Vector3d::Map(end.motion.twist.data()) += w.cross(d);
}

/// The vector of the turn from the first axes to the second; where they may turn about one axis, that which brings it back.
Vector3d turned(const Matrix3d& first, const Matrix3d& second, const Aggregate::Freedom& free) {
  for (Index k = 0; k < 3; ++k) {
    if (!free[std::size_t(3 + k)]) continue;
    const Vector3d turn = first.col(k).cross(second.col(k));
    const double sine = turn.norm();
    return sine < 1e-12 ? turn : Vector3d(std::atan2(sine, first.col(k).dot(second.col(k))) / sine * turn);
  }
  return first * rotation::turn_vector(first.transpose() * second);
}

}  // namespace

ConnectionRows rows_of(const Aggregate& aggregate, const Aggregate::Connection& connection, std::span<const double> state) {
  const EndRows first(aggregate, connection.first, state);
  EndRows second(aggregate, connection.second, state);
  const Matrix3d axes = first.axes();
  const Vector3d apart = vector(second.motion.position) - vector(first.motion.position);
  const bool slides = connection.free[0] || connection.free[1] || connection.free[2];
  if (slides) shift(second, vector(first.motion.position), first.velocity());
  const Index count = std::count(connection.free.begin(), connection.free.end(), false);
  ConnectionRows rows;
  rows.blocked.setZero(6, count);
  Matrix36 blocked_rate = Matrix36::Zero();
  for (Index k = 0, row = 0; k < 6; ++k) {
    if (connection.free[std::size_t(k)]) continue;
    rows.blocked.block<3, 1>(3 * (k / 3), row) = axes.col(k % 3);
    blocked_rate.block<3, 1>(3 * (k / 3), row++) = first.w().cross(axes.col(k % 3));
  }
  Vector6 gap, gap_rate;
  gap << apart, turned(axes, second.axes(), connection.free);
  gap_rate = Vector6::Map(second.motion.twist.data()) - Vector6::Map(first.motion.twist.data());
  rows.first = rows.blocked.transpose() * first.D;
  rows.second = rows.blocked.transpose() * second.D;
  // Where no direction is free the gap of the speeds is drift, and its rate is no motion of the axes.
  rows.bias = rows.blocked.transpose() * (first.C - second.C);
  if (count < 6) rows.bias -= blocked_rate.leftCols(count).transpose() * gap_rate;
  rows.gap = rows.blocked.transpose() * gap;
  rows.gap_rate = rows.blocked.transpose() * gap_rate;
  const Vector6 left = rows.blocked * rows.gap;
  rows.distance = left.head<3>().norm();
  rows.angle = left.tail<3>().norm();
  return rows;
}

Elimination::Elimination(const Aggregate& aggregate)
    : aggregate_(aggregate),
      order_(aggregate.outwards()),
      nodes_(aggregate.part_count()),
      rows_(aggregate.connections().size()),
      multipliers_(rows_.size()),
      inside_(rows_.size()),
      no_inputs_(aggregate.size().inputs, 0.0) {
  for (std::size_t part = 0; part < nodes_.size(); ++part) {
    const Index n = Index(aggregate.part(part).size().speeds);
    nodes_[part].M.resize(n, n);
    nodes_[part].force.resize(n);
  }
}

void Elimination::evaluate(double t, std::span<const double> state, const Aggregate::Loads& loads) {
  const std::span<const double> inputs = loads.inputs.empty() ? std::span<const double>(no_inputs_) : loads.inputs;
  for (std::size_t part = 0; part < nodes_.size(); ++part) {
    Node& node = nodes_[part];
    const Part& what = aggregate_.part(part);
    std::array<double, 3> gravity = loads.gravity;
    if (!loads.gravity_of.empty())
      for (std::size_t k = 0; k < 3; ++k) gravity[k] += loads.gravity_of[part][k];
    what.equations(t, aggregate_.state_of(part, state), inputs.subspan(aggregate_.input_offset(part), what.size().inputs),
                   gravity, {node.M.data(), std::size_t(node.M.size())}, {node.force.data(), std::size_t(node.force.size())});
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k] = rows_of(aggregate_, aggregate_.connections()[k], state);
  load(state, loads);
}

void Elimination::load(std::span<const double> state, const Aggregate::Loads& loads) {
  for (const auto& [on, wrench] : loads.wrenches) {
    const EndRows end(aggregate_, on, state);
    nodes_[on.part].force += end.D.transpose() * Vector6::Map(wrench.data());
  }
  for (Vector6& wrench : inside_) wrench.setZero();
  for (const auto& [connection, wrench] : loads.inside) {
    const auto& ends = aggregate_.connections()[connection];
    const EndRows first(aggregate_, ends.first, state);
    EndRows second(aggregate_, ends.second, state);
    shift(second, vector(first.motion.position), first.velocity());
    const auto W = Vector6::Map(wrench.data());
    nodes_[ends.first.part].force -= first.D.transpose() * W;
    nodes_[ends.second.part].force += second.D.transpose() * W;
    inside_[connection] += W;
  }
}

void Elimination::take_gaps(bool of_speeds) {
  for (Node& node : nodes_) node.force.setZero();
  for (ConnectionRows& rows : rows_) rows.bias = of_speeds ? -rows.gap_rate : -rows.gap;
}

void Elimination::factorise(std::size_t part) {
  Node& node = nodes_[part];
  if (node.M.rows() == 0) return;
  node.factor.compute(node.M);
  if (node.factor.info() != Eigen::Success)
    throw NoAnswer("the inertia of part '" + aggregate_.name(part) + "' is not positive: alone it has no accelerations",
                   "state its mass and inertia, or take the equations of motion, which need no inertia where a joint blocks");
}

void Elimination::condense(const Aggregate::Visit& visit) {
  Node& node = nodes_[visit.part];
  factorise(visit.part);
  node.z = node.M.rows() == 0 ? VectorXd() : VectorXd(node.factor.solve(node.force));
  if (visit.connection == Aggregate::Visit::none) return;
  const ConnectionRows& rows = rows_[visit.connection];
  const bool child_is_second = aggregate_.connections()[visit.connection].second.part == visit.part;
  const RowMatrix& own = child_is_second ? rows.second : rows.first;
  const RowMatrix& before = child_is_second ? rows.first : rows.second;
  if (node.M.rows() == 0)
    throw NoAnswer("part '" + aggregate_.name(visit.part) + "' moves nothing and cannot follow its connection '" +
                   aggregate_.connections()[visit.connection].name + "'");
  if (own.rows() == 0) {  // all is free
    node.Y.resize(node.M.rows(), 0);
    node.La.resize(0, 0);
    node.u.resize(0);
    return;
  }
  node.Y = node.factor.solve(own.transpose());
  const Eigen::LLT<ConnectionRows::SixBySix> mobility(own * node.Y);
  // Below that, rounding alone decides: a part of less than six freedoms, or one far too light for another.
  if (mobility.info() != Eigen::Success || mobility.rcond() < 1e-15)
    throw NoAnswer("part '" + aggregate_.name(visit.part) + "' cannot follow its connection '" +
                   aggregate_.connections()[visit.connection].name + "'");
  node.La = mobility.solve(ConnectionRows::SixBySix::Identity(own.rows(), own.rows()));
  node.u = -own * node.z;
  node.u += (child_is_second ? 1.0 : -1.0) * rows.bias;
  Node& parent = nodes_[visit.parent];
  if (parent.M.rows() == 0) return;
  parent.M += before.transpose() * node.La * before;
  parent.force -= before.transpose() * (node.La * node.u);
}

void Elimination::expand(const Aggregate::Visit& visit) {
  Node& node = nodes_[visit.part];
  node.acceleration = node.z;
  if (visit.connection == Aggregate::Visit::none) return;
  const ConnectionRows& rows = rows_[visit.connection];
  const bool child_is_second = aggregate_.connections()[visit.connection].second.part == visit.part;
  ConnectionRows::Six push = node.u;
  if (push.size() > 0 && nodes_[visit.parent].M.rows() > 0)
    push += (child_is_second ? rows.first : rows.second) * nodes_[visit.parent].acceleration;
  push = (node.La * push).eval();
  if (push.size() > 0) node.acceleration += node.Y * push;
  multipliers_[visit.connection] = (child_is_second ? 1.0 : -1.0) * push;
}

void Elimination::solve() {
  for (auto visit = order_.rbegin(); visit != order_.rend(); ++visit) condense(*visit);
  for (const auto& visit : order_) expand(visit);
}

Aggregate::Motion Elimination::motion() const {
  Aggregate::Motion result;
  result.accelerations.reserve(aggregate_.size().speeds);
  for (const Node& node : nodes_)
    result.accelerations.insert(result.accelerations.end(), node.acceleration.data(),
                                node.acceleration.data() + node.acceleration.size());
  result.wrenches.resize(rows_.size());
  for (std::size_t k = 0; k < rows_.size(); ++k)
    Vector6::Map(result.wrenches[k].data()) = rows_[k].blocked * multipliers_[k] + inside_[k];
  return result;
}

}  // namespace sfg
