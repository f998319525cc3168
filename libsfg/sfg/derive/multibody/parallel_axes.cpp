#include "sfg/derive/multibody/parallel_axes.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/spatial.hpp"

namespace sfg {

using GiNaC::ex;
using Kind = Multibody::JointKind;

namespace {

using Plane = std::array<ex, 2>;

Plane in_plane(const spatial::Vector& v) { return {v[0], v[1]}; }
ex dot(const Plane& a, const Plane& b) { return a[0] * b[0] + a[1] * b[1]; }
bool turns(Kind kind) { return kind == Kind::revolute || kind == Kind::revolute_between_bodies; }

/// Whether so many joints lie on ways to others that theirs is the longer list in any case: that of a chain is from eight links
/// on, with seven pairs of joints for two joints.
bool ways_are_long(const Multibody& model, const JointForest& forest) {
  constexpr std::size_t most_pairs_a_joint = 8;
  std::vector<std::size_t> turning(model.bodies.size() + 1, 0);  // joints on the way to a body
  std::size_t pairs = 0, joints = 0;
  for (const JointForest::Edge& edge : forest.tree) {
    const Kind kind = model.joints[edge.joint].kind;
    const bool turning_too = kind != Kind::weld && kind != Kind::prismatic;
    turning[edge.child] = turning[edge.parent] + (turning_too ? 1 : 0);
    if (turning_too) pairs += turning[edge.parent], ++joints;
  }
  return pairs > most_pairs_a_joint * joints;
}

}  // namespace

bool ParallelAxes::apply_to(const Multibody& model, const JointForest& forest) {
  if (!model.planar || !model.elastic.empty() || !model.flywheels.empty() || ways_are_long(model, forest)) return false;
  return std::ranges::all_of(forest.tree, [&](const JointForest::Edge& edge) {
    const Multibody::Joint& joint = model.joints[edge.joint];
    for (const auto& place : joint.places)
      for (const std::size_t i : {1, 2, 3})
        if (!place.orientation[i].is_zero()) return false;
    if (turns(joint.kind) || joint.kind == Kind::weld) return true;
    return edge.parent == Multibody::frame &&
           (joint.kind == Kind::prismatic || joint.kind == Kind::planar || joint.kind == Kind::free);
  });
}

ParallelAxes::ParallelAxes(const Multibody& model, const JointForest& forest, const Unknowns& unknowns, Substitutions& names)
    : model_(model), unknowns_(unknowns), names_(names), links_(model.bodies.size() + 1) {
  for (const JointForest::Edge& edge : forest.tree) attach(edge);
  for (std::size_t i = order_.size(); i-- > 0;) lump(order_[i]);
}

void ParallelAxes::attach(const JointForest::Edge& edge) {
  const Multibody::Joint& joint = model_.joints[edge.joint];
  Link& link = links_[edge.child];
  const Link& parent = links_[edge.parent];
  link.parent = edge.parent;
  link.origin = in_plane(joint.places[edge.reversed ? 0 : 1].at);
  const Vector near = in_plane(joint.places[edge.reversed ? 1 : 0].at);
  for (const std::size_t i : {0, 1}) link.arm[i] = names_(near[i] - parent.origin[i]);
  link.q = unknowns_.joint_coordinate[edge.joint];
  link.v = unknowns_.joint_speed[edge.joint];
  const int sign = edge.reversed ? -1 : 1;
  if (joint.kind == Kind::prismatic) {
    const Vector axis = in_plane(joint.axis);
    link.slides.push_back({link.v, {sign * axis[0], sign * axis[1]}});
  } else if (joint.kind != Kind::weld) {
    link.turn = sign * (joint.axis[2].is_equal(-1) ? -1 : 1);
    if (!turns(joint.kind)) {
      const auto across = spatial::normal_to(joint.axis);
      for (const std::size_t i : {0, 1}) link.slides.push_back({link.v + i, in_plane(across[i])});
      link.q += 2;
      link.v += 2;
    }
  }
  link.angle = parent.angle;
  link.rate = parent.rate;
  if (link.turn != 0) {
    link.angle = names_(link.angle + link.turn * unknowns_.q(link.q));
    link.rate = names_(link.rate + link.turn * unknowns_.v(link.v));
  }
  links_[edge.parent].children.push_back(edge.child);
  for (std::size_t above = edge.parent; above != Multibody::frame; above = links_[above].parent)
    links_[above].carried.push_back(edge.child);
  order_.push_back(edge.child);
}

/// What the body carries moves as a mass at its joint.
void ParallelAxes::lump(std::size_t number) {
  const Multibody::Body& body = model_.bodies[number - 1];
  Link& link = links_[number];
  const Vector com = in_plane(body.com);
  Vector arm;
  for (const std::size_t i : {0, 1}) {
    arm[i] = names_(com[i] - link.origin[i]);
    link.first[i] = names_(body.mass * arm[i]);
  }
  link.mass = body.mass;
  link.J = body.inertia[2][2] + dot(arm, link.first);
  for (const std::size_t child : link.children) {
    const Link& carried = links_[child];
    link.mass += carried.mass;
    Vector moment;
    for (const std::size_t i : {0, 1}) {
      moment[i] = names_(carried.mass * carried.arm[i]);
      link.first[i] += moment[i];
    }
    link.J += dot(carried.arm, moment);
  }
  link.mass = names_(link.mass);
  link.J = names_(link.J);
  for (ex& component : link.first) component = names_(component);
}

std::size_t ParallelAxes::toward(std::size_t above, std::size_t below) const {
  while (links_[below].parent != above) below = links_[below].parent;
  return below;
}

ex ParallelAxes::angle_between(std::size_t above, std::size_t below) {
  if (above == below) return 0;
  const Link& link = links_[below];
  const ex before = angle_between(above, link.parent);
  return link.turn == 0 ? before : names_(before + link.turn * unknowns_.q(link.q));
}

ParallelAxes::Pair ParallelAxes::turned(const Vector& a, const Vector& h, const ex& angle) {
  const ex parallel = names_(dot(a, h)), across = names_(a[1] * h[0] - a[0] * h[1]);
  if (angle.is_zero()) return {parallel, -across};
  const ex c = names_(GiNaC::cos(angle)), s = names_(GiNaC::sin(angle));
  return {names_(parallel * c + across * s), names_(parallel * s - across * c)};
}

const ParallelAxes::Pair& ParallelAxes::pair(std::size_t above, std::size_t below) {
  const auto known = pairs_.find({above, below});
  if (known != pairs_.end()) return known->second;
  return pairs_[{above, below}] = turned(links_[toward(above, below)].arm, links_[below].first, angle_between(above, below));
}

const ex& ParallelAxes::coupling(std::size_t above, std::size_t subtree) {
  const auto known = couplings_.find({above, subtree});
  if (known != couplings_.end()) return known->second;
  ex sum = pair(above, subtree).dot;
  for (const std::size_t child : links_[subtree].children) sum += coupling(above, child);
  return couplings_[{above, subtree}] = names_(sum);
}

/// Σ of the inertia that couples the turns of the bodies from `body` on with those of a subtree in it.
ex ParallelAxes::reduced(std::size_t body, std::size_t subtree) {
  if (body != subtree) return names_(reduced(toward(body, subtree), subtree) + coupling(body, subtree));
  ex sum = links_[body].J;
  for (const std::size_t child : links_[body].children) sum += coupling(body, child) + reduced(body, child);
  return names_(sum);
}

ex ParallelAxes::along(const Slide& slide, std::size_t subtree, bool centripetal) {
  const Pair own = turned(slide.along, links_[subtree].first, links_[subtree].angle);
  ex sum = centripetal ? -square_of_rate(subtree) * own.dot : -own.cross;
  for (const std::size_t child : links_[subtree].children) sum += along(slide, child, centripetal);
  return names_(sum);
}

void ParallelAxes::masses(EquationsOfMotion::Matrix& M) {
  for (const std::size_t below : order_) {
    const Link& link = links_[below];
    for (const Slide& slide : link.slides)
      for (const Slide& other : link.slides) M[slide.speed][other.speed] = names_(link.mass * dot(slide.along, other.along));
    if (link.turn == 0) continue;
    for (std::size_t above = below; above != Multibody::frame; above = links_[above].parent) {
      const Link& carrier = links_[above];
      if (carrier.turn != 0) M[link.v][carrier.v] = M[carrier.v][link.v] = link.turn * carrier.turn * reduced(above, below);
      for (const Slide& slide : carrier.slides)
        M[slide.speed][link.v] = M[link.v][slide.speed] = link.turn * along(slide, below, false);
    }
  }
}

ex ParallelAxes::moment(std::size_t body, std::vector<ex>& F) {
  const Link& link = links_[body];
  ex sum = turned(in_plane(model_.gravity), link.first, link.angle).cross;
  for (std::size_t above = link.parent; above != Multibody::frame; above = links_[above].parent)
    sum += square_of_rate(above) * pair(above, body).cross;
  for (const std::size_t below : link.carried) sum -= square_of_rate(below) * pair(body, below).cross;
  for (const std::size_t child : link.children) sum += moment(child, F);
  const ex total = names_(sum);
  if (link.turn != 0) F[link.v] -= link.turn * total;
  return total;
}

void ParallelAxes::forces(std::vector<ex>& F) {
  for (const std::size_t body : order_) {
    const Link& link = links_[body];
    if (link.parent != Multibody::frame) continue;
    moment(body, F);
    for (const Slide& slide : link.slides)
      F[slide.speed] -= names_(along(slide, body, true) - link.mass * dot(slide.along, in_plane(model_.gravity)));
  }
}

}  // namespace sfg
