#pragma once
#include <vector>

#include "sfg/derive/energies.hpp"

namespace sfg {

/// What energies say that was hardly meant: a coordinate that has no mass (warnings and remarks).
/// @throws sfg::Error where a term would vanish from the equations: a rate written xdot or vx, a kinetic energy or dissipation
///         without any rate.
std::vector<Diagnostic> inspect_energies(const Lagrangian&, const Energies&);

}  // namespace sfg
