#pragma once
#include <vector>

#include "sfg/derive/energies.hpp"

namespace sfg {

/// What energies say that was hardly meant: a rate written xdot or vx, a kinetic energy or dissipation without any rate (errors:
/// the term would vanish from the equations), a coordinate that has no mass (a warning).
std::vector<Diagnostic> inspect_energies(const Lagrangian&, const Energies&);

}  // namespace sfg
