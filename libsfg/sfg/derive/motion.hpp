#pragma once
#include "sfg/budget.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/model/equations.hpp"
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

/// The point that the model states or asks to find (docs/design/derivation.md, section 10); all 0 when it asks for none.
/// @throws sfg::Error for values that are none, parameters without the value the search needs; NoAnswer when no equilibrium is
/// found.
OperatingPoint operating_point(const Lagrangian&, const Budget& = {});

/// The equations of small motions about a point; loads that balance there, or do not, are left out. Unknowns are the coordinates
/// and then the multipliers of the constraints.
/// @param point  values of coordinates, rates, inputs and multipliers by their symbols; 0 where not given. Accelerations are 0.
/// @throws sfg::Error when a force jumps at the point, or a coefficient depends on time.
/// @note For a Lagrangian the same as lagrange_equations(model).equations(), on another way.
EquationSystem linearized(const EquationsOfMotion&, const OperatingPoint& point, const Budget& = {});

}  // namespace sfg
