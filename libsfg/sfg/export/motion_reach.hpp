#pragma once
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/exported_motion.hpp"

// Not installed.
namespace sfg {

/// How far from 0 each state comes up to that time, two digits by a rough run: what a tolerance of it may be a part of. 1 of a
/// state that stays at 0. Nothing of a graph in z, or where no times are asked for.
/// @param motion  exported_motion() of the subject and the parameters
std::vector<double> reach_of_states(const ExportSubject&, const ExportedMotion& motion, const std::vector<ExportedParameter>&,
                                    const Budget& = {});

}  // namespace sfg
