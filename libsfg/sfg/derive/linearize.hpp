#pragma once
#include <ginac/ex.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/energies.hpp"
#include "sfg/derive/equilibrium.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/derive/second_derivatives.hpp"

namespace sfg {

/// Whether the model states or asks for an equilibrium; an empty table of values asks for nothing.
bool is_linearized(const Lagrangian&);

/// All variables and rates 0: where a linear model is differentiated.
OperatingPoint rest_at_zero(const Energies&);

/// Where a nonlinear model is linearised, what is known of that point, and what is worth saying.
struct Equilibrium {
  OperatingPoint point;
  EquilibriumPoint description;
  std::vector<Diagnostic> notes;
};

/// The point that the model states or asks to find (docs/design/derivation.md, section 10): excitations at their means (0 unless
/// stated), rates 0 but for stated ones of cyclic coordinates. The model has an `equilibrium`.
/// @throws sfg::Error for values that are none, parameters without the value the search needs; NoAnswer when no equilibrium is
/// found.
Equilibrium equilibrium(const Lagrangian&, const Energies&, const Budget&);

/// What is left of the static forces at a point: the linear terms of Pi, static forces, an unbalanced rest.
struct ConstantLoads {
  std::map<std::string, GiNaC::ex> along;  ///< by coordinate; nonzero ones
  double residual = 0;                     ///< greatest unbalanced force at a stated equilibrium
  std::vector<Diagnostic> notes;
};

/// @param equilibrium  of a linearised model: its loads must balance there
ConstantLoads constant_loads(const Lagrangian&, const Energies&, const OperatingPoint&,
                             const std::optional<EquilibriumPoint>& equilibrium);

/// A note on every nonlinear summand that has no influence at the point.
std::vector<Diagnostic> without_influence(const Energies&, const Coefficients&);

/// The kind of an equilibrium by its stiffness; nothing when a parameter has no value.
std::optional<Stability> stability(const std::vector<std::vector<GiNaC::ex>>& stiffness, const GiNaC::exmap& parameters);

}  // namespace sfg
