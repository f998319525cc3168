#pragma once
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfg/derive/multibody/multibody_equations.hpp"

namespace sfg {

/// What the equations of motion say at one state, in numbers: M a = F + Jᵀ λ.
struct MotionState {
  std::vector<std::vector<double>> M;  ///< by rows, a row a speed
  std::vector<double> F;
  /// By speed: of the rate of a coordinate under the name of that coordinate, else of the speed.
  std::vector<std::pair<std::string, double>> accelerations;
  std::vector<std::pair<std::string, double>>
      multipliers;  ///< by constraint; of least norm where constraints depend on each other
  /// Force and moment on the second body of the joint, at the joint, in the inertial frame.
  std::vector<std::pair<std::string, std::array<double, 6>>> reactions;
  std::vector<double> constraint_residual;  ///< φ(q, t): 0 where the loops are closed
  std::vector<double> velocity_residual;    ///< φ̇
  std::size_t rank = 0;                     ///< of the constraints here
  double kinetic = 0, potential = 0;        ///< energies
  /// Loops that are open, constraints that depend on each other, values that make no difference.
  std::vector<Diagnostic> notes;
};

/// The warning of a value in a state that makes no difference.
Diagnostic idle_in_state(const std::string& name);

/// The state of coordinates q, rates Dq or speeds, inputs and t by name; what is not given is 0, a quaternion no turn.
/// @throws sfg::Error  for a name that is none of these, and parameters without values; NoAnswer where M is singular or the
///                     constraints contradict each other.
MotionState motion_at(const MultibodyEquations&, const std::map<std::string, double>& state);

}  // namespace sfg
