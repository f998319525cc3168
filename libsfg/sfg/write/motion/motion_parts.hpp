#pragma once
#include <ginac/ex.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sfg/model/motion.hpp"
#include "sfg/write/page/page.hpp"

// Not installed: what pages and JSON of equations of motion have in common.
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
