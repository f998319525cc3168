#include "sfg/derive/multibody/tree_motion.hpp"

#include <ginac/ginac.h>

namespace sfg {

using GiNaC::ex;
using namespace spatial;
using Kind = Multibody::JointKind;

namespace {

bool equal_vectors(const Vector& a, const Vector& b) { return is_zero(difference(a, b)); }

bool is_unit(const Multibody::Quaternion& q) { return q[1].is_zero() && q[2].is_zero() && q[3].is_zero(); }

Column& column_of(std::vector<Column>& columns, std::size_t speed) {
  for (Column& column : columns)
    if (column.speed == speed) return column;
  columns.push_back({speed});
  return columns.back();
}

}  // namespace

TreeMotion::TreeMotion(const Multibody& model, const JointForest& forest, const Unknowns& unknowns, Substitutions& names)
    : model_(model), unknowns_(unknowns), names_(names), bodies_(model.bodies.size() + 1) {
  bodies_[Multibody::frame].bias = scaled(-1, model.gravity);
  bodies_[Multibody::frame].turning = {zero(), zero(), zero()};
  for (const JointForest::Edge& edge : forest.tree) attach(edge);
}

Matrix TreeMotion::turning(const PointMotion& point) {
  const Matrix w = skew(point.angular_velocity);
  return names_(sum(skew(point.angular_bias), product(w, w)));
}

Vector TreeMotion::deflection(const std::vector<Vector>& shapes, std::size_t body, bool rate) const {
  Vector result = zero();
  for (std::size_t j = 0; j < shapes.size(); ++j)
    result = sum(result, scaled(rate ? unknowns_.v(unknowns_.modes[body][j]) : unknowns_.q(unknowns_.mode_coordinates[body][j]),
                                shapes[j]));
  return result;
}

/// A turn about an axis that is fixed before and after it.
void TreeMotion::turn(PointMotion& point, const Vector& axis, const ex& angle, const ex& rate,
                      const std::vector<std::pair<std::size_t, ex>>& of_speeds, std::vector<Column>& columns) {
  Orientation& o = point.orientation;
  const Vector direction = names_(product(o.axes, axis));
  const Vector w = scaled(rate, direction);
  point.angular_bias = names_(sum(point.angular_bias, cross(point.angular_velocity, w)));
  point.angular_velocity = names_(sum(point.angular_velocity, w));
  for (const auto& [speed, factor] : of_speeds) {
    Column& column = column_of(columns, speed);
    column.rotation = sum(column.rotation, scaled(factor, direction));
  }
  if (!o.axis || !equal_vectors(*o.axis, axis)) o = {o.axes, o.axes, axis, 0};
  o.angle = names_(o.angle + angle);
  const ex s = names_(GiNaC::sin(o.angle)), c = names_(GiNaC::cos(o.angle));  // named in this order by every compiler
  o.axes = names_(product(o.base, names_(rotation(axis, c, s))));
}

void TreeMotion::turn_fixed(Orientation& o, const Multibody::Quaternion& q, bool back) {
  if (is_unit(q)) return;
  const Matrix R = rotation(q);
  o.axes = names_(product(o.axes, back ? transposed(R) : R));
  o.axis.reset();
}

/// Small rotations as turns about z, y and x, in which they are exact for one of them, and forth and back are inverse.
void TreeMotion::turn_by_shape(PointMotion& point, std::size_t body, const ShapeAt& shape, bool back,
                               std::vector<Column>& columns) {
  const Vector angle = deflection(shape.rotation, body, false), rate = deflection(shape.rotation, body, true);
  const ex sign = back ? -1 : 1;
  for (const std::size_t k : back ? std::array<std::size_t, 3>{0, 1, 2} : std::array<std::size_t, 3>{2, 1, 0}) {
    if (angle[k].is_zero()) continue;
    Vector axis = zero();
    axis[k] = 1;
    std::vector<std::pair<std::size_t, ex>> of_speeds;
    for (std::size_t j = 0; j < shape.rotation.size(); ++j)
      if (!shape.rotation[j][k].is_zero()) of_speeds.emplace_back(unknowns_.modes[body][j], sign * shape.rotation[j][k]);
    const ex faster = names_(sign * rate[k]), further = names_(sign * angle[k]);
    turn(point, axis, further, faster, of_speeds, columns);
  }
}

PlaceMotion TreeMotion::at(const Multibody::Place& place) {
  PlaceMotion result;
  const BodyMotion& body = bodies_[place.body];
  static_cast<PointMotion&>(result) = body;
  result.body = place.body;
  const ShapeAt shape = shape_at(model_, place.body, place);
  const Matrix& S = body.orientation.axes;
  result.arm = names_(product(S, names_(sum(place.at, deflection(shape.translation, place.body, false)))));
  const Vector growing = names_(product(S, names_(deflection(shape.translation, place.body, true))));
  result.position = names_(sum(body.position, result.arm));
  result.velocity = names_(sum(sum(body.velocity, cross(body.angular_velocity, result.arm)), growing));
  result.bias = names_(sum(sum(body.bias, product(body.turning, result.arm)), scaled(2, cross(body.angular_velocity, growing))));
  for (std::size_t j = 0; j < shape.translation.size(); ++j)
    column_of(result.modes, unknowns_.modes[place.body][j]).translation = names_(product(S, shape.translation[j]));
  turn_by_shape(result, place.body, shape, false, result.modes);
  turn_fixed(result.orientation, place.orientation, false);
  return result;
}

void TreeMotion::turn_by_quaternion(PointMotion& point, std::size_t coordinate, std::size_t speed, bool back,
                                    std::vector<Column>& columns) {
  Multibody::Quaternion q;
  for (std::size_t i = 0; i < 4; ++i) q[i] = unknowns_.q(coordinate + i);
  const Matrix before = point.orientation.axes, R = names_(rotation(q));
  point.orientation = {};
  point.orientation.axes = names_(product(before, back ? transposed(R) : R));
  const Matrix& axes_of_speeds = back ? before : point.orientation.axes;
  Vector relative = zero();
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector direction = scaled(back ? -1 : 1, spatial::column(axes_of_speeds, i));
    columns.push_back({speed + i, zero(), direction});
    relative = sum(relative, scaled(unknowns_.v(speed + i), direction));
  }
  relative = names_(relative);
  point.angular_bias = names_(sum(point.angular_bias, cross(point.angular_velocity, relative)));
  point.angular_velocity = names_(sum(point.angular_velocity, relative));
}

/// The motion of a joint from the place nearer to the frame on.
struct TreeMotion::JointMotion {
  TreeMotion& tree;
  PointMotion& point;
  std::vector<Column>& columns;
  std::size_t q, v;  ///< numbers of the first coordinate and speed
  ex sign;           ///< −1 from the second body to the first
  Vector displacement{0, 0, 0}, rate{0, 0, 0};

  void slide(std::size_t k, const Vector& axis) {
    const Vector direction = tree.names_(scaled(sign, product(point.orientation.axes, axis)));
    displacement = sum(displacement, scaled(tree.unknowns_.q(q + k), direction));
    rate = sum(rate, scaled(tree.unknowns_.v(v + k), direction));
    columns.push_back({v + k, direction, zero()});
  }
  /// Goes along what has been slid.
  void advance() {
    displacement = tree.names_(displacement);
    rate = tree.names_(rate);
    const Matrix turning = tree.turning(point);
    point.position = tree.names_(sum(point.position, displacement));
    point.bias =
        tree.names_(sum(sum(point.bias, product(turning, displacement)), scaled(2, cross(point.angular_velocity, rate))));
    point.velocity = tree.names_(sum(sum(point.velocity, cross(point.angular_velocity, displacement)), rate));
  }
  void turn(std::size_t k, const Vector& axis) {
    tree.turn(point, axis, sign * tree.unknowns_.q(q + k), sign * tree.unknowns_.v(v + k), {{v + k, sign}}, columns);
  }
  void turn_by_quaternion(std::size_t k_coordinate) {
    tree.turn_by_quaternion(point, q + k_coordinate, v + k_coordinate, sign.is_equal(-1), columns);
  }
};

/// Columns of displacements are translations, the others still lack what the arm of the next body adds.
void TreeMotion::move(PointMotion& point, const JointForest::Edge& edge, std::vector<Column>& columns, Vector& displacement) {
  const Multibody::Joint& joint = model_.joints[edge.joint];
  const bool back = edge.reversed;
  JointMotion motion{*this,        point, columns, unknowns_.joint_coordinate[edge.joint], unknowns_.joint_speed[edge.joint],
                     back ? -1 : 1};
  const bool plane = joint.kind == Kind::planar || (joint.kind == Kind::free && model_.planar);
  if (back && (plane || joint.kind == Kind::free))
    throw Error(joint.where, "the joint '" + joint.name + "' goes towards the frame", "state the body nearer to the frame first");
  switch (joint.kind) {
    case Kind::weld: break;
    case Kind::revolute:
    case Kind::revolute_between_bodies: motion.turn(0, joint.axis); break;
    case Kind::prismatic:
      motion.slide(0, joint.axis);
      motion.advance();
      break;
    case Kind::cylindrical:
      motion.slide(1, joint.axis);
      motion.advance();
      motion.turn(0, joint.axis);
      break;
    case Kind::universal:
      motion.turn(back ? 1 : 0, back ? joint.second_axis : joint.axis);
      motion.turn(back ? 0 : 1, back ? joint.axis : joint.second_axis);
      break;
    case Kind::spherical: motion.turn_by_quaternion(0); break;
    case Kind::planar:
    case Kind::free: {
      const auto across = normal_to(joint.axis);
      for (std::size_t k = 0; k < (plane ? 2 : 3); ++k) motion.slide(k, plane ? across[k] : unit()[k]);
      motion.advance();
      if (plane)
        motion.turn(2, joint.axis);
      else
        motion.turn_by_quaternion(3);
      break;
    }
  }
  displacement = motion.displacement;
}

void TreeMotion::attach(const JointForest::Edge& edge) {
  const Multibody::Joint& joint = model_.joints[edge.joint];
  const Multibody::Place& far = joint.places[edge.reversed ? 0 : 1];
  const PlaceMotion near = at(joint.places[edge.reversed ? 1 : 0]);
  PointMotion point = near;
  Vector displacement = zero();
  BodyMotion& body = bodies_[edge.child];
  move(point, edge, body.own, displacement);
  const ShapeAt shape = shape_at(model_, edge.child, far);
  turn_fixed(point.orientation, far.orientation, true);
  turn_by_shape(point, edge.child, shape, true, body.own);
  static_cast<PointMotion&>(body) = point;
  body.parent = edge.parent;
  body.turning = turning(body);
  const Matrix& S = body.orientation.axes;
  const Vector back = names_(product(S, names_(sum(far.at, deflection(shape.translation, edge.child, false)))));
  const Vector growing = names_(product(S, names_(deflection(shape.translation, edge.child, true))));
  body.arm = names_(difference(sum(near.arm, displacement), back));
  body.position = names_(difference(point.position, back));
  body.velocity = names_(difference(difference(point.velocity, cross(body.angular_velocity, back)), growing));
  body.bias =
      names_(difference(difference(point.bias, product(body.turning, back)), scaled(2, cross(body.angular_velocity, growing))));
  for (std::size_t j = 0; j < shape.translation.size(); ++j) {
    Column& column = column_of(body.own, unknowns_.modes[edge.child][j]);
    column.translation = difference(column.translation, product(S, shape.translation[j]));
  }
  for (Column& column : body.own) {
    column.rotation = names_(column.rotation);
    column.translation = names_(sum(column.translation, cross(back, column.rotation)));
  }
  const Vector beyond = names_(difference(displacement, back));
  for (const Column& mode : near.modes)
    body.of_parent.push_back({mode.speed, names_(sum(mode.translation, cross(mode.rotation, beyond))), names_(mode.rotation)});
}

}  // namespace sfg
