#pragma once
#include <ginac/ex.h>

#include <span>
#include <string>
#include <vector>

#include "sfg/multibody/compiled_motion.hpp"
#include "sfg/multibody/moving_mechanism.hpp"
#include "sfg/nonlinear/run/jumps.hpp"
#include "sfg/nonlinear/run/sliding_modes.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

/// Equations of motion whose jumps are inputs, behind all others.
struct EquationsWithJumps {
  MultibodyEquations equations;
  std::vector<Jump> jumps;
};
EquationsWithJumps jumps_as_inputs(const MultibodyEquations&);

/// The jumps of a mechanism, dry friction foremost: which of them stick, and what holds them.
class MechanismJumps {
 public:
  /// @param motion  of the equations with the jumps as inputs
  /// @param late    of the time until then: how much later than it is a jump is met
  MechanismJumps(const CompiledMotion& motion, MovingMechanism&, const std::vector<Jump>&, double until, double late);
  MechanismJumps(const MechanismJumps&) = delete;
  MechanismJumps& operator=(const MechanismJumps&) = delete;

  SlidingModes& modes() { return modes_; }
  const SlidingModes& modes() const { return modes_; }
  /// The mechanism with the jumps as they are at that state. @returns false where there is no answer
  bool settle(double t, const Eigen::VectorXd& x);
  /// New modes; velocities go onto what sticks.
  /// @param events  what changes is added to them
  void decide(double t, MovingMechanism::State&, std::span<const int> changes = {}, std::vector<RunEvent>* events = nullptr);

 private:
  void decide_modes(double t, MovingMechanism::State&, std::span<const int> changes);
  void take(const Eigen::VectorXd& s, const Eigen::VectorXd& levels);
  bool contact(double t, const Eigen::VectorXd& x, SlidingModes::Contact&);

  const CompiledMotion& motion_;
  MovingMechanism& mechanism_;
  std::vector<std::size_t> signs_, levels_;         ///< their inputs; of a jump without a level none
  std::vector<CompiledMotion::Outputs> functions_;  ///< g, one by one
  std::vector<std::string> names_, texts_;          ///< of the coordinates in whose equations they stand, and of g
  std::vector<bool> friction_;                      ///< jumps of velocities
  SlidingModes modes_;
};

/// Where the equations have jumps and corners: arguments of step, sign and abs, differences of those of min and max.
struct Kinks {
  std::vector<GiNaC::ex> of_time;  ///< in t alone, with numbers for the parameters
  std::vector<GiNaC::ex> of_state;
};
Kinks kinks(const CompiledMotion&);

}  // namespace sfg
