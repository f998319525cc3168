// Random trees of bodies with every kind of joint, elastic bodies, wheels and springs, and random loops: what must hold whatever
// the formulas are.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/model/lagrangian.hpp"

namespace sfg {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using GiNaC::ex;
using Kind = Multibody::JointKind;

class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : random_(seed) {}

  Multibody operator()() {
    model_.gravity = vector(10);
    const std::size_t bodies = 1 + pick(4);
    for (std::size_t i = 1; i <= bodies; ++i) add_body(i);
    for (std::size_t i = 1; i <= bodies; ++i) {
      if (pick(3) == 0) add_elastic(i);
      if (pick(3) == 0) add_wheel(i);
    }
    for (std::size_t i = 1; i <= bodies; ++i) add_joint(i, pick(i));
    if (pick(2) == 0) add_spring(bodies);
    if (bodies > 1 && pick(2) == 0) close_loop(bodies);
    return std::move(model_);
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }
  ex number(int size) { return ex(static_cast<int>(random_() % 201) - 100) * size / 100; }
  Multibody::Vector vector(int size) { return {number(size), number(size), number(size)}; }
  Multibody::Quaternion orientation() {
    const ex a = ex(3) / 5, b = ex(4) / 5, h = ex(1) / 2;
    switch (pick(4)) {
      case 0: return {a, b, 0, 0};
      case 1: return {h, -h, h, h};
      default: return {1, 0, 0, 0};
    }
  }
  Multibody::Vector axis() {
    switch (pick(5)) {
      case 0: return {1, 0, 0};
      case 1: return {0, -1, 0};
      case 2: return {ex(3) / 5, 0, ex(4) / 5};
      case 3: return {ex(2) / 3, ex(-1) / 3, ex(2) / 3};
      default: return {0, 0, 1};
    }
  }
  /// A point of the body: of an elastic one, one of its points.
  Multibody::Place place(std::size_t body) {
    Multibody::Place result{body, vector(1), orientation()};
    for (const auto& elastic : model_.elastic)
      if (elastic.body == body) result.at = elastic.points[pick(elastic.points.size())].at;
    return result;
  }

  void add_body(std::size_t i) {
    Multibody::Body body;
    body.name = "b" + std::to_string(i);
    body.mass = 1 + pick(5);
    body.com = vector(1);
    for (std::size_t k = 0; k < 3; ++k) body.inertia[k][k] = 4 + ex(static_cast<int>(pick(100))) / 100;
    body.inertia[0][1] = body.inertia[1][0] = number(1);
    body.inertia[0][2] = body.inertia[2][0] = number(1);
    model_.bodies.push_back(body);
  }

  void add_elastic(std::size_t i) {
    Multibody::Elastic elastic;
    elastic.body = i;
    const std::size_t modes = 1 + pick(2);
    for (std::size_t j = 1; j <= modes; ++j) elastic.coordinates.push_back("e" + std::to_string(j) + "b" + std::to_string(i));
    for (int k = 0; k < 3; ++k) {
      Multibody::Elastic::Point point;
      point.at = vector(1);
      point.mass = 1 + pick(2);
      for (std::size_t j = 0; j < modes; ++j) point.modes.push_back({vector(1), vector(1)});
      elastic.points.push_back(point);
    }
    elastic.stiffness.assign(modes, std::vector<ex>(modes, 0));
    for (std::size_t j = 0; j < modes; ++j) elastic.stiffness[j][j] = 10 + pick(10);
    model_.elastic.push_back(elastic);
  }

  void add_wheel(std::size_t i) {
    Multibody::Flywheel wheel;
    wheel.name = "wheel" + std::to_string(i);
    wheel.speed = "Om" + std::to_string(i);
    wheel.on = {i, vector(1), orientation()};
    wheel.axis = axis();
    wheel.inertia = ex(1) / 2;
    wheel.case_mass = 1;
    for (std::size_t k = 0; k < 3; ++k) wheel.case_inertia[k][k] = 1;
    model_.flywheels.push_back(wheel);
  }

  void add_joint(std::size_t i, std::size_t parent) {
    static constexpr Kind kinds[] = {Kind::revolute,  Kind::prismatic,   Kind::weld,   Kind::spherical,
                                     Kind::universal, Kind::cylindrical, Kind::planar, Kind::free};
    static constexpr std::size_t count[] = {0, 1, 1, 0, 4, 2, 2, 3, 1, 7};
    Multibody::Joint joint;
    joint.name = "J" + std::to_string(i);
    joint.kind = kinds[pick(8)];
    const bool one_way = joint.kind == Kind::planar || joint.kind == Kind::free;
    const bool back = !one_way && pick(2) == 0;
    joint.places = {place(back ? i : parent), place(back ? parent : i)};
    joint.axis = axis();
    joint.second_axis = axis();
    for (std::size_t k = 0; k < count[static_cast<std::size_t>(joint.kind)]; ++k)
      joint.coordinates.push_back("s" + std::to_string(i) + "_" + std::to_string(k));
    const std::size_t speeds = joint.kind == Kind::spherical ? 3 : joint.kind == Kind::free ? 6 : 0;
    for (std::size_t k = 0; k < speeds; ++k) joint.speeds.push_back("w" + std::to_string(i) + "_" + std::to_string(k));
    model_.joints.push_back(joint);
  }

  void add_spring(std::size_t bodies) {
    Multibody::Spring spring;
    const std::size_t second = 1 + pick(bodies);
    spring.between = {place(pick(second)), place(second)};
    spring.stiffness = 5 + pick(10);
    spring.rest = ex(1) / 3;
    model_.springs.push_back(spring);
  }

  void close_loop(std::size_t bodies) {
    static constexpr Kind kinds[] = {Kind::revolute,  Kind::prismatic,   Kind::weld,  Kind::spherical,
                                     Kind::universal, Kind::cylindrical, Kind::planar};
    Multibody::Joint joint;
    joint.name = "cut";
    joint.kind = kinds[pick(7)];
    joint.places = {place(pick(bodies)), place(bodies)};
    joint.axis = axis();
    joint.cut = true;
    model_.joints.push_back(joint);
  }

  std::mt19937 random_;
  Multibody model_;
};

/// Expressions of the equations as functions of (q, v, a, λ).
class Evaluation {
 public:
  Evaluation(const MultibodyEquations& equations, const std::vector<ex>& wanted) : equations_(equations) {
    std::vector<std::pair<ex, ex>> definitions;
    for (const auto& definition : equations.definitions) definitions.emplace_back(definition.symbol, definition.value);
    std::vector<ex> inputs;
    for (const auto& coordinate : equations.motion.coordinates) inputs.push_back(coordinate.q);
    for (const auto& speed : equations.motion.speeds) inputs.push_back(speed.symbol);
    for (const ex& acceleration : equations.accelerations) inputs.push_back(acceleration);
    for (const auto& constraint : equations.motion.constraints) inputs.push_back(constraint.multiplier);
    tape_ = compile(wanted, inputs, {}, definitions);
  }
  VectorXd operator()(const VectorXd& q, const VectorXd& v, const VectorXd& a = {}, const VectorXd& lambda = {}) const {
    std::vector<double> point(tape_.inputs().size(), 0);
    std::copy(q.begin(), q.end(), point.begin());
    std::copy(v.begin(), v.end(), point.begin() + q.size());
    std::copy(a.begin(), a.end(), point.begin() + q.size() + v.size());
    std::copy(lambda.begin(), lambda.end(), point.begin() + q.size() + 2 * v.size());
    const std::vector<double> values = tape_.values<double>(point);
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }

 private:
  const MultibodyEquations& equations_;
  numeric::Tape tape_;
};

std::vector<ex> entries(const EquationsOfMotion::Matrix& M) {
  std::vector<ex> result;
  for (const auto& row : M) result.insert(result.end(), row.begin(), row.end());
  return result;
}

std::vector<ex> of_vector(const Multibody::Vector& v) { return {v.begin(), v.end()}; }

class RandomTrees : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    model_ = RandomModel(GetParam())();
    equations_ = multibody_equations(model_);
    const auto& motion = equations_.motion;
    n_ = static_cast<Eigen::Index>(motion.speeds.size());
    std::mt19937 random(GetParam() + 1000);
    std::uniform_real_distribution<double> uniform(-1, 1);
    q_ = VectorXd::NullaryExpr(static_cast<Eigen::Index>(motion.coordinates.size()), [&] { return uniform(random); });
    v_ = VectorXd::NullaryExpr(n_, [&] { return uniform(random); });
    for (const auto& quaternion : equations_.quaternions) {
      double length = 0;
      for (const std::size_t i : quaternion) length += q_[static_cast<Eigen::Index>(i)] * q_[static_cast<Eigen::Index>(i)];
      for (const std::size_t i : quaternion) q_[static_cast<Eigen::Index>(i)] /= std::sqrt(length);
    }
    std::vector<ex> rates;
    for (const auto& coordinate : motion.coordinates) rates.push_back(coordinate.rate);
    rate_ = Evaluation(equations_, rates)(q_, v_);
    const VectorXd M = Evaluation(equations_, entries(motion.M))(q_, v_);
    M_ = Eigen::Map<const MatrixXd>(M.data(), n_, n_);
    F_ = Evaluation(equations_, motion.F)(q_, v_);
    const auto m = static_cast<Eigen::Index>(motion.constraints.size());
    J_ = MatrixXd(m, n_);
    std::vector<ex> gammas;
    for (const auto& constraint : motion.constraints) gammas.push_back(constraint.gamma);
    gamma_ = m > 0 ? Evaluation(equations_, gammas)(q_, v_) : VectorXd();
    for (Eigen::Index c = 0; c < m; ++c)
      J_.row(c) = Evaluation(equations_, motion.constraints[static_cast<std::size_t>(c)].row)(q_, v_);
    MatrixXd system = MatrixXd::Zero(n_ + m, n_ + m);
    system.topLeftCorner(n_, n_) = M_;
    system.topRightCorner(n_, m) = -J_.transpose();
    system.bottomLeftCorner(m, n_) = J_;
    VectorXd right(n_ + m);
    right << F_, gamma_;
    const VectorXd solved = system.completeOrthogonalDecomposition().solve(right);
    a_ = solved.head(n_);
    lambda_ = solved.tail(m);
    solvable_ = (system * solved - right).norm() < 1e-8 * (1 + right.norm());
  }
  /// Rate along the motion, by differences.
  VectorXd rate_of(const std::vector<ex>& quantities) const {
    const Evaluation f(equations_, quantities);
    constexpr double h = 1e-5;
    return (8 * (f(q_ + h * rate_, v_ + h * a_) - f(q_ - h * rate_, v_ - h * a_)) -
            (f(q_ + 2 * h * rate_, v_ + 2 * h * a_) - f(q_ - 2 * h * rate_, v_ - 2 * h * a_))) /
           (12 * h);
  }

  Multibody model_;
  MultibodyEquations equations_;
  Eigen::Index n_ = 0;
  VectorXd q_, v_, rate_, F_, gamma_, a_, lambda_;
  MatrixXd M_, J_;
  bool solvable_ = true;
};

TEST_P(RandomTrees, MassesAreThoseOfTheKineticEnergy) {
  EXPECT_LT((M_ - M_.transpose()).norm(), 1e-12 * M_.norm());
  const double T = Evaluation(equations_, {equations_.kinetic})(q_, v_)[0];
  EXPECT_NEAR(T, v_.dot(M_ * v_) / 2, 1e-11 * (1 + std::abs(T)));
}

TEST_P(RandomTrees, EnergyStays) {
  if (!solvable_) return;
  const double power = J_.rows() > 0 ? lambda_.dot(J_ * v_) : 0;  // where the velocities do not fit the loop
  const double change = rate_of({equations_.kinetic + equations_.potential})[0];
  EXPECT_NEAR(change, power, 1e-6 * (1 + F_.norm() * v_.norm()));
}

TEST_P(RandomTrees, ConstraintsAreDifferentiatedTwice) {
  if (J_.rows() == 0 || !solvable_) return;
  const auto& constraints = equations_.motion.constraints;
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    ex rate = 0;
    for (std::size_t k = 0; k < constraints[c].row.size(); ++k)
      rate += constraints[c].row[k] * equations_.motion.speeds[k].symbol;
    EXPECT_NEAR(rate_of({constraints[c].value})[0], J_.row(static_cast<Eigen::Index>(c)).dot(v_), 1e-7) << constraints[c].name;
    EXPECT_NEAR(rate_of({rate})[0], 0, 1e-6 * (1 + a_.norm())) << constraints[c].name;
  }
}

TEST_P(RandomTrees, ReactionsOfTheFrameAndWeightsChangeTheMomenta) {
  if (!solvable_) return;
  for (const auto& spring : model_.springs)
    if (spring.between[0].body == 0 || spring.between[1].body == 0) return;
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = force;
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const auto& places = model_.joints[j].places;
    if ((places[0].body == 0) == (places[1].body == 0)) continue;
    const double sign = places[1].body == 0 ? -1 : 1;
    const auto& reaction = equations_.reactions[j];
    std::vector<ex> wanted(reaction.wrench.begin(), reaction.wrench.end());
    wanted.insert(wanted.end(), reaction.at.begin(), reaction.at.end());
    const VectorXd w = Evaluation(equations_, wanted)(q_, v_, a_, lambda_);
    const Eigen::Vector3d f = sign * w.head(3), at = w.tail(3);
    force += f;
    moment += at.cross(f) + sign * w.segment(3, 3);
  }
  // weights: dV/dr of gravity through the momentum of a unit of uniform motion is m g; taken from the total mass and its moment
  const auto& g = model_.gravity;
  Eigen::Vector3d gravity;
  for (int k = 0; k < 3; ++k) gravity[k] = GiNaC::ex_to<GiNaC::numeric>(g[static_cast<std::size_t>(k)]).to_double();
  const VectorXd p = rate_of(of_vector(equations_.momentum)), L = rate_of(of_vector(equations_.angular_momentum));
  double mass = 0;
  for (const auto& body : model_.bodies) mass += GiNaC::ex_to<GiNaC::numeric>(body.mass).to_double();
  for (const auto& wheel : model_.flywheels) mass += GiNaC::ex_to<GiNaC::numeric>(wheel.case_mass).to_double();
  for (const auto& elastic : model_.elastic)
    for (const auto& point : elastic.points) mass += GiNaC::ex_to<GiNaC::numeric>(point.mass).to_double();
  const double scale = 1 + force.norm() + mass * gravity.norm();
  const bool fits = J_.rows() == 0;  // else a loop that is open at this state, whose two ends are not one place
  if (!fits) return;
  EXPECT_LT((p - force - mass * gravity).norm(), 1e-6 * scale);
  EXPECT_LT(std::abs((L - moment).dot(gravity)),
            1e-6 * (scale + moment.norm()) * gravity.norm());  // weights turn about no vertical
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, testing::Range(0U, 60U));

}  // namespace
}  // namespace sfg
