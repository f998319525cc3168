#pragma once
#include <ginac/ex.h>

#include <map>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/energies.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/operating_point.hpp"

namespace sfg {

/// The operator polynomials at a point (docs/design/derivation.md, section 3).
struct Coefficients {
  /// d[i][s]: i a principal or redundant coordinate, s any variable; nonzero ones.
  std::map<std::string, std::map<std::string, OperatorPolynomial>> d;
  /// Summands that contain variables and yet contribute to no coefficient.
  std::vector<const EnergySummand*> without_influence;
};

Coefficients coefficients(const Energies&, const OperatingPoint&, const Budget&);

/// ∂Pi/∂x_i − ∂T/∂x_i + ∂Phi/∂Dx_i for every principal coordinate, in their order: the force that the loads must balance.
/// Variables that the point gives a value are replaced by it, the others stay.
/// @throws sfg::Error when a force jumps there (dry friction).
std::vector<GiNaC::ex> static_forces(const Energies&, const OperatingPoint&);

/// Multiplied out when that does not grow too large, and 0 when it vanishes.
GiNaC::ex tidy(const GiNaC::ex&);

}  // namespace sfg
