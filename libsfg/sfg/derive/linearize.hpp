#pragma once
#include <ginac/ex.h>

#include <map>
#include <string>

#include "sfg/derive/energies.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/derive/second_derivatives.hpp"

namespace sfg {

/// All variables and rates 0: where a linear model is differentiated.
OperatingPoint rest_at_zero(const Energies&);

/// The point that the model states or asks to find; fills `equilibrium` and the notes of the result (docs/design/derivation.md,
/// section 10): excitations at their means (0 unless stated), rates 0 but for stated ones of cyclic coordinates.
/// @throws sfg::Error for values that are none, parameters without the value the search needs; NoAnswer when no equilibrium is
/// found.
OperatingPoint operating_point(const Lagrangian&, const Energies&, LagrangeEquations& result);

/// What is left of the static forces at the point: the linear terms of Pi, static forces, an unbalanced rest.
std::map<std::string, GiNaC::ex> constant_loads(const Lagrangian&, const Energies&, const OperatingPoint&,
                                                LagrangeEquations& result);

/// Stability of the point, and the nonlinear summands without influence there.
void note_linearization(const Energies&, const Coefficients&, LagrangeEquations& result);

}  // namespace sfg
