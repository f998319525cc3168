#pragma once
#include <string>
#include <vector>

#include "sfg/draw/bodies/mechanism_shapes.hpp"

// Not installed: points on paper, and the symbols of elements as paths.
namespace sfg::symbols {

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double f, Point a) { return {f * a.x, f * a.y}; }
/// Turned by a right angle, to the left of the way on paper.
inline Point left(Point a) { return {a.y, -a.x}; }
double length(Point);
inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

/// Straight pieces of a class; closed: an outline.
SceneShape line(const std::string& style, std::vector<Point>, bool closed = false);
SceneShape circle(const std::string& style, Point centre, double radius);
/// The hatched side is on the right of the way from a to b.
SceneShape hatching(Point a, Point b);
std::vector<Point> hull(std::vector<Point>);

/// A spring, a damper or both side by side, from a to b.
void along(SceneGroup&, Point a, Point b, bool stiff, bool damped);
/// A torsional spring about a point.
void spiral(SceneGroup&, Point);
void arrow(SceneGroup&, Point tip, Point direction);
/// A fixed line with hatching under it.
void plate(SceneGroup&, Point a, Point b);
/// What a thing that comes from there is fixed to.
void wall(SceneGroup&, Point at, Point from);

/// How many of the points that are drawn lie along a line.
std::ptrdiff_t crowded(const std::vector<Point>& covered, Point a, Point b);
/// The corner that has most room about it, some way into the picture.
Point emptiest_corner(const std::vector<Point>& covered, const MechanismView&);

/// The order of points along a line; none where they are not on one.
std::vector<std::size_t> in_a_row(const std::vector<Mechanism::Point>&);

}  // namespace sfg::symbols
