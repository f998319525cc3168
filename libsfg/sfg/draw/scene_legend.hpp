#pragma once
#include <utility>
#include <vector>

#include "sfg/draw/scene.hpp"

namespace sfg {

/// A formula about a centre.
Label centred(Math, Formula, Point centre);
/// Adds lines "g1 = …" under the picture, which grows by them.
void add_legend(Scene&, const std::vector<std::pair<Math, Math>>& names_and_formulas);

}  // namespace sfg
