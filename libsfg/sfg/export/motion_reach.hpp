#pragma once
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/exported_motion.hpp"

// Not installed.
namespace sfg {

/// How far from 0 each state comes up to that time, two digits by a rough run: what a tolerance of it may be a part of. 1 of a
/// state that stays at 0.
/// @param parameters  their values, in the order of the motion's tapes
std::vector<double> reach_of_states(const ExportedMotion&, const std::vector<double>& parameters, double until,
                                    const Budget& = {});

}  // namespace sfg
