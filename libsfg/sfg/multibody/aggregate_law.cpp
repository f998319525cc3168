#include "sfg/multibody/aggregate_parts.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/derive/multibody/surroundings.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/multibody/rotation.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using GiNaC::ex;
using rotation::vector;
using Kind = Multibody::JointKind;
using End = Aggregate::End;
using Axes = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

Matrix3d axes_of(const MovingPlace& place) { return Eigen::Map<const Axes>(place.axes.data()); }

Aggregate::Loads::Load load(const End& on, const Vector3d& force, const Vector3d& moment) {
  return {on, {force.x(), force.y(), force.z(), moment.x(), moment.y(), moment.z()}};
}

/// The expressions of the model as one tape of the state; its outputs one after the other.
class Expressions {
 public:
  explicit Expressions(const AggregateParts& parts) : parts_(parts) {}

  std::size_t add(const ex& value) {
    outputs_.push_back(value);
    return outputs_.size() - 1;
  }
  std::size_t add(const Multibody::Vector& values) {
    for (const ex& value : values) outputs_.push_back(value);
    return outputs_.size() - 3;
  }
  ex symbol(const std::string& name) {
    const Symbol* known = parts_.model.symbols.find(name);
    return known ? known->expr : ex(GiNaC::symbol(name));
  }
  ex time() { return symbol("t"); }

  /// The frame of a body as symbols, which become inputs.
  const surroundings::FrameExpressions& frame(std::size_t body) {
    const auto [at, is_new] = frames_.try_emplace(body);
    if (is_new) {
      const std::string name = parts_.model.name_of(body) + ".";
      const auto named = [&](const char* what, auto& components) {
        for (std::size_t k = 0; k < components.size(); ++k) components[k] = GiNaC::symbol(name + what + std::to_string(k + 1));
      };
      surroundings::FrameExpressions& frame = at->second;
      named("r", frame.position), named("v", frame.velocity), named("w", frame.w), named("q", frame.q);
      frame.axes = surroundings::axes_of(frame.q);
    }
    return at->second;
  }
  void define(const std::string& name, const ex& value) { definitions_.emplace_back(symbol(name), value); }

  void compile(const std::vector<std::string>& inputs) {
    std::vector<ex> point;
    for (const auto& names : {parts_.coordinates, parts_.speeds, inputs})
      for (const std::string& name : names) point.push_back(symbol(name));
    point.push_back(time());
    for (const auto& [body, frame] : frames_)
      for (const auto& components :
           {std::vector<ex>(frame.position.begin(), frame.position.end()),
            std::vector<ex>(frame.velocity.begin(), frame.velocity.end()), std::vector<ex>(frame.w.begin(), frame.w.end()),
            std::vector<ex>(frame.q.begin(), frame.q.end())})
        point.insert(point.end(), components.begin(), components.end());
    tape_ = sfg::compile(outputs_, point, parts_.numbers.values(), definitions_);
    slots_.resize(tape_.slot_count());
    results_.resize(outputs_.size());
  }

  /// @param point  coordinates, speeds, inputs, t; the frames are added
  void run(std::vector<double>& point, std::span<const double> state) {
    for (const auto& [body, frame] : frames_) {
      const std::span<const double> own = parts_.aggregate.state_of(body - 1, state);
      const std::size_t speeds = own.size() == 0 ? 0 : 7 + parts_.aggregate.part(body - 1).size().speeds - 6;
      const Eigen::Quaterniond q = rotation::quaternion(own.subspan(3, 4)).normalized();
      point.insert(point.end(), own.begin(), own.begin() + 3);
      point.insert(point.end(), own.begin() + std::ptrdiff_t(speeds), own.begin() + std::ptrdiff_t(speeds + 6));
      point.insert(point.end(), {q.w(), q.x(), q.y(), q.z()});
    }
    tape_.run<double>(point, results_, slots_);
  }
  double scalar(std::size_t at) const { return results_[at]; }
  Vector3d vector(std::size_t at) const { return {results_[at], results_[at + 1], results_[at + 2]}; }

 private:
  const AggregateParts& parts_;
  std::vector<ex> outputs_;
  std::vector<std::pair<ex, ex>> definitions_;
  std::map<std::size_t, surroundings::FrameExpressions> frames_;
  numeric::Tape tape_;
  std::vector<double> slots_, results_;
};

class Law {
 public:
  Law(std::shared_ptr<const AggregateParts> parts, AggregateModel::Inputs inputs, std::vector<double> before)
      : parts_(std::move(parts)), model_(parts_->model), expressions_(*parts_), before_(std::move(before)) {
    for (const std::string& name : model_.input_names)
      if (!model_.control.contains(name)) {
        input_names_.push_back(name);
        const auto given = inputs.find(name);
        inputs_.push_back(given == inputs.end() ? nullptr : given->second);
      }
    observe();
    state_loads();
    expressions_.compile(input_names_);
  }

  void operator()(double t, std::span<const double> state, AggregateLoads& loads) {
    std::vector<double> point = parts_->values(state, before_);
    before_.assign(point.begin(), point.begin() + std::ptrdiff_t(parts_->coordinates.size()));
    for (const auto& input : inputs_) point.push_back(input ? input(t) : 0);
    point.push_back(t);
    expressions_.run(point, state);
    const Vector3d gravity = expressions_.vector(gravity_);
    loads.gravity = {gravity.x(), gravity.y(), gravity.z()};
    const std::array<double, 4> mass = parts_->aggregate.mass(state);
    loads.potential = -gravity.dot(Vector3d(mass[1], mass[2], mass[3]));
    push(state, loads);
    stretch(state, loads);
    for (std::size_t k = 0; k < parts_->wheels.size(); ++k)
      loads.inputs[parts_->aggregate.input_offset(parts_->wheels[k].part) + parts_->wheels[k].number] +=
          expressions_.scalar(torques_[k]);
    turn(state, loads);
    if (field_) pull(state, loads);
  }

 private:
  /// Readings of sensors and laws of control become names.
  void observe() {
    const Multibody::Vector centre = model_.gravity_field ? model_.gravity_field->centre : Multibody::Vector{0, 0, 0};
    for (const auto& sensor : model_.sensors)
      for (const auto& [name, value] :
           surroundings::readings(sensor, expressions_.frame(sensor.body), model_.orbit, expressions_.time(), centre))
        expressions_.define(name, value);
    for (const std::string& name : model_.input_names)
      if (const auto law = model_.control.find(name); law != model_.control.end()) expressions_.define(name, law->second);
  }

  void state_loads() {
    gravity_ = expressions_.add(model_.gravity);
    for (const auto& force : model_.forces)
      forces_.push_back(force.joint ? std::array{expressions_.add(force.along), std::size_t{0}}
                                    : std::array{expressions_.add(force.force), expressions_.add(force.torque)});
    for (const auto& spring : model_.springs)
      springs_.push_back(
          spring.joint
              ? std::array{expressions_.add(along(spring)), expressions_.add(energy(spring)), std::size_t{0}}
              : std::array{expressions_.add(spring.stiffness), expressions_.add(spring.damping), expressions_.add(spring.rest)});
    for (const auto& wheel : model_.flywheels) torques_.push_back(expressions_.add(wheel.torque));
    for (const auto& magnet : model_.magnets) state_magnet(magnet);
    if (!model_.gravity_field) return;
    field_ = expressions_.add(model_.gravity_field->mu);
    centre_ = expressions_.add(model_.gravity_field->centre);
    if (!model_.orbit) return;
    for (const auto& welded : parts_->welded) {
      surroundings::Matrix3<ex> J;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) J[i][k] = welded.inertia[i][k];
      // A wheel's case that stands alone would be a body of the model; what carries others always is one.
      pulls_.push_back(
          {welded.part, expressions_.add(surroundings::central_pull(*model_.gravity_field, model_.orbit, 1, J,
                                                                    expressions_.frame(welded.part + 1), expressions_.time())
                                             .moment)});
    }
  }

  void state_magnet(const Multibody::Magnet& magnet) {
    const surroundings::Matrix3<ex> fixed{Multibody::Vector{1, 0, 0}, Multibody::Vector{0, 1, 0}, Multibody::Vector{0, 0, 1}};
    magnets_.push_back(expressions_.add(surroundings::magnetic_moment(
        magnet, expressions_.frame(magnet.body), magnet.axes == Multibody::frame ? fixed : expressions_.frame(magnet.axes).axes,
        model_.orbit, expressions_.time())));
  }

  ex stretch_of(const Multibody::Spring& spring) {
    return expressions_.symbol(parts_->coordinates[parts_->joints[*spring.joint].coordinate]) - spring.rest;
  }
  ex along(const Multibody::Spring& spring) {
    return -spring.stiffness * stretch_of(spring) -
           spring.damping * expressions_.symbol(parts_->speeds[parts_->joints[*spring.joint].speed]);
  }
  ex energy(const Multibody::Spring& spring) { return spring.stiffness * GiNaC::pow(stretch_of(spring), 2) / 2; }

  Matrix3d axes(std::size_t body, std::span<const double> state) const {
    return body == Multibody::frame ? Matrix3d(Matrix3d::Identity()) : axes_of(parts_->aggregate.motion_of({body - 1, 0}, state));
  }

  void push(std::span<const double> state, AggregateLoads& loads) const {
    for (std::size_t k = 0; k < forces_.size(); ++k) {
      const Multibody::Force& force = model_.forces[k];
      if (force.joint) {
        push_along(*force.joint, expressions_.scalar(forces_[k][0]), state, loads);
      } else if (force.on.body != Multibody::frame) {
        const Matrix3d S = axes(force.axes, state);
        loads.wrenches.push_back(
            load(parts_->force_places[k], S * expressions_.vector(forces_[k][0]), S * expressions_.vector(forces_[k][1])));
      }
    }
  }

  /// On the second body of a joint, at its place there; the opposite on its first.
  void push_along(std::size_t joint, double value, std::span<const double> state, AggregateLoads& loads) const {
    const AggregateParts::JointEnds& ends = parts_->joints[joint];
    const MovingPlace first = parts_->aggregate.motion_of(ends.first, state);
    const bool slides = ends.kind == Kind::prismatic || ends.kind == Kind::planar;
    const Vector3d along = value * axes_of(first).col(ends.kind == Kind::planar ? 0 : 2);
    const Vector3d force = slides ? along : Vector3d::Zero();
    const Vector3d apart = vector(parts_->aggregate.motion_of(ends.second, state).position) - vector(first.position);
    const Vector3d moment = slides ? Vector3d(apart.cross(force)) : along;
    loads.inside.push_back({ends.connection, {force.x(), force.y(), force.z(), moment.x(), moment.y(), moment.z()}});
  }

  void stretch(std::span<const double> state, AggregateLoads& loads) const {
    for (std::size_t k = 0; k < springs_.size(); ++k) {
      if (model_.springs[k].joint) {
        push_along(*model_.springs[k].joint, expressions_.scalar(springs_[k][0]), state, loads);
        loads.potential += expressions_.scalar(springs_[k][1]);
        continue;
      }
      const auto& [first, second] = parts_->spring_places[k];
      const MovingPlace one = parts_->aggregate.motion_of(first, state), other = parts_->aggregate.motion_of(second, state);
      const Vector3d apart = vector(other.position) - vector(one.position);
      const Vector3d rate = vector(std::span(other.twist)) - vector(std::span(one.twist));
      const double stiffness = expressions_.scalar(springs_[k][0]), damping = expressions_.scalar(springs_[k][1]),
                   rest = expressions_.scalar(springs_[k][2]), length = apart.norm();
      loads.potential += stiffness * (length - rest) * (length - rest) / 2;
      const Vector3d force = rest == 0 && damping == 0
                                 ? Vector3d(stiffness * apart)
                                 : Vector3d((stiffness * (length - rest) + damping * rate.dot(apart) / length) / length * apart);
      loads.wrenches.push_back(load(first, force, Vector3d::Zero()));
      loads.wrenches.push_back(load(second, -force, Vector3d::Zero()));
    }
  }

  void turn(std::span<const double> state, AggregateLoads& loads) const {
    const auto moment = [&](std::size_t part, std::size_t at) {
      loads.wrenches.push_back(load({part, 0}, Vector3d::Zero(), axes(part + 1, state) * expressions_.vector(at)));
    };
    for (std::size_t k = 0; k < magnets_.size(); ++k) moment(model_.magnets[k].body - 1, magnets_[k]);
    for (const auto& [part, at] : pulls_) moment(part, at);
  }

  /// Without an orbit every part falls by itself: the field at its centre of mass acts on all of its points, its gradient turns
  /// it.
  void pull(std::span<const double> state, AggregateLoads& loads) const {
    if (model_.orbit) return;
    const double mu = expressions_.scalar(*field_);
    const Vector3d centre = expressions_.vector(centre_);
    const Aggregate& aggregate = parts_->aggregate;
    loads.gravity_of.assign(aggregate.part_count(), {});
    for (std::size_t part = 0; part < aggregate.part_count(); ++part) {
      if (aggregate.part(part).size().speeds == 0) continue;
      const PartMass mass = part_mass(aggregate.part(part), aggregate.state_of(part, state));
      if (!(mass.mass > 0)) continue;
      const Vector3d r = mass.centre - centre;
      const double distance = r.norm();
      Vector3d::Map(loads.gravity_of[part].data()) = -mu / (distance * distance * distance) * r;
      const Vector3d up = r / distance;
      loads.wrenches.push_back(
          load({part, 0}, Vector3d::Zero(), 3 * mu / (distance * distance * distance) * up.cross(mass.inertia * up)));
    }
  }

  std::shared_ptr<const AggregateParts> parts_;
  const Multibody& model_;
  Expressions expressions_;
  std::vector<std::string> input_names_;
  std::vector<std::function<double(double)>> inputs_;
  std::vector<double> before_;
  std::size_t gravity_ = 0, centre_ = 0;
  std::optional<std::size_t> field_;
  std::vector<std::array<std::size_t, 2>> forces_;
  std::vector<std::array<std::size_t, 3>> springs_;
  std::vector<std::size_t> torques_, magnets_;
  std::vector<std::pair<std::size_t, std::size_t>> pulls_;  // part, output
};

}  // namespace

AggregateLaw law_of(std::shared_ptr<const AggregateParts> parts, AggregateModel::Inputs inputs, std::vector<double> before) {
  const auto law = std::make_shared<Law>(std::move(parts), std::move(inputs), std::move(before));
  return [law](double t, std::span<const double> state, AggregateLoads& loads) { (*law)(t, state, loads); };
}

}  // namespace sfg
