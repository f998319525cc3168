#pragma once
#include <vector>

#include "sfg/draw/bodies/mechanism_shapes.hpp"

// Not installed: what the picture of a mechanism and its animation have in common.
namespace sfg {

/// Where names cover nothing, or little: from their anchors.
std::vector<Point> label_offsets(const MechanismDrawing&, const MechanismView&);
/// With the names at these places.
Scene mechanism_scene(const Mechanism&, const MechanismView&, MechanismDrawing, const std::vector<Point>& offsets);
/// @throws LimitReached
void check_size(const Mechanism&);

}  // namespace sfg
