#pragma once
#include <vector>

#include "sfg/draw/curve.hpp"

namespace sfg {

/// The boxes of a formula's ink: of its texts and rules, and what lies between two of them one above the other (a line there
/// would run through the formula, too).
std::vector<Box> ink(const Formula&);
/// The same about the centre of the formula's room.
std::vector<Box> ink_about_centre(const Formula&);

Box bounds(const std::vector<Box>&);
inline Box moved(const Box& box, Point by) { return {box.left + by.x, box.top + by.y, box.right + by.x, box.bottom + by.y}; }
/// Between boxes, from a box to a point, and to a line from a to b; 0 where they meet.
double distance(const Box&, const Box&);
double distance(const Box&, Point);
double distance(const Box&, Point a, Point b);

}  // namespace sfg
