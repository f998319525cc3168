#include "sfg/multibody/mechanism.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/settings.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Point = Mechanism::Point;

/// Lengths in numbers.
class Numbers {
 public:
  explicit Numbers(const Multibody& model) : model_(model), values_(model.symbols.values()) {}

  double operator()(const ex& value, const SourceSpan& where) const {
    const ex known = substituted(value, values_, where);
    if (const auto number = double_value(known)) return *number;
    Error missing = missing_values(known, model_.symbols);
    if (missing.diagnostics().front().where.line != 0) throw missing;
    throw Error(where, missing.diagnostics().front().message, missing.diagnostics().front().hint);
  }
  Point operator()(const Multibody::Vector& vector, const SourceSpan& where) const {
    return {(*this)(vector[0], where), (*this)(vector[1], where), (*this)(vector[2], where)};
  }
  Mechanism::Place operator()(const Multibody::Place& place, const SourceSpan& where) const {
    return {place.body, (*this)(place.at, where)};
  }
  /// The axis of a joint, turned from the axes of the place into those of its body.
  Point turned(const Multibody::Place& place, const Multibody::Vector& axis, const SourceSpan& where) const {
    const Point a = (*this)(axis, where);
    std::array<double, 4> q{};
    for (std::size_t i = 0; i < 4; ++i) q[i] = (*this)(place.orientation[i], where);
    const Point u{q[1], q[2], q[3]};
    const auto cross = [](const Point& x, const Point& y) {
      return Point{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    };
    const Point c = cross(u, a), cc = cross(u, c);
    Point result = a;
    for (std::size_t i = 0; i < 3; ++i) result[i] += 2 * (q[0] * c[i] + cc[i]);
    return result;
  }
  /// Whether a component has a number; an input or a law has none.
  bool known(const Multibody::Vector& vector) const {
    return std::ranges::all_of(
        vector, [&](const ex& value) { return double_value(substituted(value, values_, model_.where)).has_value(); });
  }

 private:
  const Multibody& model_;
  GiNaC::exmap values_;
};

Mechanism::Elastic elastic_of(const Multibody::Elastic& elastic, const Numbers& number) {
  Mechanism::Elastic result;
  for (const auto& point : elastic.points) {
    result.points.push_back(number(point.at, elastic.where));
    result.shapes.emplace_back();
    for (const auto& mode : point.modes) result.shapes.back().push_back(number(mode.shape, elastic.where));
  }
  if (!elastic.beam) return result;
  constexpr int pieces = 24;
  const auto& beam = *elastic.beam;
  for (int i = 0; i <= pieces; ++i) {
    const ex x = beam.length * i / pieces;
    result.points.push_back({number(x, elastic.where), 0, 0});
    result.shapes.emplace_back();
    for (std::size_t j = 0; j < beam.shapes.size(); ++j) {
      Point shape{};
      const std::size_t along = j < beam.directions.size() ? static_cast<std::size_t>(beam.directions[j]) : 1;
      shape[along] = number(beam.shapes[j].subs(beam.x == x), elastic.where);
      result.shapes.back().push_back(shape);
    }
  }
  return result;
}

void add_bodies(Mechanism& made, const Multibody& model, const Numbers& number) {
  for (const auto& body : model.bodies)
    made.bodies.push_back({body.name, body.mass.is_zero() ? std::nullopt : std::optional(number(body.com, body.where))});
  for (const auto& elastic : model.elastic) made.bodies.at(elastic.body - 1).elastic = elastic_of(elastic, number);
  for (const auto& wheel : model.flywheels)
    made.wheels.push_back({wheel.name, number(wheel.on, wheel.where), number.turned(wheel.on, wheel.axis, wheel.where)});
}

/// What joint of a spring or force along a coordinate: its places.
std::array<Mechanism::Place, 2> places_of(const Mechanism& made, std::size_t joint) { return made.joints.at(joint).places; }

/// The name that the model states; without one, which the reader gives with a number behind a blank, what is short of the values.
std::string label(const std::string& name, const std::vector<ex>& values) {
  if (name.find(' ') == std::string::npos) return name;
  constexpr std::size_t longest = 14;
  std::string text;
  for (const ex& value : values) {
    if (value.is_zero() || GiNaC::is_a<GiNaC::numeric>(value)) continue;
    const ex shown = math(value).is_negative() ? ex(-value) : value;
    const bool name = GiNaC::is_a<GiNaC::symbol>(shown);
    text += (text.empty() ? "" : ", ") + (name ? GiNaC::ex_to<GiNaC::symbol>(shown).get_name() : print(shown, Notation::unicode));
  }
  return text.size() > longest ? "" : text;
}

void add_forces(Mechanism& made, const Multibody& model, const Numbers& number) {
  for (const auto& force : model.forces) {
    if (force.joint) {
      const auto& joint = made.joints.at(*force.joint);
      const bool slides = joint.kind == Multibody::JointKind::prismatic;
      made.forces.push_back(
          {force.name, joint.places[1], joint.axis, joint.places[0].body, !slides, label(force.name, {force.along})});
      continue;
    }
    const Mechanism::Place on = number(force.on, force.where);
    for (const bool torque : {false, true}) {
      const Multibody::Vector& vector = torque ? force.torque : force.force;
      if (std::ranges::all_of(vector, [](const ex& value) { return value.is_zero(); })) continue;
      Point direction{};
      if (number.known(vector))
        direction = number(vector, force.where);
      else  // along the axes that it has, with the sign that is written
        for (std::size_t i = 0; i < 3; ++i)
          if (!vector[i].is_zero()) direction[i] = math(vector[i]).is_negative() ? -1 : 1;
      made.forces.push_back(
          {force.name, on, direction, force.axes, torque, label(force.name, {vector[0], vector[1], vector[2]})});
    }
  }
}

void add_particles(Mechanism& made, const Multibody& model) {
  for (const auto& particle : model.particles) made.particles.push_back(particle.name);
  for (const auto& constraint : model.constraints) {
    const auto names = symbol_names(constraint.value);
    std::vector<std::size_t> tied;
    for (std::size_t i = 0; i < model.particles.size(); ++i)
      if (std::ranges::any_of(model.particles[i].coordinates,
                              [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); }))
        tied.push_back(i);
    if (tied.size() == 2) made.rods.push_back({tied[0], tied[1]});
  }
}

double value_or_zero(const ex& value, const GiNaC::exmap& values) {
  return double_value(substituted(value, values, {})).value_or(0);
}

}  // namespace

Mechanism mechanism(const Multibody& model) {
  Mechanism made{.title = model.title, .planar = model.planar};
  const Numbers number(model);
  const GiNaC::exmap values = model.symbols.values();
  for (std::size_t i = 0; i < 3; ++i) {
    made.gravity[i] = value_or_zero(model.gravity[i], values);
    if (made.gravity[i] == 0 && !model.gravity[i].is_zero()) made.gravity[i] = math(model.gravity[i]).is_negative() ? -1 : 1;
  }
  const bool flat = std::ranges::all_of(model.particles, [](const auto& p) { return p.coordinates.size() < 3; });
  made.planar = model.planar || (model.bodies.empty() && flat);
  add_bodies(made, model, number);
  for (const auto& joint : model.joints)
    made.joints.push_back({joint.name,
                           joint.kind,
                           {number(joint.places[0], joint.where), number(joint.places[1], joint.where)},
                           number.turned(joint.places[0], joint.axis, joint.where)});
  for (const auto& spring : model.springs)
    made.springs.push_back({spring.name,
                            spring.joint
                                ? places_of(made, *spring.joint)
                                : std::array{number(spring.between[0], spring.where), number(spring.between[1], spring.where)},
                            spring.joint, !spring.stiffness.is_zero(), !spring.damping.is_zero(),
                            label(spring.name, {spring.stiffness, spring.damping})});
  add_forces(made, model, number);
  add_particles(made, model);
  return made;
}

MechanismPoses::MechanismPoses(const Multibody& model, const MultibodyEquations& equations)
    : quaternions_(equations.quaternions), modal_(model.bodies.size()), particles_(model.particles.size()) {
  const EquationsOfMotion& motion = equations.motion;
  std::vector<ex> inputs, outputs;
  for (const auto& coordinate : motion.coordinates) {
    names_.push_back(coordinate.name);
    inputs.push_back(coordinate.q);
  }
  const Symbol* time = motion.symbols.find("t");
  inputs.push_back(time == nullptr ? ex(GiNaC::symbol("t")) : time->expr);
  for (const auto& frame : equations.frames) {
    outputs.insert(outputs.end(), frame.position.begin(), frame.position.end());
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) outputs.push_back(frame.axes[i][k]);
  }
  for (const auto& particle : model.particles)
    for (std::size_t i = 0; i < 3; ++i) {
      if (i >= particle.coordinates.size()) {
        outputs.emplace_back(0);
        continue;
      }
      const auto stated = std::ranges::find(model.generalized, particle.coordinates[i], &Multibody::Transformation::coordinate);
      outputs.push_back(stated == model.generalized.end() ? motion.symbols.at(particle.coordinates[i]).expr : stated->value);
    }
  for (const auto& elastic : model.elastic)
    for (const std::string& name : elastic.coordinates)
      modal_.at(elastic.body - 1).push_back(static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin()));
  std::vector<std::pair<ex, ex>> definitions;
  for (const auto& definition : needed(equations.definitions, outputs))
    definitions.emplace_back(definition.symbol, definition.value);
  tape_ = compile(outputs, inputs, motion.symbols.values(), definitions);
}

MechanismPose MechanismPoses::operator()(std::span<const double> coordinates, double time) const {
  std::vector<double> point(coordinates.begin(), coordinates.end());
  point.resize(names_.size(), 0);
  for (const auto& quaternion : quaternions_) {
    double square = 0;
    for (const std::size_t i : quaternion) square += point[i] * point[i];
    if (square == 0) point[quaternion[0]] = square = 1;
    for (const std::size_t i : quaternion) point[i] /= std::sqrt(square);
  }
  std::vector<double> inputs = point;
  inputs.push_back(time);
  const std::vector<double> values = tape_.values<double>(inputs);
  MechanismPose pose;
  std::size_t next = 0;
  const auto vector = [&] {
    Point p{};
    for (double& component : p) component = values[next++];
    return p;
  };
  for (const auto& modes : modal_) {
    MechanismPose::Frame frame{.position = vector()};
    for (Point& axis : frame.axes) axis = vector();
    for (const std::size_t i : modes) frame.modal.push_back(point[i]);
    pose.frames.push_back(std::move(frame));
  }
  for (std::size_t i = 0; i < particles_; ++i) pose.particles.push_back(vector());
  return pose;
}

MechanismPose MechanismPoses::operator()(const std::map<std::string, double>& coordinates, double time) const {
  std::vector<double> point;
  for (const std::string& name : names_) point.push_back(coordinates.contains(name) ? coordinates.at(name) : 0);
  return (*this)(point, time);
}

}  // namespace sfg
