#pragma once
#include <iosfwd>

#include "sfg/multibody/motion_state.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

/// Accelerations, reactions, M and F at the state.
Page page(const MotionState&);
/// The object that stands under "at" in docs/schema/derive.schema.json: {"M", "F", "accelerations", "multipliers", "reactions",
/// "constraint_residual", …}.
void write_json(std::ostream&, const MotionState&);

}  // namespace sfg
