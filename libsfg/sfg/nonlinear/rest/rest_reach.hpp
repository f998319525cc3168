#pragma once
#include <optional>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/nonlinear/rest/rest_equations.hpp"
#include "sfg/nonlinear/rest/rest_system.hpp"
#include "sfg/numeric/tape.hpp"

// Not installed: how far away states of rest may be.
namespace sfg {

/// The equations at rest, and combinations of them in which one law, or one argument, stands alone: what dominates far away, and
/// what narrows a box, may be seen in these only. A law that stands in several branches counts once.
RestEquations with_combinations(const RestEquations&, const PrincipalForm&);

/// The laws as a tape of the arguments and the time, with constants as they are.
numeric::Tape far_laws(const PrincipalForm&, const GiNaC::exmap& values);

/// A distance, a power of ten, beyond which there is surely no state of rest in any argument without a side: by FarBounds, face
/// by face of the cube whose half side is the greatest of them. Nothing where that could not be shown.
/// @param sides  of each argument; infinite where none is stated, and found here where an equation gives it alone: a rate is 0
std::optional<double> rest_reach(const RestEquations&, const PrincipalForm&, const numeric::Tape& laws,
                                 const std::vector<double>& inputs, RestBox& sides, const Budget& = {});

}  // namespace sfg
