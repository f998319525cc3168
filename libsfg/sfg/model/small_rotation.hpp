#pragma once
#include <string>
#include <vector>

#include "sfg/model/multibody.hpp"

// Not installed.
namespace sfg {

/// What the small rotation is called whose rate is a speed of no coordinate: theta1x of w1x, theta_r of r; with as many
/// underlines behind it as make it a new name.
std::string small_rotation_name(const std::string& speed, const std::vector<std::string>& taken, const SymbolTable&);
/// All of them: of spherical and free joints.
std::vector<std::string> small_rotations(const Multibody&);
/// The outputs that a model states but for those that have a small rotation in them: only its linear model has these.
struct MotionOutputs {
  std::vector<std::string> names, left_out;
};
MotionOutputs motion_outputs(const Multibody&);

}  // namespace sfg
