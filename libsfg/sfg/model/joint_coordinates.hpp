#pragma once
#include <cstddef>

#include "sfg/model/multibody.hpp"

// Not installed: what the coordinates of a joint are.
namespace sfg {

/// Whether coordinate k of a joint is a displacement; else it is an angle or a component of a quaternion.
inline bool is_displacement(const Multibody::Joint& joint, std::size_t k) {
  using Kind = Multibody::JointKind;
  return joint.kind == Kind::prismatic || (joint.kind == Kind::cylindrical && k == 1) || (joint.kind == Kind::planar && k < 2) ||
         (joint.kind == Kind::free && k < 3);
}

/// Whether it is an angle, of which whole turns are the same position.
inline bool is_angle(const Multibody::Joint& joint, std::size_t k) {
  using Kind = Multibody::JointKind;
  return !is_displacement(joint, k) && joint.kind != Kind::spherical && joint.kind != Kind::free;
}

}  // namespace sfg
