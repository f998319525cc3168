#pragma once
#include "sfg/budget.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/model/motion.hpp"

namespace sfg {

/// Lagrange's equations d/dt ∂T/∂q̇ − ∂T/∂q + ∂Π/∂q + ∂Φ/∂q̇ = Q, kept nonlinear and solved for nothing: M q̈ = F. Auxiliary
/// coordinates are put in; Q are the forces and the static loads. Redundant coordinates and excitations are inputs.
/// @throws sfg::Error with every problem of the model and its place. Nonlinear energies and explicit time are none here.
/// @param keep_forms  what depends on one difference or sum of signals alone, as (x2 − x1)^3, is not multiplied out
/// @see docs/design/derivation.md, section 11
/// @throws LimitReached, Cancelled by the budget.
EquationsOfMotion equations_of_motion(const Lagrangian&, const Budget& = {}, bool keep_forms = false);

}  // namespace sfg
