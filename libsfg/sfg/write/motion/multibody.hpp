#pragma once
#include <iosfwd>
#include <optional>

#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// M v̇ = F + Jᵀ λ with its substitutions and how much they cost; of small motions M, C, K and B; at a state accelerations and
/// reactions.
struct MultibodyAnswer {
  const MultibodyEquations& equations;
  std::optional<MultibodyLinearization> small = {};
  std::optional<MotionState> at = {};
};
Page page(const MultibodyAnswer&);
/// Schema sfg/derive/1, the form "multibody".
void write_json(std::ostream&, const MultibodyAnswer&);

}  // namespace sfg
