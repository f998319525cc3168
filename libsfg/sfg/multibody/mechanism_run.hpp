#pragma once
#include <span>

#include "sfg/multibody/mechanism_motion.hpp"

namespace sfg {

/// Integrates M v̇ = F + Jᵀ λ, q̇ = N v by SUNDIALS (CVODE) with the accelerations that keep φ̈ = 0, and projects positions and
/// velocities back onto the constraints, quaternions to unit length, as soon as they leave them.
/// @param times  ascending, from 0 on
/// @param kept   where it is kept on its way
/// @throws sfg::Error  for names that are none and parameters without values; NoAnswer where loops do not close, constraints
///                     contradict each other or the motion cannot be followed; LimitReached, Cancelled by the budget.
MechanismRun mechanism_run(const Multibody&, const MechanismQuestion&, std::span<const double> times,
                           const MechanismOptions& = {}, const KeptRun* kept = nullptr);
/// The same of equations that are there already, with the model's start values and events.
MechanismRun mechanism_run(const Multibody&, const MultibodyEquations&, const MechanismQuestion&, std::span<const double> times,
                           const MechanismOptions& = {}, const KeptRun* kept = nullptr);

}  // namespace sfg
