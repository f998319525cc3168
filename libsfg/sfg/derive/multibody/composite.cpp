#include "sfg/derive/multibody/composite.hpp"

#include <ginac/ginac.h>

#include "sfg/derive/multibody/surroundings.hpp"

namespace sfg {

using GiNaC::ex;
using namespace spatial;
using Sink = std::function<void(std::size_t, const ex&)>;

Composite::Composite(const Multibody& model, const JointForest& forest, const Unknowns& unknowns, TreeMotion& motion,
                     Substitutions& names)
    : model_(model), forest_(forest), unknowns_(unknowns), motion_(motion), names_(names) {
  const std::size_t n = model.bodies.size() + 1;
  integrals_.resize(n);
  single_.resize(n);
  single_force_.resize(n);
  acting_.resize(n);
  for (std::size_t body = 1; body < n; ++body) prepare(body);
}

/// ∫ ξ~ᵀ t_j~ dm of the deformed body, in its axes.
Matrix Composite::shape_coupling(const BodyIntegrals::Mode& mode, std::size_t body) {
  Matrix result = mode.N4;
  for (std::size_t k = 0; k < mode.N5.size(); ++k) result = sum(result, scaled(e(body, k), mode.N5[k]));
  return names_(result);
}

void Composite::prepare(std::size_t body) {
  integrals_[body] = body_integrals(model_, body, names_);
  const BodyIntegrals& I = integrals_[body];
  const Matrix& S = motion_.body(body).orientation.axes;
  Inertia& inertia = single_[body];
  inertia.mass = I.mass;
  Vector first = I.N1;
  Matrix second = I.N3;
  for (std::size_t j = 0; j < modes(body); ++j) {
    const BodyIntegrals::Mode& mode = I.modes[j];
    first = sum(first, scaled(e(body, j), mode.N2));
    const Matrix N4 = mode.N4;
    second = sum(second, scaled(e(body, j), sum(N4, transposed(N4))));
    for (std::size_t k = 0; k < mode.N5.size(); ++k) second = sum(second, scaled(e(body, j) * e(body, k), mode.N5[k]));
    Vector angular = mode.N6;
    for (std::size_t k = 0; k < mode.N7.size(); ++k) angular = sum(angular, scaled(e(body, k), mode.N7[k]));
    inertia.J1.push_back(names_(product(S, mode.N2)));
    inertia.J2.push_back(names_(product(S, names_(angular))));
  }
  inertia.h = names_(product(S, names_(first)));
  inertia.J = names_.symmetric(product(names_(product(S, names_.symmetric(second))), transposed(S)));
  inertia.K = I.K;
  single_force_[body] = bias(body, I);
}

/// Inertia forces at zero accelerations of the speeds, gravity among them, and those of stiffness and damping.
Wrench Composite::bias(std::size_t body, const BodyIntegrals& I) {
  const BodyMotion& at = motion_.body(body);
  const Inertia& inertia = single_[body];
  const Vector& w = at.angular_velocity;
  const Vector w_body = names_(transposed_product(at.orientation.axes, w));
  Vector growing = zero(), coriolis = zero();
  std::vector<Matrix> coupling;
  for (std::size_t j = 0; j < modes(body); ++j) {
    coupling.push_back(shape_coupling(I.modes[j], body));
    growing = sum(growing, scaled(ed(body, j), inertia.J1[j]));
    coriolis = sum(coriolis, scaled(2 * ed(body, j), product(coupling[j], w_body)));
    const bool wheel = I.modes[j].N5.empty();
    if (wheel) coriolis = sum(coriolis, scaled(ed(body, j), cross(w_body, I.modes[j].N6)));
  }
  Wrench result;
  result.force =
      names_(sum(sum(scaled(inertia.mass, at.bias), product(at.turning, inertia.h)), scaled(2, cross(w, names_(growing)))));
  result.moment = names_(
      sum(sum(sum(cross(inertia.h, at.bias), product(inertia.J, at.angular_bias)), cross(w, names_(product(inertia.J, w)))),
          product(at.orientation.axes, names_(coriolis))));
  for (std::size_t j = 0; j < modes(body); ++j) {
    ex modal =
        dot(inertia.J1[j], at.bias) + dot(inertia.J2[j], at.angular_bias) - dot(w_body, names_(product(coupling[j], w_body)));
    for (std::size_t k = 0; k < I.modes[j].N7.size(); ++k) modal += 2 * ed(body, k) * dot(w_body, I.modes[j].N7[k]);
    if (j < I.stiffness.size())
      for (std::size_t k = 0; k < I.stiffness.size(); ++k)
        modal += I.stiffness[j][k] * e(body, k) + I.damping[j][k] * ed(body, k);
    result.modal.push_back(names_(modal));
  }
  return result;
}

void Composite::act(std::size_t body, const Vector& force, const Vector& moment) {
  for (Wrench* sum_of : {&single_force_[body], &acting_[body]}) {
    sum_of->force = difference(sum_of->force, force);
    sum_of->moment = difference(sum_of->moment, moment);
  }
}

void Composite::load(const PlaceMotion& place, const Vector& force, const Vector& torque) {
  if (place.body == Multibody::frame) return;
  act(place.body, force, sum(cross(place.arm, force), torque));
  Wrench& total = single_force_[place.body];
  for (std::size_t j = 0; j < place.modes.size(); ++j)
    total.modal[j] -= dot(place.modes[j].translation, force) + dot(place.modes[j].rotation, torque);
}

void Composite::load_mode(std::size_t body, std::size_t mode, const ex& force) { single_force_[body].modal[mode] -= force; }

ex Composite::attract(std::size_t body, const Multibody::CentralGravity& field) {
  const Inertia& I = single_[body];
  if (I.mass.is_zero()) return 0;
  const surroundings::Naming<ex> name = [this](const ex& value) { return names_(value); };
  const Vector arm = names_(scaled(1 / I.mass, I.h));
  const Vector r = names_(difference(sum(motion_.body(body).position, arm), field.centre));
  const Vector g = names_(surroundings::central_gravity<ex>(field.mu, 1, r, name));
  const Matrix about_centre = names_.symmetric(sum(I.J, scaled(-I.mass, skew_product(arm, arm))));
  act(body, scaled(I.mass, g), sum(cross(I.h, g), surroundings::gravity_gradient<ex>(field.mu, r, about_centre, name)));
  for (std::size_t j = 0; j < modes(body); ++j) single_force_[body].modal[j] -= dot(I.J1[j], g);
  return names_(-field.mu * I.mass / GiNaC::sqrt(names_(dot(r, r))));
}

void Composite::gather() {
  for (std::size_t body = 1; body < single_force_.size(); ++body) {
    Wrench& own = single_force_[body];
    own = {names_(own.force), names_(own.moment), names_(own.modal)};
  }
  composite_ = single_;
  force_ = single_force_;
  for (std::size_t i = forest_.tree.size(); i-- > 0;) pass_up(forest_.tree[i].child);
}

/// Inertia and forces of a body to the one that carries it: J′ = J − h~ r~ − r~ h′~ with h′ = h + m r.
void Composite::pass_up(std::size_t child) {
  const BodyMotion& at = motion_.body(child);
  if (at.parent == Multibody::frame) return;
  const Inertia& from = composite_[child];
  Inertia& to = composite_[at.parent];
  Wrench& force = force_[at.parent];
  for (std::size_t k = 0; k < at.of_parent.size(); ++k) {
    const Wrench moved = wrench_of(from, at.of_parent[k]);
    to.J1[k] = names_(sum(to.J1[k], moved.force));
    to.J2[k] = names_(sum(to.J2[k], names_(sum(moved.moment, cross(at.arm, moved.force)))));
    for (std::size_t l = 0; l < at.of_parent.size(); ++l)
      to.K[k][l] =
          names_(to.K[k][l] + dot(at.of_parent[l].translation, moved.force) + dot(at.of_parent[l].rotation, moved.moment));
    force.modal[k] = names_(force.modal[k] + dot(at.of_parent[k].translation, force_[child].force) +
                            dot(at.of_parent[k].rotation, force_[child].moment));
  }
  const Vector h = names_(sum(from.h, scaled(from.mass, at.arm)));
  const Matrix half = names_(sum(from.J, skew_product(from.h, at.arm)));
  to.mass = names_(to.mass + from.mass);
  to.h = names_(sum(to.h, h));
  to.J = names_.symmetric(sum(to.J, sum(half, skew_product(at.arm, h))));
  force.force = names_(sum(force.force, force_[child].force));
  force.moment = names_(sum(force.moment, sum(force_[child].moment, cross(at.arm, force_[child].force))));
}

/// What accelerates an inertia along a column of its body.
Wrench Composite::wrench_of(const Inertia& inertia, const Column& column) {
  const Vector &T = column.translation, &R = column.rotation;
  Wrench result;
  result.force = names_(sum(scaled(inertia.mass, T), cross(R, inertia.h)));
  result.moment = names_(sum(cross(inertia.h, T), product(inertia.J, R)));
  for (std::size_t l = 0; l < inertia.J1.size(); ++l)
    result.modal.push_back(names_(dot(inertia.J1[l], T) + dot(inertia.J2[l], R)));
  return result;
}

void Composite::to_parent(std::size_t& body, Wrench& wrench) {
  const BodyMotion& at = motion_.body(body);
  std::vector<ex> modal(modes(at.parent), 0);
  for (std::size_t k = 0; k < at.of_parent.size(); ++k)
    modal[k] = names_(dot(at.of_parent[k].translation, wrench.force) + dot(at.of_parent[k].rotation, wrench.moment));
  wrench.moment = names_(sum(wrench.moment, cross(at.arm, wrench.force)));
  wrench.modal = std::move(modal);
  body = at.parent;
}

void Composite::along_own(std::size_t body, const Wrench& wrench, const Sink& sink) {
  std::vector<ex> modal = wrench.modal;
  for (const Column& column : motion_.body(body).own) {
    const ex value = dot(column.translation, wrench.force) + dot(column.rotation, wrench.moment);
    bool of_mode = false;
    for (std::size_t l = 0; l < modes(body) && l < modal.size(); ++l)
      if (unknowns_.modes[body][l] == column.speed) modal[l] += value, of_mode = true;
    if (!of_mode) sink(column.speed, names_(value));
  }
  for (std::size_t l = 0; l < modal.size(); ++l) sink(unknowns_.modes[body][l], names_(modal[l]));
}

void Composite::masses(EquationsOfMotion::Matrix& M) {
  for (const JointForest::Edge& edge : forest_.tree) {
    const Inertia& inertia = composite_[edge.child];
    std::vector<Column> columns = motion_.body(edge.child).own;
    for (const std::size_t speed : unknowns_.modes[edge.child]) {
      bool there = false;
      for (const Column& column : columns) there = there || column.speed == speed;
      if (!there) columns.push_back({speed});
    }
    for (const Column& column : columns) {
      Wrench wrench = wrench_of(inertia, column);
      for (std::size_t k = 0; k < modes(edge.child); ++k) {
        if (unknowns_.modes[edge.child][k] != column.speed) continue;
        wrench.force = names_(sum(wrench.force, inertia.J1[k]));
        wrench.moment = names_(sum(wrench.moment, inertia.J2[k]));
        for (std::size_t l = 0; l < modes(edge.child); ++l) wrench.modal[l] = names_(wrench.modal[l] + inertia.K[k][l]);
      }
      for (std::size_t body = edge.child; body != Multibody::frame; to_parent(body, wrench))
        along_own(body, wrench,
                  [&](std::size_t speed, const ex& value) { M[speed][column.speed] = M[column.speed][speed] = value; });
    }
  }
}

void Composite::forces(std::vector<ex>& F) {
  for (const JointForest::Edge& edge : forest_.tree)
    along_own(edge.child, force_[edge.child], [&](std::size_t speed, const ex& value) { F[speed] -= value; });
}

void Composite::loads(std::vector<ex>& F) {
  std::vector<Wrench> total = acting_;
  for (std::size_t i = forest_.tree.size(); i-- > 0;) {
    const std::size_t child = forest_.tree[i].child;
    const BodyMotion& at = motion_.body(child);
    const Wrench own{names_(total[child].force), names_(total[child].moment)};
    along_own(child, own, [&](std::size_t speed, const ex& value) { F[speed] -= value; });
    if (at.parent == Multibody::frame) continue;
    Wrench& carrier = total[at.parent];
    carrier.force = sum(carrier.force, own.force);
    carrier.moment = sum(carrier.moment, sum(own.moment, cross(at.arm, own.force)));
  }
}

void Composite::project(const PlaceMotion& place, const Vector& force, const Vector& moment, const Sink& sink) {
  if (place.body == Multibody::frame) return;
  Wrench wrench{force, names_(sum(moment, cross(place.arm, force))), std::vector<ex>(modes(place.body), 0)};
  for (std::size_t j = 0; j < place.modes.size(); ++j)
    wrench.modal[j] = names_(dot(place.modes[j].translation, force) + dot(place.modes[j].rotation, moment));
  for (std::size_t body = place.body; body != Multibody::frame; to_parent(body, wrench)) along_own(body, wrench, sink);
}

std::vector<Wrench> Composite::reactions(const std::vector<ex>& accelerations,
                                         const std::function<Wrench(std::size_t)>& at_cuts) {
  std::vector<Column> extra(single_.size());  // motion by the accelerations alone
  std::vector<Wrench> total = single_force_;
  for (const JointForest::Edge& edge : forest_.tree) {
    const BodyMotion& at = motion_.body(edge.child);
    const Column& carrier = extra[at.parent];
    Vector translation = sum(carrier.translation, cross(carrier.rotation, at.arm)), rotation = carrier.rotation;
    for (const auto* columns : {&at.own, &at.of_parent})
      for (const Column& column : *columns) {
        translation = sum(translation, scaled(accelerations[column.speed], column.translation));
        rotation = sum(rotation, scaled(accelerations[column.speed], column.rotation));
      }
    extra[edge.child] = {0, names_(translation), names_(rotation)};
    const Inertia& inertia = single_[edge.child];
    const Wrench moved = wrench_of(inertia, extra[edge.child]);
    Wrench& own = total[edge.child];
    own.force = sum(own.force, moved.force);
    own.moment = sum(own.moment, moved.moment);
    for (std::size_t k = 0; k < modes(edge.child); ++k) {
      const ex& acceleration = accelerations[unknowns_.modes[edge.child][k]];
      own.force = sum(own.force, scaled(acceleration, inertia.J1[k]));
      own.moment = sum(own.moment, scaled(acceleration, inertia.J2[k]));
    }
    const Wrench cut = at_cuts(edge.child);
    own.force = difference(own.force, cut.force);
    own.moment = difference(own.moment, cut.moment);
  }
  for (std::size_t i = forest_.tree.size(); i-- > 0;) {
    const std::size_t child = forest_.tree[i].child;
    const BodyMotion& at = motion_.body(child);
    Wrench& own = total[child];
    own = {names_(own.force), names_(own.moment)};
    if (at.parent == Multibody::frame) continue;
    total[at.parent].force = sum(total[at.parent].force, own.force);
    total[at.parent].moment = sum(total[at.parent].moment, sum(own.moment, cross(at.arm, own.force)));
  }
  return total;
}

ex Composite::kinetic_energy() {
  ex sum_of_all = 0;
  for (std::size_t body = 1; body < single_.size(); ++body) {
    const BodyMotion& at = motion_.body(body);
    const Inertia& I = single_[body];
    const Vector &v = at.velocity, &w = at.angular_velocity;
    ex twice = I.mass * dot(v, v) + 2 * dot(v, cross(w, I.h)) + dot(w, names_(product(I.J, w)));
    for (std::size_t j = 0; j < modes(body); ++j) {
      twice += 2 * ed(body, j) * (dot(I.J1[j], v) + dot(I.J2[j], w));
      for (std::size_t k = 0; k < modes(body); ++k) twice += I.K[j][k] * ed(body, j) * ed(body, k);
    }
    sum_of_all += names_(twice / 2);
  }
  return names_(sum_of_all);
}

ex Composite::potential_energy() {
  ex sum_of_all = 0;
  for (std::size_t body = 1; body < single_.size(); ++body) {
    const Inertia& I = single_[body];
    ex own = -dot(model_.gravity, sum(scaled(I.mass, motion_.body(body).position), I.h));
    const auto& stiffness = integrals_[body].stiffness;
    for (std::size_t j = 0; j < stiffness.size(); ++j)
      for (std::size_t k = 0; k < stiffness.size(); ++k) own += stiffness[j][k] * e(body, j) * e(body, k) / 2;
    sum_of_all += names_(own);
  }
  return names_(sum_of_all);
}

Vector Composite::momentum() {
  Vector total = zero();
  for (std::size_t body = 1; body < single_.size(); ++body) {
    const BodyMotion& at = motion_.body(body);
    Vector own = sum(scaled(single_[body].mass, at.velocity), cross(at.angular_velocity, single_[body].h));
    for (std::size_t j = 0; j < modes(body); ++j) own = sum(own, scaled(ed(body, j), single_[body].J1[j]));
    total = sum(total, names_(own));
  }
  return names_(total);
}

Vector Composite::angular_momentum() {
  Vector total = zero();
  for (std::size_t body = 1; body < single_.size(); ++body) {
    const BodyMotion& at = motion_.body(body);
    const Inertia& I = single_[body];
    Vector momentum = sum(scaled(I.mass, at.velocity), cross(at.angular_velocity, I.h));
    Vector own = sum(cross(I.h, at.velocity), product(I.J, at.angular_velocity));
    for (std::size_t j = 0; j < modes(body); ++j) {
      momentum = sum(momentum, scaled(ed(body, j), I.J1[j]));
      own = sum(own, scaled(ed(body, j), I.J2[j]));
    }
    total = sum(total, names_(sum(own, cross(at.position, names_(momentum)))));
  }
  return names_(total);
}

}  // namespace sfg
