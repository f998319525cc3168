#pragma once
#include <functional>
#include <vector>

#include "sfg/derive/multibody/tree_motion.hpp"

// Not installed.
namespace sfg {

/// Force and moment at the origin of a body, and what acts on its modes and wheels.
struct Wrench {
  spatial::Vector force{0, 0, 0}, moment{0, 0, 0};
  std::vector<GiNaC::ex> modal = {};
};

/// M v̇ = F of a tree of rigid and elastic bodies by composite bodies (Mráz): inertias and forces of a body and all that it
/// carries are gathered from the leaves to the frame.
class Composite {
 public:
  Composite(const Multibody&, const JointForest&, const Unknowns&, TreeMotion&, Substitutions&);

  /// Adds what acts on a place, in inertial components.
  void load(const PlaceMotion&, const spatial::Vector& force, const spatial::Vector& torque);
  /// Adds what acts on a mode or wheel of a body: `mode` counts its modes, then its wheels.
  void load_mode(std::size_t body, std::size_t mode, const GiNaC::ex& force);
  /// Adds the pull of a centre: its field at the centre of mass acts on all points of the body, its gradient turns the whole.
  /// @returns the potential energy
  GiNaC::ex attract(std::size_t body, const Multibody::CentralGravity&);

  /// Gathers; then M and F are complete but for what acts along the coordinates of joints.
  void gather();
  /// Adds to M.
  void masses(EquationsOfMotion::Matrix& M);
  /// Adds to F.
  void forces(std::vector<GiNaC::ex>& F);
  /// Adds to F what acts on rigid bodies, without their inertia and gravity.
  void loads(std::vector<GiNaC::ex>& F);
  /// What a force and moment at a place do along every speed.
  void project(const PlaceMotion&, const spatial::Vector& force, const spatial::Vector& moment,
               const std::function<void(std::size_t speed, const GiNaC::ex& value)>& sink);

  /// The wrench of the joint that carries each body, on it, at its origin, with the accelerations of the speeds; without what
  /// cut joints do to the bodies. By body number.
  std::vector<Wrench> reactions(const std::vector<GiNaC::ex>& accelerations,
                                const std::function<Wrench(std::size_t body)>& at_cuts);

  GiNaC::ex kinetic_energy();
  /// Of gravity and of the stiffness of elastic bodies.
  GiNaC::ex potential_energy();
  spatial::Vector momentum();
  spatial::Vector angular_momentum();

 private:
  /// The inertia of a body with its modes, or of all that it carries, about its origin.
  struct Inertia {
    GiNaC::ex mass;
    spatial::Vector h{0, 0, 0};  ///< ∫ ξ dm
    spatial::Matrix J{};
    std::vector<spatial::Vector> J1, J2;  ///< by mode: its momentum and angular momentum per unit of rate
    EquationsOfMotion::Matrix K;
  };
  void prepare(std::size_t body);
  /// Adds what acts on a rigid body, the moment about its origin.
  void act(std::size_t body, const spatial::Vector& force, const spatial::Vector& moment);
  Wrench bias(std::size_t body, const BodyIntegrals&);
  spatial::Matrix shape_coupling(const BodyIntegrals::Mode&, std::size_t body);
  void pass_up(std::size_t body);
  Wrench wrench_of(const Inertia&, const Column&);
  void to_parent(std::size_t& body, Wrench&);
  void along_own(std::size_t body, const Wrench&, const std::function<void(std::size_t, const GiNaC::ex&)>& sink);
  std::size_t modes(std::size_t body) const { return unknowns_.modes[body].size(); }
  GiNaC::ex e(std::size_t body, std::size_t mode) const { return unknowns_.q(unknowns_.mode_coordinates[body][mode]); }
  GiNaC::ex ed(std::size_t body, std::size_t mode) const { return unknowns_.v(unknowns_.modes[body][mode]); }

  const Multibody& model_;
  const JointForest& forest_;
  const Unknowns& unknowns_;
  TreeMotion& motion_;
  Substitutions& names_;
  std::vector<BodyIntegrals> integrals_;
  std::vector<Inertia> single_, composite_;
  std::vector<Wrench> single_force_, force_;  ///< inertia at zero accelerations of the speeds, less what acts
  std::vector<Wrench> acting_;                ///< less what acts alone, on rigid bodies
};

}  // namespace sfg
