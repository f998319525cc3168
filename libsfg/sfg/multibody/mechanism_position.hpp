#pragma once
#include <map>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/multibody/mechanism.hpp"

namespace sfg {

/// A position to show a mechanism in: the given values and those of `assembly`, with loops closed from there; without given ones
/// the equilibrium, where the model has one.
/// @param given  by coordinate
/// @returns values in the order of the equations' coordinates
/// @throws sfg::Error for names that are no coordinates, and as mechanism_run() where loops are closed or an equilibrium is
/// found.
std::vector<double> mechanism_position(const Multibody&, const MultibodyEquations&, const std::map<std::string, double>& given,
                                       std::vector<Diagnostic>* notes = nullptr, const Budget& = {});

/// A mode of small motions about the equilibrium.
struct MechanismMode {
  double frequency = 0, damping = 0;  ///< rad/s; ratio
  std::size_t count = 0;              ///< of all modes
  std::array<MechanismPose, 2> ends;  ///< of its swing
  MechanismPose rest;                 ///< about which it is
};
/// @param number  from 1, by ascending frequency
/// @param swing   largest displacement on the size of the mechanism
/// @throws NoAnswer where there is no such mode; as linearized() and poles().
MechanismMode mechanism_mode(const Multibody&, const MultibodyEquations&, std::size_t number, double swing = 0.12,
                             const Budget& = {});

}  // namespace sfg
