#pragma once
#include <iosfwd>
#include <optional>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

/// M v̇ = F + Jᵀ λ with its substitutions and how much they cost; at a state accelerations and reactions.
Page page(const MultibodyEquations&, const std::optional<MotionState>& at = {});
/// Schema sfg/derive/1, the form "multibody".
void write_json(std::ostream&, const MultibodyEquations&, const std::optional<MotionState>& at = {});

}  // namespace sfg
