#pragma once
#include <vector>

#include "sfg/model/multibody.hpp"
#include "sfg/multibody/aggregate.hpp"

// Not installed.
namespace sfg {

/// Which motions a joint leaves free where the z axis of its places is the joint's own: turned so by turned_to_axis(). A
/// universal joint has none of these.
Aggregate::Freedom freedom_of(Multibody::JointKind);

/// Coordinates and speeds of a joint, in the order of its names.
struct JointMotion {
  std::vector<double> coordinates, speeds;
};
/// Of the second place relative to the first, both turned; an angle is in (−π, π].
JointMotion joint_motion(Multibody::JointKind, const MovingPlace& first, const MovingPlace& second);
/// How many coordinates and speeds those are.
JointMotion at_rest(Multibody::JointKind);
/// The second place at those coordinates and speeds, or the first.
MovingPlace second_place(Multibody::JointKind, const MovingPlace& first, const JointMotion&);
MovingPlace first_place(Multibody::JointKind, const MovingPlace& second, const JointMotion&);

}  // namespace sfg
