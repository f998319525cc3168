#pragma once
#include <ginac/ginac.h>

#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/multibody/small_motion.hpp"

namespace sfg {

/// Where a motion is linearised: a state of rest, or a steady motion along coordinates that nothing depends on.
struct MotionPoint {
  GiNaC::exmap values = {};       ///< of coordinates, speeds, inputs without a law and the time, by their symbols
  bool exact = true;              ///< expressions of parameters; else decimals that hold for the stated values of parameters
  bool rounded = false;           ///< not exact, or an attitude in decimals
  bool found = false;             ///< searched
  std::vector<bool> steady = {};  ///< by speed: stated, not 0; the force that keeps it is the drive's
  bool is_steady = false;         ///< one of them is
  std::vector<Diagnostic> notes = {};
};

/// The point that the model states or asks to find; with no [equilibrium] all coordinates 0 and attitudes 1.
/// Stated positions that nearly close the loops are closed; coordinates that are not stated move as far as it takes.
/// @throws sfg::Error for values of what does not move, loops that the stated position does not close, parameters without a value
/// where numbers are needed; NoAnswer where no balance is found.
MotionPoint motion_point(const SmallMotion&, const Budget&);

}  // namespace sfg
