#pragma once
#include <span>
#include <string>

#include "sfg/budget.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

enum class ModeKind {
  rigid,        ///< a pole at 0: every position is an equilibrium
  oscillating,  ///< one of a pair
  real,         ///< it decays or grows without oscillation
};
ModeKind kind_of(const Mode&);
const char* name_of(ModeKind);

/// Adds the shapes to modes: at a pole p the solutions of D(p) x = 0 in the unknowns of the equations, the largest component 1. A
/// multiple pole has as many as are independent of each other, which may be fewer than its multiplicity (the free body: one). The
/// entries of D(p) are exact but for the last rounding, so that what nearly cancels in m p² + k loses nothing.
/// @param poles  of these equations or of a transfer function of theirs; with more than 17 digits for the best of shapes
/// @throws sfg::Error naming parameters without values.
void add_shapes(PolesZeros& poles, const EquationSystem&, const Budget& = {});

/// The shapes in other signals, by their names: unknowns, and definitions of these equations, which follow from them (dependent
/// coordinates of a mechanism). The largest of these components becomes 1; shapes that have none of them are 0.
void choose_signals(PolesZeros&, const EquationSystem&, std::span<const std::string> names);

/// The poles of a whole model. Whether it is undamped rather than unstable is decided by the shapes, found for that where every
/// pole is on the axis. @throws NoAnswer and sfg::Error as characteristic_coefficients().
PolesZeros poles(const EquationSystem&, const PolesOptions& = {});

}  // namespace sfg
