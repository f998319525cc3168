#include "sfg/multibody/aggregate_parts.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "sfg/derive/multibody/body_integrals.hpp"
#include "sfg/derive/multibody/joint_forest.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/spatial.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/multibody/bodies.hpp"
#include "sfg/multibody/elastic_points.hpp"
#include "sfg/multibody/rotation.hpp"

namespace sfg {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using GiNaC::ex;
using Kind = Multibody::JointKind;
using rotation::vector;
using Axes = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

bool in_a_case(const Multibody::Flywheel& wheel) { return !wheel.case_mass.is_zero(); }

/// What an aggregate is not: every place of it, so that the model is mended in one go.
void check(const Multibody& model) {
  std::vector<Diagnostic> problems;
  const auto refuse = [&](const SourceSpan& where, const std::string& what, const char* hint) {
    problems.push_back({where, what, {hint}});
  };
  for (const auto& joint : model.joints) {
    if (joint.cut)
      refuse(joint.where, "the joint '" + joint.name + "' closes a loop, and an aggregate is a forest",
             "take the equations of motion, which have constraints and events");
    if (joint.kind == Kind::universal)
      refuse(joint.where, "the joint '" + joint.name + "' is universal, and connections of an aggregate have constant axes",
             "state two revolute joints with a small body between, or take the equations of motion");
  }
  const auto along = [&](const std::optional<std::size_t>& joint, const SourceSpan& where) {
    if (joint && (model.joints[*joint].kind == Kind::spherical || model.joints[*joint].kind == Kind::free))
      refuse(where,
             "what acts along a coordinate acts along the joint '" + model.joints[*joint].name + "', which has no single one",
             "state a force or a torque on its body");
  };
  for (const auto& force : model.forces) along(force.joint, force.where);
  for (const auto& spring : model.springs) along(spring.joint, spring.where);
  for (const auto& particle : model.particles)
    refuse(particle.where, "the particle '" + particle.name + "' is no part of an aggregate",
           "state it as a body, or take the equations of motion");
  for (const auto* constraints : {&model.constraints, &model.rate_constraints})
    for (const auto& constraint : *constraints)
      refuse(constraint.where, "the constraint '" + constraint.name + "' is no connection of an aggregate",
             "take the equations of motion, which have constraints and events");
  for (const auto& event : model.events)
    refuse(event.where, "the event '" + event.name + "' changes the motion, and an aggregate has none",
           "take the equations of motion, which have constraints and events");
  for (const auto& wheel : model.flywheels)
    if (wheel.on.body == Multibody::frame && !in_a_case(wheel))
      refuse(wheel.where, "the flywheel '" + wheel.name + "' is on the frame and has no case",
             "state its case, or a body that carries it");
  for (const auto& wheel : model.flywheels)
    for (const auto& elastic : model.elastic)
      if (elastic.body == wheel.on.body)
        refuse(wheel.where, "the flywheel '" + wheel.name + "' is on an elastic body",
               "state its case as a body of its own, welded to the point of the elastic one");
  if (!problems.empty()) throw Error(std::move(problems));
}

}  // namespace

ModelNumbers::ModelNumbers(const SymbolTable& symbols) : symbols_(symbols) {
  for (const auto& [symbol, value] : symbols.values())
    if (const ex number = value.evalf(); GiNaC::is_a<GiNaC::numeric>(number)) values_[symbol] = number;
}

double ModelNumbers::operator()(const ex& value, const SourceSpan& where) const {
  const ex number = value.subs(values_).evalf();
  if (GiNaC::is_a<GiNaC::numeric>(number)) return GiNaC::ex_to<GiNaC::numeric>(number).to_double();
  std::set<std::string> names;
  for (const std::string& name : symbol_names(number)) names.insert(name);
  if (names.empty()) throw Error(where, "an expression has no number");
  throw missing_values(names, symbols_);
}

std::array<double, 3> ModelNumbers::operator()(const Multibody::Vector& v, const SourceSpan& where) const {
  return {(*this)(v[0], where), (*this)(v[1], where), (*this)(v[2], where)};
}

std::array<double, 4> ModelNumbers::operator()(const Multibody::Quaternion& q, const SourceSpan& where) const {
  return {(*this)(q[0], where), (*this)(q[1], where), (*this)(q[2], where), (*this)(q[3], where)};
}

std::array<double, 9> ModelNumbers::operator()(const Multibody::Matrix3& m, const SourceSpan& where) const {
  std::array<double, 9> result;
  for (std::size_t k = 0; k < 9; ++k) result[k] = (*this)(m[k / 3][k % 3], where);
  return result;
}

/// Places are gathered first, then the parts that have them are made.
class AggregateParts::Building {
 public:
  explicit Building(AggregateParts& parts) : out_(parts), model_(parts.model), number_(parts.numbers) {}

  void build() {
    places_.assign(model_.bodies.size(), {FramedPart::Place{}});
    for (std::size_t body = 1; body <= model_.bodies.size(); ++body) places_[body - 1][0] = place({body});
    for (const auto& joint : model_.joints) ends(joint);
    for (const auto& force : model_.forces) out_.force_places.push_back(force.joint ? End{} : end(force.on));
    for (const auto& spring : model_.springs)
      out_.spring_places.push_back(spring.joint ? std::array<End, 2>{}
                                                : std::array{end(spring.between[0]), end(spring.between[1])});
    std::vector<End> mounts;
    for (const auto& wheel : model_.flywheels)
      mounts.push_back(in_a_case(wheel) ? end({wheel.on.body, wheel.on.at, {1, 0, 0, 0}, wheel.where}) : End{});
    for (std::size_t body = 1; body <= model_.bodies.size(); ++body) out_.aggregate.add(model_.name_of(body), part(body));
    for (const auto& wheel : model_.flywheels)
      if (in_a_case(wheel)) out_.aggregate.add(wheel.name, cased(wheel));
    if (!ground_.empty()) out_.aggregate.add(model_.name_of(Multibody::frame), std::make_shared<Ground>(ground_));
    connect(mounts);
    list();
  }

 private:
  /// The part of the frame is the last.
  std::size_t part_of(std::size_t body) const {
    if (body != Multibody::frame) return body - 1;
    return model_.bodies.size() + std::size_t(std::ranges::count_if(model_.flywheels, in_a_case));
  }

  FramedPart::Place place(const Multibody::Place& at) const {
    FramedPart::Place result{number_(at.at, at.where), number_(at.orientation, at.where)};
    const ShapeAt shape = shape_at(model_, at.body, at);
    for (const auto& column : shape.translation) result.shape.push_back(number_(column, at.where));
    for (const auto& column : shape.rotation) result.rotation.push_back(number_(column, at.where));
    return result;
  }

  End end(const Multibody::Place& at) { return end(at.body, place(at)); }
  End end(std::size_t body, FramedPart::Place place) {
    auto& list = body == Multibody::frame ? ground_ : places_[body - 1];
    list.push_back(std::move(place));
    return {part_of(body), list.size() - 1};
  }

  void ends(const Multibody::Joint& joint) {
    const bool planar = joint.kind == Kind::free && model_.planar;
    JointEnds ends{planar ? Kind::planar : joint.kind, {}, {}};
    Matrix3d turn = Matrix3d::Identity();
    if (ends.kind != Kind::free && ends.kind != Kind::spherical && ends.kind != Kind::weld) {
      const Vector3d axis = vector(number_(joint.axis, joint.where)).normalized();
      const auto across = spatial::normal_to(joint.axis);
      turn.col(0) = vector(number_(across[0], joint.where)).normalized();
      turn.col(1) = axis.cross(turn.col(0));
      turn.col(2) = axis;
    }
    std::array<End*, 2> sides{&ends.first, &ends.second};
    for (std::size_t k = 0; k < 2; ++k) {
      FramedPart::Place at = place(joint.places[k]);
      rotation::store((rotation::quaternion(at.orientation).normalized() * Eigen::Quaterniond(turn)).normalized(),
                      at.orientation);
      *sides[k] = end(joint.places[k].body, std::move(at));
    }
    out_.joints.push_back(ends);
  }

  RigidMass mass(const Multibody::Body& body) const {
    RigidMass result{number_(body.mass, body.where), number_(body.com, body.where), number_(body.inertia, body.where)};
    // In the plane nothing turns about x and y; any inertia about them serves.
    if (model_.planar)
      for (const std::size_t k : {0, 4}) result.inertia[k] += 1;
    return result;
  }

  std::shared_ptr<const Part> part(std::size_t body) const {
    const Multibody::Body& stated = model_.bodies[body - 1];
    for (const auto& elastic : model_.elastic)
      if (elastic.body == body) {
        const ElasticPoints points = elastic_points(elastic, number_);
        return std::make_shared<ElasticPart>(points.points, points.stiffness, points.damping, places_[body - 1], mass(stated));
      }
    std::vector<RigidPart::Wheel> wheels;
    for (const auto& wheel : model_.flywheels)
      if (wheel.on.body == body && !in_a_case(wheel)) wheels.push_back(in_body_axes(wheel));
    RigidMass whole = mass(stated);
    for (const auto& wheel : model_.flywheels)
      if (wheel.on.body == body && !in_a_case(wheel)) {
        const auto locked = number_(wheel.case_inertia, wheel.where);
        for (std::size_t k = 0; k < 9; ++k) whole.inertia[k] += locked[k];
      }
    return std::make_shared<RigidPart>(whole, places_[body - 1], wheels);
  }

  RigidPart::Wheel in_body_axes(const Multibody::Flywheel& wheel) const {
    RigidPart::Wheel result{{}, number_(wheel.inertia, wheel.where), number_(wheel.friction, wheel.where)};
    Vector3d::Map(result.axis.data()) = rotation::quaternion(number_(wheel.on.orientation, wheel.where)).normalized() *
                                        vector(number_(wheel.axis, wheel.where)).normalized();
    return result;
  }

  std::shared_ptr<const Part> cased(const Multibody::Flywheel& wheel) const {
    const RigidMass mass{number_(wheel.case_mass, wheel.where), {}, number_(wheel.case_inertia, wheel.where)};
    return std::make_shared<RigidPart>(flywheel(mass, in_body_axes(wheel), {{}}));
  }

  void connect(const std::vector<End>& mounts) {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      JointEnds& ends = out_.joints[j];
      const Multibody::Joint& joint = model_.joints[j];
      if (ends.kind != Kind::free)
        ends.connection = out_.aggregate.connect(joint.name, ends.first, ends.second, freedom_of(ends.kind), joint.where);
    }
    std::size_t cased = model_.bodies.size();
    std::vector<std::size_t> inside(model_.bodies.size() + 1, 0);
    for (std::size_t k = 0; k < model_.flywheels.size(); ++k) {
      const Multibody::Flywheel& wheel = model_.flywheels[k];
      if (in_a_case(wheel)) {
        out_.aggregate.connect(wheel.name, mounts[k], {cased, 0}, {}, wheel.where);
        out_.wheels.push_back({cased++, 0});
      } else {
        out_.wheels.push_back({part_of(wheel.on.body), inside[wheel.on.body]++});
      }
    }
  }

  void list() {
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
      JointEnds& ends = out_.joints[j];
      const Multibody::Joint& joint = model_.joints[j];
      ends.coordinate = out_.coordinates.size();
      ends.speed = out_.speeds.size();
      out_.coordinates.insert(out_.coordinates.end(), joint.coordinates.begin(), joint.coordinates.end());
      if (ends.kind == Kind::free || ends.kind == Kind::spherical)
        out_.speeds.insert(out_.speeds.end(), joint.speeds.begin(), joint.speeds.end());
      else
        for (const std::string& name : joint.coordinates) out_.speeds.push_back(rate_name(name));
    }
    for (const auto& wheel : model_.flywheels) {
      out_.coordinates.push_back(wheel.name);
      out_.speeds.push_back(wheel.speed.empty() ? rate_name(wheel.name) : wheel.speed);
    }
    for (std::size_t body = 1; body <= model_.bodies.size(); ++body) {
      std::size_t number = 0;
      for (const std::string& name : modal_coordinates(model_, body)) {
        out_.modes.push_back({body - 1, number++});
        out_.coordinates.push_back(name);
        out_.speeds.push_back(rate_name(name));
      }
    }
  }

  AggregateParts& out_;
  const Multibody& model_;
  const ModelNumbers& number_;
  std::vector<std::vector<FramedPart::Place>> places_;
  std::vector<FramedPart::Place> ground_;
};

PartMass part_mass(const Part& part, std::span<const double> state) {
  const std::size_t n = part.size().speeds;
  std::vector<double> M(n * n), force(n), inputs(part.size().inputs, 0.0);
  part.equations(0, state, inputs, {}, M, force);
  const auto [mass, x, y, z] = part.mass(state);
  PartMass result{mass, Vector3d(x, y, z), Matrix3d::Zero()};
  if (mass > 0) result.centre /= mass;
  const Matrix3d S = rotation::axes(state.subspan(3, 4));
  const Matrix3d arm = rotation::skew(result.centre - vector(state));
  const Eigen::Map<const rotation::RowMatrix> whole(M.data(), Eigen::Index(n), Eigen::Index(n));
  result.inertia = S * whole.block<3, 3>(3, 3) * S.transpose() - mass * arm.transpose() * arm;
  return result;
}

namespace {

/// By part: which one carries it through welds; itself where none does.
std::vector<std::size_t> carriers(const Aggregate& aggregate) {
  std::vector<std::size_t> result(aggregate.part_count());
  for (const auto& visit : aggregate.outwards()) {
    const bool welded = visit.connection != Aggregate::Visit::none &&
                        aggregate.connections()[visit.connection].free == Aggregate::Freedom{} &&
                        aggregate.part(visit.parent).size().speeds > 0;
    result[visit.part] = welded ? result[visit.parent] : visit.part;
  }
  return result;
}

std::vector<AggregateParts::Welded> welded_parts(const Aggregate& aggregate, std::span<const double> state) {
  const std::vector<std::size_t> carrier = carriers(aggregate);
  std::vector<AggregateParts::Welded> result;
  for (std::size_t base = 0; base < carrier.size(); ++base) {
    if (carrier[base] != base || aggregate.part(base).size().speeds == 0) continue;
    std::vector<PartMass> members;
    PartMass whole;
    for (std::size_t part = 0; part < carrier.size(); ++part) {
      if (carrier[part] != base) continue;
      members.push_back(part_mass(aggregate.part(part), aggregate.state_of(part, state)));
      whole.mass += members.back().mass;
      whole.centre += members.back().mass * members.back().centre;
    }
    if (!(whole.mass > 0)) continue;
    whole.centre /= whole.mass;
    for (const PartMass& member : members) {
      const Matrix3d arm = rotation::skew(member.centre - whole.centre);
      whole.inertia += member.inertia + member.mass * arm.transpose() * arm;
    }
    const Matrix3d S = rotation::axes(aggregate.state_of(base, state).subspan(3, 4)), J = S.transpose() * whole.inertia * S;
    result.push_back({base, {}});
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index k = 0; k < 3; ++k) result.back().inertia[std::size_t(i)][std::size_t(k)] = J(i, k);
  }
  return result;
}

/// Angles go on where they were, and a quaternion keeps its sign.
void go_on(Kind kind, std::span<double> coordinates, std::span<const double> before) {
  if (kind == Kind::free || kind == Kind::spherical) {
    const std::span<double> q = coordinates.last(4);
    double along = 0;
    for (std::size_t k = 0; k < 4; ++k) along += q[k] * before[before.size() - 4 + k];
    if (along < 0)
      for (double& component : q) component = -component;
  } else if (freedom_of(kind)[5]) {
    constexpr double turn = 2 * std::numbers::pi;
    const std::size_t angle = kind == Kind::cylindrical ? 0 : coordinates.size() - 1;
    coordinates[angle] += turn * std::round((before[angle] - coordinates[angle]) / turn);
  }
}

}  // namespace

AggregateParts::AggregateParts(const Multibody& stated) : model((check(stated), stated)), numbers(model.symbols) {
  Building(*this).build();
  if (model.orbit && model.gravity_field) welded = welded_parts(aggregate, state({}));
}

std::vector<double> AggregateParts::state(const std::map<std::string, double>& given) const {
  std::map<std::string, double> values = given;
  const auto take = [&](const std::string& name, double otherwise = 0) {
    const auto found = values.find(name);
    if (found == values.end()) return otherwise;
    const double value = found->second;
    values.erase(found);
    return value;
  };
  const auto speed = [&](const std::string& name, const std::string& coordinate) {
    return take(name, name == rate_name(coordinate) ? 0 : take(rate_name(coordinate)));
  };
  std::vector<double> result(aggregate.size().states, 0.0);
  const auto inside = [&](const Inside& at, const std::string& name, const std::string& rate) {
    const std::span<double> own = aggregate.state_of(at.part, std::span(result));
    const std::size_t count = aggregate.part(at.part).size().speeds - 6;
    own[7 + at.number] = take(name);
    own[13 + count + at.number] = speed(rate, name);
  };
  const std::size_t first_inside = coordinates.size() - wheels.size() - modes.size();
  const std::size_t first_rate = speeds.size() - wheels.size() - modes.size();
  for (std::size_t k = 0; k < wheels.size() + modes.size(); ++k)
    inside(k < wheels.size() ? wheels[k] : modes[k - wheels.size()], coordinates[first_inside + k], speeds[first_rate + k]);
  std::vector<JointMotion> motions;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    JointMotion motion = at_rest(joints[j].kind);
    const bool with_quaternion = joints[j].kind == Kind::free || joints[j].kind == Kind::spherical;
    for (std::size_t k = 0; k < motion.coordinates.size(); ++k)
      motion.coordinates[k] = take(coordinates[joints[j].coordinate + k], motion.coordinates[k]);
    for (std::size_t k = 0; k < motion.speeds.size(); ++k) {
      const bool of_quaternion = with_quaternion && k + 3 >= motion.speeds.size();
      const std::string& name = speeds[joints[j].speed + k];
      motion.speeds[k] = of_quaternion ? take(name) : speed(name, coordinates[joints[j].coordinate + k]);
    }
    motions.push_back(std::move(motion));
  }
  if (!values.empty()) {
    std::vector<std::string> names = coordinates;
    names.insert(names.end(), speeds.begin(), speeds.end());
    const std::string& name = values.begin()->first;
    const std::string near = nearest(name, names);
    throw Error({}, "there is no coordinate, speed or input '" + name + "'",
                near.empty() ? Remedy() : Remedy("did you mean '" + near + "'?"));
  }
  for (const JointForest::Edge& edge : joint_forest(model).tree) {
    const JointEnds& ends = joints[edge.joint];
    const MovingPlace near = aggregate.motion_of(edge.reversed ? ends.second : ends.first, result);
    const End& far = edge.reversed ? ends.first : ends.second;
    aggregate.part(far.part).put(
        far.place,
        edge.reversed ? first_place(ends.kind, near, motions[edge.joint]) : second_place(ends.kind, near, motions[edge.joint]),
        aggregate.state_of(far.part, std::span(result)));
  }
  for (const auto& connection : aggregate.connections())  // the cases of flywheels
    if (connection.second.part >= model.bodies.size() && aggregate.part(connection.second.part).size().speeds > 0)
      aggregate.part(connection.second.part)
          .put(connection.second.place, aggregate.motion_of(connection.first, result),
               aggregate.state_of(connection.second.part, std::span(result)));
  return result;
}

std::vector<double> AggregateParts::values(std::span<const double> state, std::span<const double> before) const {
  std::vector<double> result, rates;
  for (const JointEnds& ends : joints) {
    JointMotion motion = joint_motion(ends.kind, aggregate.motion_of(ends.first, state), aggregate.motion_of(ends.second, state));
    if (!before.empty()) go_on(ends.kind, motion.coordinates, before.subspan(ends.coordinate, motion.coordinates.size()));
    result.insert(result.end(), motion.coordinates.begin(), motion.coordinates.end());
    rates.insert(rates.end(), motion.speeds.begin(), motion.speeds.end());
  }
  for (std::size_t k = 0; k < wheels.size() + modes.size(); ++k) {
    const Inside& at = k < wheels.size() ? wheels[k] : modes[k - wheels.size()];
    const std::span<const double> own = aggregate.state_of(at.part, state);
    result.push_back(own[7 + at.number]);
    rates.push_back(own[7 + aggregate.part(at.part).size().speeds + at.number]);
  }
  result.insert(result.end(), rates.begin(), rates.end());
  return result;
}

}  // namespace sfg
