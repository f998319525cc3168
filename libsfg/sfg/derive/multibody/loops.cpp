#include "sfg/derive/multibody/loops.hpp"

#include <ginac/ginac.h>

namespace sfg {

using GiNaC::ex;
using namespace spatial;
using Kind = Multibody::JointKind;

namespace {

constexpr const char* letters[] = {"x", "y", "z"};

/// The rows of one joint.
class LoopJoint {
 public:
  LoopJoint(const Multibody& model, std::size_t joint, const Unknowns& unknowns, TreeMotion& motion, Composite& composite,
            Substitutions& names, std::vector<LoopRow>& rows)
      : model_(model),
        joint_(model.joints[joint]),
        number_(joint),
        unknowns_(unknowns),
        composite_(composite),
        names_(names),
        rows_(rows),
        first_(motion.at(joint_.places[0])),
        second_(motion.at(joint_.places[1])) {
    apart_ = names_(difference(second_.position, first_.position));
  }

  void add() {
    const auto across = normal_to(joint_.axis);
    switch (joint_.kind) {
      case Kind::revolute:
      case Kind::revolute_between_bodies:
        meet();
        for (std::size_t k = 0; k < 2; ++k) right_angle(joint_.axis, across[k], std::string("r") + letters[k]);
        break;
      case Kind::spherical: meet(); break;
      case Kind::weld:
        meet();
        parallel();
        break;
      case Kind::universal:
        meet();
        right_angle(joint_.axis, joint_.second_axis, "r");
        break;
      case Kind::prismatic:
        for (std::size_t k = 0; k < 2; ++k) stay_on(across[k], letters[k + 1]);
        parallel();
        break;
      case Kind::cylindrical:
        for (std::size_t k = 0; k < 2; ++k) stay_on(across[k], letters[k]);
        for (std::size_t k = 0; k < 2; ++k) right_angle(joint_.axis, across[k], std::string("r") + letters[k]);
        break;
      case Kind::planar:
        stay_on(joint_.axis, letters[2]);
        for (std::size_t k = 0; k < 2; ++k) right_angle(joint_.axis, across[k], std::string("r") + letters[k]);
        break;
      case Kind::free: break;
    }
  }

 private:
  /// The places coincide: a row a direction of the frame.
  void meet() {
    for (std::size_t k = 0; k < 3; ++k) displacement(unit()[k], zero(), zero(), letters[k]);
  }
  /// No displacement along a direction of the first place.
  void stay_on(const Vector& direction, const char* letter) {
    displacement(names_(product(first_.orientation.axes, direction)), first_.angular_velocity, first_.angular_bias, letter);
  }
  void parallel() {
    for (std::size_t k = 0; k < 3; ++k) right_angle(unit()[k], unit()[(k + 1) % 3], std::string("r") + letters[k]);
  }

  /// φ = b · (r₂ − r₁), where b turns with w.
  void displacement(const Vector& b, const Vector& w, const Vector& alpha, const char* letter) {
    const Vector turned = names_(cross(w, b));
    const Vector relative = names_(difference(second_.velocity, first_.velocity));
    const ex bias = dot(difference(second_.bias, first_.bias), b) + 2 * dot(relative, turned) +
                    dot(apart_, names_(sum(cross(alpha, b), cross(w, turned))));
    LoopRow row = begin(letter, dot(apart_, b), -bias);
    row.force = b;
    composite_.project(second_, b, zero(), [&](std::size_t speed, const ex& value) { row.J[speed] += value; });
    if (!is_zero(w)) row.moment_on_first = names_(cross(apart_, b));
    composite_.project(first_, b, row.moment_on_first, [&](std::size_t speed, const ex& value) { row.J[speed] -= value; });
    finish(std::move(row));
  }

  /// φ = p · e of a direction p of the first place and one e of the second.
  void right_angle(const Vector& of_first, const Vector& of_second, const std::string& letter) {
    const Vector p = names_(product(first_.orientation.axes, of_first)), e = names_(product(second_.orientation.axes, of_second));
    const Vector n = names_(cross(e, p));
    const Vector &w1 = first_.angular_velocity, &w2 = second_.angular_velocity;
    const Vector p_turns = names_(cross(w1, p)), e_turns = names_(cross(w2, e));
    const Vector turned = names_(sum(cross(e_turns, p), cross(e, p_turns)));
    const ex bias = dot(difference(second_.angular_bias, first_.angular_bias), n) + dot(difference(w2, w1), turned);
    LoopRow row = begin(letter, dot(p, e), -bias);
    row.moment = row.moment_on_first = n;
    composite_.project(second_, zero(), n, [&](std::size_t speed, const ex& value) { row.J[speed] += value; });
    composite_.project(first_, zero(), n, [&](std::size_t speed, const ex& value) { row.J[speed] -= value; });
    finish(std::move(row));
  }

  LoopRow begin(const std::string& letter, const ex& value, const ex& gamma) {
    LoopRow row{number_, joint_.name + "." + letter, names_(value), names_(gamma), {}};
    row.J.assign(unknowns_.speeds.size(), 0);
    return row;
  }

  void finish(LoopRow row) {
    row.J = names_(std::move(row.J));
    bool empty = row.value.is_zero();
    for (const ex& entry : row.J) empty = empty && entry.is_zero();
    if (!empty || !model_.planar) rows_.push_back(std::move(row));
  }

  const Multibody& model_;
  const Multibody::Joint& joint_;
  std::size_t number_;
  const Unknowns& unknowns_;
  Composite& composite_;
  Substitutions& names_;
  std::vector<LoopRow>& rows_;
  PlaceMotion first_, second_;
  Vector apart_;
};

}  // namespace

std::vector<LoopRow> loop_rows(const Multibody& model, const JointForest& forest, const Unknowns& unknowns, TreeMotion& motion,
                               Composite& composite, Substitutions& names) {
  std::vector<LoopRow> rows;
  for (const std::size_t joint : forest.cuts) LoopJoint(model, joint, unknowns, motion, composite, names, rows).add();
  return rows;
}

}  // namespace sfg
