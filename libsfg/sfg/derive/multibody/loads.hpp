#pragma once
#include <vector>

#include "sfg/derive/multibody/composite.hpp"

// Not installed.
namespace sfg {

/// Applied forces, springs, motors and what acts from afar, on the bodies of a tree and along the coordinates of its joints.
class Loads {
 public:
  Loads(const Multibody&, const JointForest&, const Unknowns&, TreeMotion&, Composite&, Substitutions&, SymbolTable&);

  /// Readings of sensors and control laws become definitions; then everything acts.
  /// @throws sfg::Error for sensors of bodies without an attitude of their own.
  void apply();
  /// Adds what acts along the coordinates of joints.
  void along_joints(std::vector<GiNaC::ex>& F) const;
  /// Of springs.
  const GiNaC::ex& potential_energy() const { return potential_; }

 private:
  void read_sensors();
  void control();
  void apply_forces();
  void apply_springs();
  void stretch(const Multibody::Spring&);
  void drive_wheels();
  void pull();
  void turn_magnets();

  const Multibody& model_;
  const JointForest& forest_;
  const Unknowns& unknowns_;
  TreeMotion& motion_;
  Composite& composite_;
  Substitutions& names_;
  SymbolTable& symbols_;
  std::vector<std::pair<std::size_t, GiNaC::ex>> along_;  ///< by speed
  GiNaC::ex potential_ = 0;
};

}  // namespace sfg
