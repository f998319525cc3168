#pragma once
#include <string>

#include "sfg/budget.hpp"
#include "sfg/model/circuit.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// The node from which voltages are measured.
inline const std::string ground = "0";

/// Modified nodal analysis (Ho, Ruehli, Brennan 1975): unknowns are the node voltages v(n) and the currents i(E) of voltage
/// sources, inductors, controlled voltage sources and nullors, and what the circuit is asked for (a voltage between two
/// nodes, the current of any element). One row per node (Kirchhoff's current law, currents that leave it) and one per
/// current (the law of its element). Sources are the independent voltage and current sources, by name.
/// @throws sfg::Error naming every node that no current reaches, a missing ground, a control that has no current.
EquationSystem circuit_equations(const Circuit&, const Budget& = {});

}  // namespace sfg
