#include "sfg/derive/multibody/loads.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>

#include "sfg/derive/multibody/surroundings.hpp"

namespace sfg {

using GiNaC::ex;
using namespace spatial;
using Kind = Multibody::JointKind;

namespace {

surroundings::Naming<ex> naming(Substitutions& names) {
  return [&names](const ex& value) { return names(value); };
}

ex time_of(SymbolTable& symbols) { return moving_symbol(symbols, "t", SymbolKind::time, {}); }

/// Bodies that are welded to each other, undeformed and with locked wheels, about the origin of the one that carries the others.
struct Welded {
  std::size_t body;
  ex mass;
  Vector first;
  Matrix second;
};

std::vector<Welded> welded_groups(const Multibody& model, const JointForest& forest) {
  std::vector<Welded> groups;
  std::vector<std::size_t> group(model.bodies.size() + 1, 0);
  std::vector<std::pair<Vector, Matrix>> place(model.bodies.size() + 1, {zero(), unit()});
  for (const JointForest::Edge& edge : forest.tree) {
    const Multibody::Joint& joint = model.joints[edge.joint];
    const bool welded = joint.kind == Kind::weld && edge.parent != Multibody::frame;
    if (welded) {
      const Multibody::Place &near = joint.places[edge.reversed ? 1 : 0], &far = joint.places[edge.reversed ? 0 : 1];
      const auto& [at, axes] = place[edge.parent];
      const Matrix turned = product(product(axes, rotation(near.orientation)), transposed(rotation(far.orientation)));
      place[edge.child] = {difference(sum(at, product(axes, near.at)), product(turned, far.at)), turned};
      group[edge.child] = group[edge.parent];
    } else {
      group[edge.child] = groups.size();
      groups.push_back({edge.child, 0, zero(), {zero(), zero(), zero()}});
    }
    Substitutions none;
    const BodyIntegrals I = body_integrals(model, edge.child, none);
    GiNaC::exmap values;
    for (const auto& definition : none.definitions()) values[definition.symbol] = definition.value.subs(values);
    const auto put_in = [&](Vector v) {
      for (ex& entry : v) entry = entry.subs(values);
      return v;
    };
    const auto& [at, axes] = place[edge.child];
    const Vector h = product(axes, put_in(I.N1));
    const ex m = I.mass.subs(values);
    const Matrix J = product(product(axes, Matrix{put_in(I.N3[0]), put_in(I.N3[1]), put_in(I.N3[2])}), transposed(axes));
    Welded& whole = groups[group[edge.child]];
    whole.mass += m;
    whole.first = sum(whole.first, sum(h, scaled(m, at)));
    whole.second = sum(whole.second, sum(J, sum(sum(skew_product(h, at), skew_product(at, h)), scaled(m, skew_product(at, at)))));
  }
  return groups;
}

/// The number of the first coordinate of a body's quaternion, where the frame itself carries the body by one.
std::optional<std::size_t> quaternion_of(const Multibody& model, const JointForest& forest, const Unknowns& unknowns,
                                         std::size_t body) {
  const auto edge = std::ranges::find(forest.tree, body, &JointForest::Edge::child);
  if (model.planar || edge == forest.tree.end() || edge->parent != Multibody::frame) return {};
  const Multibody::Joint& joint = model.joints[edge->joint];
  const auto plain = [](const Multibody::Place& place) {
    return place.orientation[1].is_zero() && place.orientation[2].is_zero() && place.orientation[3].is_zero();
  };
  if ((joint.kind != Kind::free && joint.kind != Kind::spherical) || !plain(joint.places[0]) || !plain(joint.places[1]))
    return {};
  return unknowns.joint_coordinate[edge->joint] + (joint.kind == Kind::free ? 3 : 0);
}

/// The frame of a body as what acts from afar sees it, with its quaternion where it has one.
surroundings::FrameExpressions frame_of(const Unknowns& unknowns, const BodyMotion& at, std::optional<std::size_t> quaternion,
                                        Substitutions& names) {
  surroundings::FrameExpressions frame{at.position,
                                       at.velocity,
                                       names(transposed_product(at.orientation.axes, at.angular_velocity)),
                                       {1, 0, 0, 0},
                                       at.orientation.axes};
  for (std::size_t i = 0; quaternion && i < 4; ++i) frame.q[i] = unknowns.q(*quaternion + i);
  return frame;
}

}  // namespace

Loads::Loads(const Multibody& model, const JointForest& forest, const Unknowns& unknowns, TreeMotion& motion,
             Composite& composite, Substitutions& names, SymbolTable& symbols)
    : model_(model),
      forest_(forest),
      unknowns_(unknowns),
      motion_(motion),
      composite_(composite),
      names_(names),
      symbols_(symbols) {}

void Loads::apply() {
  read_sensors();
  control();
  apply_forces();
  apply_springs();
  drive_wheels();
  pull();
  turn_magnets();
}

void Loads::read_sensors() {
  using SensorKind = Multibody::Sensor::Kind;
  for (const Multibody::Sensor& sensor : model_.sensors) {
    const bool attitude = sensor.kind == SensorKind::attitude || sensor.kind == SensorKind::local_vertical;
    const auto quaternion = quaternion_of(model_, forest_, unknowns_, sensor.body);
    if (attitude && !quaternion)
      throw Error(sensor.where,
                  "the sensor '" + sensor.name + "' is on the body '" + model_.name_of(sensor.body) +
                      "', whose attitude is no quaternion of the frame",
                  "put it on a body that a free or spherical joint without orientations carries");
    const auto frame = frame_of(unknowns_, motion_.body(sensor.body), quaternion, names_);
    for (const auto& [name, value] :
         surroundings::readings(sensor, frame, model_.orbit, time_of(symbols_),
                                model_.gravity_field ? model_.gravity_field->centre : zero(), naming(names_)))
      names_.define(moving_symbol(symbols_, name, SymbolKind::signal, sensor.where), value, sensor.where);
  }
}

void Loads::control() {
  for (const std::string& input : model_.input_names)
    if (const auto law = model_.control.find(input); law != model_.control.end())
      names_.define(moving_symbol(symbols_, input, SymbolKind::signal, model_.where), law->second, model_.where);
}

void Loads::apply_forces() {
  for (const Multibody::Force& force : model_.forces) {
    if (force.joint) {
      along_.emplace_back(unknowns_.joint_speed[*force.joint], force.along);
      continue;
    }
    const Matrix& axes = motion_.body(force.axes).orientation.axes;
    composite_.load(motion_.at(force.on), names_(product(axes, force.force)), names_(product(axes, force.torque)));
  }
}

void Loads::apply_springs() {
  for (const Multibody::Spring& spring : model_.springs) {
    if (!spring.joint) {
      stretch(spring);
      continue;
    }
    const ex& s = unknowns_.q(unknowns_.joint_coordinate[*spring.joint]);
    const ex& v = unknowns_.v(unknowns_.joint_speed[*spring.joint]);
    along_.emplace_back(unknowns_.joint_speed[*spring.joint], -spring.stiffness * (s - spring.rest) - spring.damping * v);
    potential_ += spring.stiffness * GiNaC::power(s - spring.rest, 2) / 2;
  }
}

/// Without rest length and damping it has a force where its ends meet, too.
void Loads::stretch(const Multibody::Spring& spring) {
  const PlaceMotion first = motion_.at(spring.between[0]), second = motion_.at(spring.between[1]);
  const Vector apart = names_(difference(second.position, first.position));
  if (is_zero(apart))
    throw Error(spring.where, "the spring '" + spring.name + "' has both ends at one place, whatever moves", "leave it out");
  Vector force = names_(scaled(spring.stiffness, apart));
  if (spring.rest.is_zero() && spring.damping.is_zero()) {
    potential_ += names_(spring.stiffness * dot(apart, apart) / 2);
  } else {
    const ex length = names_(GiNaC::sqrt(names_(dot(apart, apart))));
    const Vector along = names_(scaled(1 / length, apart));
    const ex rate = names_(dot(along, names_(difference(second.velocity, first.velocity))));
    force = names_(scaled(names_(spring.stiffness * (length - spring.rest) + spring.damping * rate), along));
    potential_ += names_(spring.stiffness * GiNaC::power(length - spring.rest, 2) / 2);
  }
  composite_.load(first, force, zero());
  composite_.load(second, scaled(-1, force), zero());
}

void Loads::drive_wheels() {
  std::vector<std::size_t> next(model_.bodies.size() + 1);
  for (std::size_t body = 1; body < next.size(); ++body) next[body] = modal_coordinates(model_, body).size();
  for (const Multibody::Flywheel& wheel : model_.flywheels) {
    const std::size_t mode = next[wheel.on.body]++;
    composite_.load_mode(wheel.on.body, mode, wheel.torque - wheel.friction * unknowns_.v(unknowns_.modes[wheel.on.body][mode]));
  }
}

void Loads::pull() {
  if (!model_.gravity_field) return;
  if (!model_.orbit) {
    for (std::size_t body = 1; body <= model_.bodies.size(); ++body)
      potential_ += composite_.attract(body, *model_.gravity_field);
    return;
  }
  // On an orbit what is welded together falls freely, and is turned as one.
  for (const Welded& group : welded_groups(model_, forest_)) {
    if (group.mass.is_zero()) continue;
    const Vector centre = names_(scaled(1 / group.mass, group.first));
    const Matrix about_centre = names_.symmetric(sum(group.second, scaled(-group.mass, skew_product(centre, centre))));
    auto frame = frame_of(unknowns_, motion_.body(group.body), {}, names_);
    const Vector arm = names_(product(frame.axes, centre));
    frame.position = names_(sum(frame.position, arm));
    frame.velocity = names_(sum(frame.velocity, cross(motion_.body(group.body).angular_velocity, arm)));
    const surroundings::GravityPull pull = surroundings::central_pull(*model_.gravity_field, model_.orbit, names_(group.mass),
                                                                      about_centre, frame, time_of(symbols_), naming(names_));
    PlaceMotion at;
    at.body = group.body;
    at.arm = arm;
    composite_.load(at, zero(), names_(product(frame.axes, pull.moment)));
  }
}

void Loads::turn_magnets() {
  for (const Multibody::Magnet& magnet : model_.magnets) {
    const auto frame = frame_of(unknowns_, motion_.body(magnet.body), {}, names_);
    const Vector moment = surroundings::magnetic_moment(magnet, frame, motion_.body(magnet.axes).orientation.axes, model_.orbit,
                                                        time_of(symbols_), naming(names_));
    PlaceMotion at;
    at.body = magnet.body;
    composite_.load(at, zero(), names_(product(frame.axes, names_(moment))));
  }
}

void Loads::along_joints(std::vector<ex>& F) const {
  for (const auto& [speed, value] : along_) F[speed] += value;
}

}  // namespace sfg
