#include "sfg/multibody/aggregate.hpp"

#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/multibody/rotation.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using rotation::RowMatrix;
using rotation::skew;
using rotation::vector;

// The columns or entries of a framed part's state.
constexpr std::size_t quaternion_at = 3, inside_at = 7;

void store(const MovingPlace& from, const Vector3d& position, const Matrix3d& axes, MovingPlace& into) {
  into.twist = from.twist;
  Vector3d::Map(into.position.data()) = position;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(into.axes.data()) = axes;
}

/// Σ columns_j x_j.
Vector3d combined(const std::vector<std::array<double, 3>>& columns, std::span<const double> x) {
  Vector3d result = Vector3d::Zero();
  for (std::size_t j = 0; j < columns.size(); ++j) result += vector(columns[j]) * x[j];
  return result;
}

/// What is known of a place in its frame: components in the axes of the frame.
struct InFrame {
  Vector3d d, displacement_rate, rotation_rate;
  Matrix3d axes;
  Matrix3d turning = Matrix3d::Identity();  ///< of rates of the angles: rotation_rate = turning · rates
  Vector3d bias = Vector3d::Zero();         ///< rate of `turning` · rates
};

/// The angles of a deformation one after the other, about z, y and x: for small ones the order does not matter, and positions,
/// speeds and accelerations belong together for all.
void turn(InFrame& place, const Vector3d& angles, const Vector3d& rates, const Eigen::Quaterniond& orientation) {
  const Eigen::AngleAxisd about_z(angles.z(), Vector3d::UnitZ()), about_y(angles.y(), Vector3d::UnitY()),
      about_x(angles.x(), Vector3d::UnitX());
  const Vector3d z = Vector3d::UnitZ(), y = about_z * Vector3d::UnitY(), x = about_z * (about_y * Vector3d::UnitX());
  place.turning << x, y, z;
  place.rotation_rate = place.turning * rates;
  const Vector3d after_z = z * rates.z(), after_y = after_z + y * rates.y();
  place.bias = after_z.cross(y * rates.y()) + after_y.cross(x * rates.x());
  place.axes = (about_z * about_y * about_x * orientation).toRotationMatrix();
}

InFrame in_frame(const FramedPart::Place& place, std::span<const double> x, std::span<const double> x_rate) {
  const Eigen::Quaterniond orientation = rotation::quaternion(place.orientation).normalized();
  InFrame result{vector(place.at) + combined(place.shape, x), combined(place.shape, x_rate), Vector3d::Zero(),
                 orientation.toRotationMatrix()};
  if (!place.rotation.empty()) turn(result, combined(place.rotation, x), combined(place.rotation, x_rate), orientation);
  return result;
}

}  // namespace

FramedPart::FramedPart(std::vector<Place> places, std::size_t inside, std::size_t inputs, std::size_t further)
    : places_(std::move(places)), inside_(inside), inputs_(inputs), further_(further) {
  for (const Place& place : places_)
    if ((!place.shape.empty() && place.shape.size() != inside) || (!place.rotation.empty() && place.rotation.size() != inside))
      throw std::invalid_argument("FramedPart: a place has not as many shapes as the part has coordinates inside");
}

Part::Size FramedPart::size() const { return {13 + 2 * inside_ + further_, 6 + inside_, inputs_, places_.size()}; }

std::vector<double> FramedPart::rest() const {
  std::vector<double> state(size().states, 0.0);
  state[quaternion_at] = 1;
  return state;
}

void FramedPart::place(std::size_t number, std::span<const double> state, MovingPlace& motion, std::span<double> D,
                       std::span<double> C) const {
  const Place& place = places_.at(number);
  const std::size_t n = 6 + inside_, speeds_at = inside_at + inside_;
  const Matrix3d S = rotation::axes(state.subspan(quaternion_at, 4));
  const Vector3d v = vector(state.subspan(speeds_at)), w = vector(state.subspan(speeds_at + 3));
  const InFrame at = in_frame(place, state.subspan(inside_at, inside_), state.subspan(speeds_at + 6, inside_));
  store({}, vector(state) + S * at.d, S * at.axes, motion);
  Vector3d::Map(motion.twist.data()) = v + S * (w.cross(at.d) + at.displacement_rate);
  Vector3d::Map(motion.twist.data() + 3) = S * (w + at.rotation_rate);
  if (D.empty()) return;
  Eigen::Map<RowMatrix> rows(D.data(), 6, Eigen::Index(n));
  rows.setZero();
  rows.block<3, 3>(0, 0).setIdentity();
  rows.block<3, 3>(0, 3) = -S * skew(at.d);
  rows.block<3, 3>(3, 3) = S;
  for (std::size_t j = 0; j < place.shape.size(); ++j) rows.block<3, 1>(0, Eigen::Index(6 + j)) = S * vector(place.shape[j]);
  for (std::size_t j = 0; j < place.rotation.size(); ++j)
    rows.block<3, 1>(3, Eigen::Index(6 + j)) = S * (at.turning * vector(place.rotation[j]));
  Vector3d::Map(C.data()) = S * w.cross(w.cross(at.d) + 2 * at.displacement_rate);
  Vector3d::Map(C.data() + 3) = S * (w.cross(at.rotation_rate) + at.bias);
}

void FramedPart::rate(double t, std::span<const double> state, std::span<const double> accelerations,
                      std::span<double> rate) const {
  const std::size_t speeds_at = inside_at + inside_, n = 6 + inside_;
  std::copy_n(state.begin() + std::ptrdiff_t(speeds_at), 3, rate.begin());
  const Eigen::Quaterniond q = rotation::quaternion(state.subspan(quaternion_at, 4));
  const Vector3d half = 0.5 * vector(state.subspan(speeds_at + 3));
  rotation::store(q * Eigen::Quaterniond(0, half.x(), half.y(), half.z()), rate.subspan(quaternion_at, 4));
  std::copy_n(state.begin() + std::ptrdiff_t(speeds_at + 6), inside_, rate.begin() + inside_at);
  std::copy_n(accelerations.begin(), n, rate.begin() + std::ptrdiff_t(speeds_at));
  if (further_ > 0) further_rates(t, state, rate.subspan(speeds_at + n, further_));
}

void FramedPart::speeds(std::span<const double> state, std::span<double> speeds) const {
  std::copy_n(state.begin() + std::ptrdiff_t(inside_at + inside_), 6 + inside_, speeds.begin());
}

void FramedPart::displace(std::span<const double> displacement, std::span<double> state) const {
  for (std::size_t k = 0; k < 3; ++k) state[k] += displacement[k];
  const std::span<double> q = state.subspan(quaternion_at, 4);
  rotation::store((rotation::quaternion(q) * rotation::turn(vector(displacement.subspan(3)))).normalized(), q);
  for (std::size_t j = 0; j < inside_; ++j) state[inside_at + j] += displacement[6 + j];
}

void FramedPart::add_speeds(std::span<const double> change, std::span<double> state) const {
  for (std::size_t k = 0; k < 6 + inside_; ++k) state[inside_at + inside_ + k] += change[k];
}

void FramedPart::put(std::size_t number, const MovingPlace& motion, std::span<double> state) const {
  const std::size_t speeds_at = inside_at + inside_;
  const InFrame at = in_frame(places_.at(number), state.subspan(inside_at, inside_), state.subspan(speeds_at + 6, inside_));
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> axes(motion.axes.data());
  const Matrix3d S = axes * at.axes.transpose();
  const Vector3d w = S.transpose() * vector(std::span(motion.twist).subspan(3)) - at.rotation_rate;
  Vector3d::Map(state.data()) = vector(motion.position) - S * at.d;
  Eigen::Quaterniond q(S);
  const std::span<double> before = state.subspan(quaternion_at, 4);
  if (q.dot(rotation::quaternion(before)) < 0) q.coeffs() *= -1;  // the same attitude, without a jump
  rotation::store(q.normalized(), before);
  Vector3d::Map(state.data() + speeds_at) = vector(motion.twist) - S * (w.cross(at.d) + at.displacement_rate);
  Vector3d::Map(state.data() + speeds_at + 3) = w;
}

void FramedPart::normalise(std::span<double> state) const {
  const std::span<double> q = state.subspan(quaternion_at, 4);
  rotation::store(rotation::quaternion(q).normalized(), q);
}

std::array<double, 4> FramedPart::mass(std::span<const double> state) const {
  // The rows of v in M: m E and −S (first moment)~, with S^T before them that of the moment's components.
  const std::size_t n = 6 + inside_;
  std::vector<double> M(n * n), force(n), inputs(inputs_, 0.0);
  equations(0, state, inputs, {}, M, force);
  const Matrix3d S = rotation::axes(state.subspan(quaternion_at, 4));
  const Matrix3d turned =
      S.transpose() * Eigen::Map<const RowMatrix>(M.data(), Eigen::Index(n), Eigen::Index(n)).block<3, 3>(0, 3);
  const Vector3d moment = M[0] * vector(state) + S * Vector3d(turned(1, 2), turned(2, 0), turned(0, 1));
  return {M[0], moment.x(), moment.y(), moment.z()};
}

std::array<double, 6> FramedPart::momentum(std::span<const double> state) const {
  const std::size_t n = 6 + inside_;
  std::vector<double> M(n * n), force(n), inputs(inputs_, 0.0);
  equations(0, state, inputs, {}, M, force);
  const Eigen::VectorXd p = Eigen::Map<const RowMatrix>(M.data(), Eigen::Index(n), Eigen::Index(n)) *
                            Eigen::VectorXd::Map(state.data() + inside_at + inside_, Eigen::Index(n));
  std::array<double, 6> result;
  Vector3d::Map(result.data()) = p.head<3>();
  Vector3d::Map(result.data() + 3) =
      vector(state).cross(Vector3d(p.head<3>())) + rotation::axes(state.subspan(quaternion_at, 4)) * p.segment<3>(3);
  return result;
}

void Ground::place(std::size_t number, std::span<const double>, MovingPlace& motion, std::span<double>,
                   std::span<double> C) const {
  const FramedPart::Place& place = places_.at(number);
  store({}, vector(place.at), rotation::axes(place.orientation), motion);
  std::fill(C.begin(), C.end(), 0.0);
}

IvankovLetters letters(const Part& part, double t, std::span<const double> state, std::span<const double> inputs,
                       const std::array<double, 3>& gravity) {
  const auto [states, n, input_count, places] = part.size();
  const Eigen::Index rows = Eigen::Index(n);
  const std::vector<double> none(input_count, 0.0);
  std::vector<double> M(n * n), force(n), alone(n);
  part.equations(t, state, none, {}, M, alone);
  part.equations(t, state, inputs.empty() ? std::span<const double>(none) : inputs, gravity, M, force);
  const Eigen::LLT<Eigen::MatrixXd> inertia(Eigen::Map<const RowMatrix>(M.data(), rows, rows));
  if (inertia.info() != Eigen::Success) throw NoAnswer("the inertia of a part is not positive");
  IvankovLetters result{std::vector<double>(n), std::vector<double>(n), {}, {}, {}};
  Eigen::VectorXd::Map(result.A.data(), rows) = inertia.solve(Eigen::VectorXd::Map(alone.data(), rows));
  Eigen::VectorXd::Map(result.Q0.data(), rows) =
      inertia.solve(Eigen::VectorXd::Map(force.data(), rows) - Eigen::VectorXd::Map(alone.data(), rows));
  for (std::size_t k = 0; k < places; ++k) {
    MovingPlace motion;
    std::vector<double> B(n * 6), D(6 * n);
    std::array<double, 6> C;
    part.place(k, state, motion, D, C);
    Eigen::Map<RowMatrix>(B.data(), rows, 6) = inertia.solve(Eigen::Map<const RowMatrix>(D.data(), 6, rows).transpose());
    result.B.push_back(std::move(B));
    result.C.push_back(C);
    result.D.push_back(std::move(D));
  }
  return result;
}

}  // namespace sfg
