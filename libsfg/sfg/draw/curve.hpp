#pragma once
// Small geometry of the layout: Bézier curves as lists of points, their samples, boxes.
#include <algorithm>
#include <cmath>
#include <vector>

#include "sfg/draw/graph/drawing.hpp"

namespace sfg {

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;

  static Box around(Point centre, double width, double height) {
    return {centre.x - width / 2, centre.y - height / 2, centre.x + width / 2, centre.y + height / 2};
  }
  Box grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool holds(const Box& b) const { return b.left >= left && b.right <= right && b.top >= top && b.bottom <= bottom; }
  bool contains(Point p) const { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
  double overlap(const Box& o) const {
    const double w = std::min(right, o.right) - std::max(left, o.left), h = std::min(bottom, o.bottom) - std::max(top, o.top);
    return w > 0 && h > 0 ? w * h : 0;
  }
  void include(Point p) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    top = std::min(top, p.y);
    bottom = std::max(bottom, p.y);
  }
};

/// The box of some points; there is one at least.
Box bounds(const std::vector<Point>& points);

inline double distance(Point a, Point b) { return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

inline bool within(Point a, Point b, double distance) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) < distance * distance;
}

/// The point at t (0 to 1) of one span p0 … p3.
inline Point bezier(const Point* p, double t) {
  const double u = 1 - t;
  const double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x, a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

/// The curve as a polyline with equal steps of about this length: finer than any label unless a coarse look will do.
std::vector<Point> sampled(const std::vector<Point>& curve, double step = 7);

std::vector<Point> straight(Point a, Point b);
/// Of a circle, or of an ellipse of half axes along u and v about its centre: from one angle to another, radians from u to v.
std::vector<Point> arc(Point centre, Point u, Point v, double from, double to);
/// A loop standing on a node, `height` high (negative: hanging); `lean`: the sine of its slope to the right.
std::vector<Point> self_loop(Point at, double height, double lean = 0);

/// Where two polylines cross.
std::vector<Point> crossing_points(const std::vector<Point>& a, const std::vector<Point>& b);

}  // namespace sfg
