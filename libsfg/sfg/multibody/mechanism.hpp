#pragma once
#include <map>
#include <span>
#include <string>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/model/mechanism.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// What a model looks like with the values of its parameters.
/// @throws sfg::Error  naming lengths without values, at their places.
Mechanism mechanism(const Multibody&);

/// Where its bodies are at given coordinates.
class MechanismPoses {
 public:
  /// @throws sfg::Error  naming parameters without values that positions depend on.
  MechanismPoses(const Multibody&, const MultibodyEquations&);

  /// @param coordinates  in the order of the equations; quaternions need not have length 1
  MechanismPose operator()(std::span<const double> coordinates, double time = 0) const;
  /// By name; what is not given is 0, a quaternion no turn.
  MechanismPose operator()(const std::map<std::string, double>& coordinates, double time = 0) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::array<std::size_t, 4>> quaternions_;
  std::vector<std::vector<std::size_t>> modal_;  // by body: numbers of coordinates
  std::size_t particles_ = 0;
  numeric::Tape tape_;
};

}  // namespace sfg
