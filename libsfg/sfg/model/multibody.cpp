#include "sfg/model/multibody.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

class Visit {
 public:
  explicit Visit(const std::function<void(ex&, const SourceSpan&)>& visit) : visit_(visit) {}

  void operator()(ex& value, const SourceSpan& where) const { visit_(value, where); }
  template <class Container>
  requires requires(Container& values) { values.begin(); }
  void operator()(Container& values, const SourceSpan& where) const {
    for (auto& value : values) (*this)(value, where);
  }
  void operator()(std::pair<const std::string, ex>& entry, const SourceSpan& where) const { visit_(entry.second, where); }
  void operator()(Multibody::Place& place, const SourceSpan& where) const {
    (*this)(place.at, where);
    (*this)(place.orientation, where);
  }
  void operator()(Multibody::Elastic::Mode& mode, const SourceSpan& where) const {
    (*this)(mode.shape, where);
    (*this)(mode.rotation, where);
  }
  void operator()(Multibody::Elastic::Point& point, const SourceSpan& where) const {
    (*this)(point.at, where);
    visit_(point.mass, where);
    (*this)(point.modes, where);
  }
  void operator()(Multibody::Elastic::Beam& beam, const SourceSpan& where) const {
    all(where, beam.length, beam.EI, beam.rhoA, beam.tip_mass, beam.damping, beam.shapes);
  }
  template <class... Values>
  void all(const SourceSpan& where, Values&... values) const {
    ((*this)(values, where), ...);
  }

 private:
  const std::function<void(ex&, const SourceSpan&)>& visit_;
};

void visit_bodies(Multibody& model, const Visit& visit) {
  for (auto& body : model.bodies) visit.all(body.where, body.mass, body.com, body.inertia);
  for (auto& elastic : model.elastic) {
    visit.all(elastic.where, elastic.points, elastic.stiffness, elastic.damping);
    if (elastic.beam) visit(*elastic.beam, elastic.where);
  }
  for (auto& wheel : model.flywheels)
    visit.all(wheel.where, wheel.on, wheel.axis, wheel.inertia, wheel.torque, wheel.friction, wheel.case_mass,
              wheel.case_inertia);
  for (auto& particle : model.particles) visit.all(particle.where, particle.mass, particle.force);
}

void visit_connections(Multibody& model, const Visit& visit) {
  for (auto& joint : model.joints) visit.all(joint.where, joint.places, joint.axis, joint.second_axis);
  for (auto& force : model.forces) visit.all(force.where, force.on, force.along, force.force, force.torque);
  for (auto& spring : model.springs) visit.all(spring.where, spring.between, spring.stiffness, spring.damping, spring.rest);
  for (auto& constraint : model.constraints) visit(constraint.value, constraint.where);
  for (auto& constraint : model.rate_constraints) visit(constraint.value, constraint.where);
  for (auto& transformation : model.generalized) visit(transformation.value, transformation.where);
  for (auto& event : model.events) visit.all(event.where, event.when, event.restitution);
}

void visit_surroundings(Multibody& model, const Visit& visit) {
  visit(model.gravity, model.where);
  visit(model.control, model.where);
  visit(model.assembly, model.where);
  for (auto& sensor : model.sensors) visit(sensor.reference, sensor.where);
  if (model.orbit) visit.all(model.orbit->where, model.orbit->mu, model.orbit->radius, model.orbit->inclination);
  if (model.gravity_field) visit.all(model.gravity_field->where, model.gravity_field->mu, model.gravity_field->centre);
  for (auto& magnet : model.magnets) {
    visit.all(magnet.where, magnet.dipole, magnet.field);
    if (magnet.source) visit(*magnet.source, magnet.where);
  }
  if (model.equilibrium) visit(model.equilibrium->values, model.equilibrium->where);
}

}  // namespace

void Multibody::visit_expressions(const std::function<void(ex&, const SourceSpan&)>& visit) {
  const Visit each(visit);
  visit_bodies(*this, each);
  visit_connections(*this, each);
  visit_surroundings(*this, each);
}

std::vector<std::string> Multibody::coordinate_names() const {
  std::vector<std::string> names;
  const auto append = [&](const std::vector<std::string>& more) { names.insert(names.end(), more.begin(), more.end()); };
  for (const Joint& joint : joints) append(joint.coordinates);
  for (const Flywheel& wheel : flywheels) names.push_back(wheel.name);
  for (const Elastic& body : elastic) append(body.coordinates);
  if (generalized.empty())
    for (const Particle& particle : particles) append(particle.coordinates);
  append(generalized_coordinates);
  return names;
}

}  // namespace sfg
