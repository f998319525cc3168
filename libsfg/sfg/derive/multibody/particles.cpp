#include "sfg/derive/multibody/particles.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/derivative.hpp"
#include "sfg/model/lagrangian.hpp"

namespace sfg {

using GiNaC::ex;
using namespace spatial;

Particles::Particles(const Multibody& model, const Unknowns& unknowns, Substitutions& names, SymbolTable& symbols)
    : model_(model), unknowns_(unknowns), names_(names), symbols_(symbols) {
  for (std::size_t i = 0; i < model.particles.size(); ++i) add(model.particles[i], i);
}

void Particles::add(const Multibody::Particle& particle, std::size_t number) {
  particles_.emplace_back();
  for (std::size_t k = 0; k < particle.coordinates.size(); ++k) {
    Component component;
    const Multibody::Transformation* stated = nullptr;
    for (const auto& transformation : model_.generalized)
      if (transformation.coordinate == particle.coordinates[k]) stated = &transformation;
    if (stated) {
      component = generalized(*stated);
    } else {
      const std::size_t speed = unknowns_.particle[number] + k;
      for (const auto& coordinate : unknowns_.coordinates)
        if (coordinate.name == particle.coordinates[k]) component.x = coordinate.q;
      component.rate = unknowns_.v(speed);
      component.by.emplace_back(speed, 1);
    }
    component.mass = particle.mass;
    component.force = names_(particle.force[k] + particle.mass * model_.gravity[k]);
    particles_.back().push_back(std::move(component));
  }
}

/// x(q, t): v = B q̇ + ∂x/∂t, c = dv/dt at constant q̇. The coordinate and its rate are names for them in forces.
Particles::Component Particles::generalized(const Multibody::Transformation& transformation) {
  Component result;
  const std::size_t first = unknowns_.generalized, n = model_.generalized_coordinates.size();
  const ex t = moving_symbol(symbols_, "t", SymbolKind::time, {});
  const auto coordinate = [&](std::size_t k) -> const ex& {
    return unknowns_.coordinates[unknowns_.coordinates.size() - n + k].q;
  };
  ex rate = derivative(transformation.value, t);
  for (std::size_t k = 0; k < n; ++k) {
    const ex by = derivative(transformation.value, coordinate(k));
    if (by.is_zero()) continue;
    result.by.emplace_back(first + k, names_(by));
    rate += by * unknowns_.v(first + k);
  }
  ex bias = derivative(rate, t);
  for (std::size_t k = 0; k < n; ++k) bias += derivative(rate, coordinate(k)) * unknowns_.v(first + k);
  result.x = names_(transformation.value);
  result.rate = names_(rate);
  result.bias = names_(bias);
  const ex x = moving_symbol(symbols_, transformation.coordinate, SymbolKind::coordinate, transformation.where);
  const ex v = moving_symbol(symbols_, rate_name(transformation.coordinate), SymbolKind::signal, transformation.where);
  put_in_[x] = transformation.value;
  put_in_[v] = rate;
  names_.define(x, result.x, transformation.where);
  names_.define(v, result.rate, transformation.where);
  return result;
}

ex Particles::in_coordinates(const ex& value) const {
  return put_in_.empty() ? value : value.subs(put_in_, GiNaC::subs_options::no_pattern);
}

void Particles::equations(EquationsOfMotion::Matrix& M, std::vector<ex>& F) {
  for (const auto& particle : particles_)
    for (const Component& component : particle) {
      const ex inertia = names_(component.force - component.mass * component.bias);
      for (const auto& [i, Bi] : component.by) {
        F[i] = names_(F[i] + Bi * inertia);
        const ex scaled_row = names_(component.mass * Bi);
        for (const auto& [j, Bj] : component.by)
          if (j >= i) M[i][j] = M[j][i] = names_(M[i][j] + scaled_row * Bj);
      }
    }
}

Vector Particles::vector_of(std::size_t particle, ex Component::*member) const {
  Vector result = zero();
  for (std::size_t k = 0; k < particles_[particle].size(); ++k) result[k] = particles_[particle][k].*member;
  return result;
}

void Particles::account(MultibodyEquations& result) {
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    const ex& mass = model_.particles[i].mass;
    const Vector x = vector_of(i, &Component::x), v = vector_of(i, &Component::rate);
    result.kinetic = names_(result.kinetic + mass * dot(v, v) / 2);
    result.potential = names_(result.potential - mass * dot(model_.gravity, x));
    result.momentum = names_(sum(result.momentum, scaled(mass, v)));
    result.angular_momentum = names_(sum(result.angular_momentum, scaled(mass, cross(x, v))));
    result.frames.push_back({model_.particles[i].name, x, v, zero(), unit()});
  }
}

void Particles::reactions(MultibodyEquations& result) {
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    MultibodyEquations::Reaction reaction{model_.particles[i].name, {0, 0, 0, 0, 0, 0}, vector_of(i, &Component::x)};
    for (std::size_t k = 0; k < particles_[i].size(); ++k) {
      const Component& component = particles_[i][k];
      ex acceleration = component.bias;
      for (const auto& [speed, B] : component.by) acceleration += B * result.accelerations[speed];
      reaction.wrench[k] = names_(component.mass * acceleration - component.force);
    }
    result.reactions.push_back(std::move(reaction));
  }
}

}  // namespace sfg
