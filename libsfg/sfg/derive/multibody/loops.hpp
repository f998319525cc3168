#pragma once
#include <vector>

#include "sfg/derive/multibody/composite.hpp"

// Not installed.
namespace sfg {

/// A row of a joint that closes a loop: φ = 0, φ̇ = J v, J v̇ = γ, and what a multiplier 1 does to the second body at its place.
struct LoopRow {
  std::size_t joint;
  std::string name;  ///< "B.x", "B.y" of displacements, "B.xy" of a right angle between axes
  GiNaC::ex value, gamma;
  std::vector<GiNaC::ex> J;  ///< by speed
  spatial::Vector force{0, 0, 0}, moment{0, 0, 0};
  spatial::Vector moment_on_first{0, 0, 0};  ///< the opposite of it, and of the force, act on the first body at its place
};

/// What cut joints demand. In the plane rows that are 0 whatever moves are left out.
std::vector<LoopRow> loop_rows(const Multibody&, const JointForest&, const Unknowns&, TreeMotion&, Composite&, Substitutions&);

}  // namespace sfg
