#pragma once
#include <vector>

#include "sfg/draw/curve.hpp"
#include "sfg/draw/sketch.hpp"

namespace sfg {

/// A Bézier curve along these points, its corners rounded by at most half of what they join.
std::vector<Point> rounded(const std::vector<Point>& points);

/// The sample, none of the ends, that is nearest to a point.
std::size_t nearest_sample(const std::vector<Point>& samples, Point);

/// How many times branches cross, but for where they part at a node of both.
std::size_t crossings(const Sketch&);

/// Places for the names of nodes when gains and courses have theirs: where nothing lies, found by squares of the plane, so
/// that thousands of nodes cost little. @returns what names and gains cover.
LabelFaults place_names(Sketch&);

}  // namespace sfg
