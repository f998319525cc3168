#pragma once
// Not installed: what pages and JSON of equations of motion have in common.
#include <ginac/ex.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "sfg/model/motion.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Parameters that occur, in the order of the model.
std::vector<std::string> occurring_parameters(const EquationsOfMotion&);
/// name = expression, in the order of evaluation; nothing where there are none.
void add_definitions(Page&, const EquationsOfMotion&, const std::string& heading);

namespace json {

/// Expressions in the grammar of models.
nlohmann::ordered_json texts(const std::vector<GiNaC::ex>& column);
nlohmann::ordered_json texts(const EquationsOfMotion::Matrix&);

}  // namespace json

}  // namespace sfg

namespace sfg::json {

/// What stands under "at" in docs/schema/derive.schema.json.
nlohmann::ordered_json motion_state(const MotionState&);

}  // namespace sfg::json
