#pragma once
#include <optional>
#include <vector>

#include "sfg/draw/graph/sketch.hpp"

namespace sfg {

/// By node: the place that its attribute `pos` states (of DOT: "x,y" or "x,y!" in points, y upwards), here y downwards.
/// Empty where fewer than two nodes state one: nothing is to be kept then.
/// @throws Error  with the place of the node for a `pos` that is no place, and for two nodes on one.
std::vector<std::optional<Point>> stated_places(const SignalFlowGraph&);

/// Puts the nodes of the sketch at these places, all by one scale, so large that gains have room, and draws the branches between
/// them as straight or bowed lines. A node without a place keeps the one that it has in the sketch among the others.
void place_as_stated(Sketch&, const std::vector<std::optional<Point>>&);

}  // namespace sfg
