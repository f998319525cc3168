#pragma once
#include <vector>

#include "sfg/draw/curve.hpp"

// Not installed: curves in pixels.
namespace sfg {

/// Points that are joined by straight pieces.
using Stroke = std::vector<Point>;

/// The part of a piece inside a box; false where there is none.
bool clip(Point& from, Point& to, const Box&);
/// What of the strokes lies inside a box.
std::vector<Stroke> clipped(const std::vector<Stroke>&, const Box&);
/// The part of a closed outline inside a box (Sutherland and Hodgman 1974).
Stroke clipped_outline(const Stroke&, const Box&);
/// The same without points that nobody sees: none lies further than that from what is left (Douglas and Peucker 1973).
Stroke simplified(const Stroke&, double tolerance);

/// One after the other, with the pen up between them.
std::vector<Point> joined(const std::vector<Stroke>&);

}  // namespace sfg
