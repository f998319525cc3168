#pragma once
#include "sfg/budget.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/model/model.hpp"
#include "sfg/model/motion.hpp"

namespace sfg {

/// The equations of a model with its nonlinear terms kept as laws, where derive() would linearise. Static loads and constants
/// stay in the laws too: they move the rest.
/// @throws sfg::Error as derive(), and where the terms cannot be written as laws of signals and their rates.
/// @throws LimitReached, Cancelled by the budget.
EquationSystem nonlinear_equations(const Model&, const Budget& = {});
EquationSystem nonlinear_equations(const Lagrangian&, const Budget& = {});
EquationSystem nonlinear_equations(const Multibody&, const Budget& = {});

/// M q̈ = F: what is linear with constant coefficients goes into D(p) and B(p), what is left of each equation is one law of the
/// coordinates, inputs and their rates; a mass that depends on these gives a law of the accelerations.
/// @param place  of the coordinates, where the masses are taken whose accelerations are linear terms if those at 0 are singular
///               (a pendulum's length in polar coordinates); where these are, too, all coordinates are 1
EquationSystem nonlinear_equations(const EquationsOfMotion&, const Budget& = {}, const GiNaC::exmap& place = {});

/// The first argument becomes u and its rate v, unless the model has these names: then the branch says all signals by their own.
void name_first_argument(EquationSystem&, EquationSystem::Law&);

}  // namespace sfg
