#pragma once
#include <utility>
#include <vector>

#include "sfg/draw/scene.hpp"

namespace sfg {

/// A formula about a centre.
Label centred(Math, Formula, Point centre);
/// Adds lines "g1 = …" under the picture, in columns where it is wide; it grows by them.
/// @param width  which the picture is not to exceed for them, in pixels; 0: as it comes
void add_legend(Scene&, const std::vector<std::pair<Math, Math>>& names_and_formulas, double width = 0);

}  // namespace sfg
