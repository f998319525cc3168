#pragma once
#include "sfg/multibody/motion_state.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Accelerations, reactions, M and F at the state.
Page page(const MotionState&);

}  // namespace sfg
