#pragma once
#include <nlohmann/json.hpp>

#include "sfg/multibody/motion_state.hpp"

// Not installed.
namespace sfg::json {

/// What stands under "at" in docs/schema/derive.schema.json.
nlohmann::ordered_json motion_state(const MotionState&);

}  // namespace sfg::json
