#pragma once
#include <vector>

#include "sfg/draw/graph/sketch.hpp"

namespace sfg {

/// A Bézier curve along these points, its corners rounded by at most half of what they join.
std::vector<Point> rounded(const std::vector<Point>& points);

/// The sample, none of the ends, that is nearest to a point.
std::size_t nearest_sample(const std::vector<Point>& samples, Point);

/// How many times branches cross, but for where they part at a node of both.
std::size_t crossings(const Sketch&);

}  // namespace sfg
