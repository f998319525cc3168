#include "sfg/derive/multibody/unknowns.hpp"

#include <ginac/ginac.h>

#include "sfg/derive/multibody/body_integrals.hpp"
#include "sfg/model/lagrangian.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using JointKind = Multibody::JointKind;

/// Adds coordinates with their rates or speeds.
class UnknownListing {
 public:
  UnknownListing(SymbolTable& symbols, Unknowns& result) : symbols_(symbols), result_(result) {}

  /// A coordinate whose rate is a speed: "Dx" unless the speed has a name of its own.
  std::size_t ordinary(const std::string& name, const SourceSpan& where, const std::string& speed = {}) {
    const std::size_t number = speed_named(speed.empty() ? rate_name(name) : speed, where);
    result_.coordinates.push_back({name, moving_symbol(symbols_, name, SymbolKind::coordinate, where), result_.v(number), where});
    return number;
  }
  std::size_t speed_named(const std::string& name, const SourceSpan& where) {
    result_.speeds.push_back({name, moving_symbol(symbols_, name, SymbolKind::signal, where), where});
    return result_.speeds.size() - 1;
  }
  /// q̇ = ½ q ∘ (0, w) with w in the axes of the body.
  void quaternion(const std::string* names, std::size_t w, const SourceSpan& where) {
    const std::size_t first = result_.coordinates.size();
    std::array<ex, 4> q;
    for (std::size_t i = 0; i < 4; ++i) q[i] = moving_symbol(symbols_, names[i], SymbolKind::coordinate, where);
    const ex half = ex(1) / 2, w1 = result_.v(w), w2 = result_.v(w + 1), w3 = result_.v(w + 2);
    const std::array<ex, 4> rate{-half * (q[1] * w1 + q[2] * w2 + q[3] * w3), half * (q[0] * w1 + q[2] * w3 - q[3] * w2),
                                 half * (q[0] * w2 + q[3] * w1 - q[1] * w3), half * (q[0] * w3 + q[1] * w2 - q[2] * w1)};
    for (std::size_t i = 0; i < 4; ++i) result_.coordinates.push_back({names[i], q[i], rate[i], where});
    result_.quaternions.push_back({first, first + 1, first + 2, first + 3});
  }

 private:
  SymbolTable& symbols_;
  Unknowns& result_;
};

void list_joint(const Multibody::Joint& joint, bool planar, UnknownListing& listing, Unknowns& result) {
  const bool with_quaternion = joint.kind == JointKind::spherical || (joint.kind == JointKind::free && !planar);
  if (!with_quaternion) {
    for (const std::string& name : joint.coordinates) listing.ordinary(name, joint.where);
    return;
  }
  const std::size_t displacements = joint.kind == JointKind::free ? 3 : 0;
  const std::size_t first = result.speeds.size();
  for (const std::string& name : joint.speeds) listing.speed_named(name, joint.where);
  for (std::size_t i = 0; i < displacements; ++i)
    result.coordinates.push_back({joint.coordinates[i], ex(), result.v(first + i), joint.where});
  listing.quaternion(joint.coordinates.data() + displacements, first + displacements, joint.where);
}

}  // namespace

ex moving_symbol(SymbolTable& symbols, const std::string& name, SymbolKind kind, const SourceSpan& where) {
  if (const Symbol* known = symbols.find(name)) return known->expr;
  Symbol symbol;
  symbol.name = name;
  symbol.kind = kind;
  symbol.where = where;
  return symbols.add(std::move(symbol)).expr;
}

Unknowns unknowns(const Multibody& model, const JointForest& forest, SymbolTable& symbols) {
  Unknowns result;
  UnknownListing listing(symbols, result);
  result.joint_coordinate.resize(model.joints.size());
  result.joint_speed.resize(model.joints.size());
  std::vector<bool> in_tree(model.joints.size(), false);
  for (const JointForest::Edge& edge : forest.tree) in_tree[edge.joint] = true;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    result.joint_coordinate[j] = result.coordinates.size();
    result.joint_speed[j] = result.speeds.size();
    if (in_tree[j]) list_joint(model.joints[j], model.planar, listing, result);
  }
  for (auto& coordinate : result.coordinates)
    coordinate.q = moving_symbol(symbols, coordinate.name, SymbolKind::coordinate, coordinate.where);
  std::vector<std::vector<std::size_t>> wheels(model.bodies.size() + 1), wheel_coordinates = wheels;
  for (const auto& wheel : model.flywheels) {
    wheel_coordinates[wheel.on.body].push_back(result.coordinates.size());
    wheels[wheel.on.body].push_back(listing.ordinary(wheel.name, wheel.where, wheel.speed));
  }
  result.modes.resize(model.bodies.size() + 1);
  result.mode_coordinates = result.modes;
  for (std::size_t body = 1; body <= model.bodies.size(); ++body) {
    for (const std::string& name : modal_coordinates(model, body)) {
      result.mode_coordinates[body].push_back(result.coordinates.size());
      result.modes[body].push_back(listing.ordinary(name, model.bodies[body - 1].where));
    }
    result.modes[body].insert(result.modes[body].end(), wheels[body].begin(), wheels[body].end());
    result.mode_coordinates[body].insert(result.mode_coordinates[body].end(), wheel_coordinates[body].begin(),
                                         wheel_coordinates[body].end());
  }
  for (const auto& particle : model.particles) {
    result.particle.push_back(result.speeds.size());
    if (!model.generalized.empty()) continue;
    for (const std::string& name : particle.coordinates) listing.ordinary(name, particle.where);
  }
  result.generalized = result.speeds.size();
  for (const std::string& name : model.generalized_coordinates) listing.ordinary(name, model.where);
  return result;
}

}  // namespace sfg
