#include "sfg/draw/polyline.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {
namespace {

/// The points without those on the straight way between their neighbours.
std::vector<Point> corners(const std::vector<Point>& points) {
  std::vector<Point> kept{points.front()};
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (distance(kept.back(), points[i]) < 0.5 && i + 1 < points.size()) continue;
    if (kept.size() > 1) {
      const Point a = kept[kept.size() - 2], b = kept.back(), c = points[i];
      const double off = std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / std::max(distance(a, c), 1e-9);
      if (off < 0.05) kept.pop_back();
    }
    kept.push_back(points[i]);
  }
  return kept;
}

Point towards(Point from, Point to, double by) {
  const double length = std::max(distance(from, to), 1e-9);
  return {from.x + by * (to.x - from.x) / length, from.y + by * (to.y - from.y) / length};
}

void add_straight(std::vector<Point>& curve, Point to) {
  if (distance(curve.back(), to) < 0.3) return;
  const auto piece = straight(curve.back(), to);
  curve.insert(curve.end(), piece.begin() + 1, piece.end());
}

}  // namespace

std::vector<Point> rounded(const std::vector<Point>& points) {
  constexpr double most_cut = 5;  // how far a rounded corner may lie from the sharp one
  const std::vector<Point> at = corners(points);
  std::vector<Point> curve{at.front()};
  for (std::size_t i = 1; i + 1 < at.size(); ++i) {
    const Point p = at[i], in = towards(p, at[i - 1], 1), out = towards(p, at[i + 1], 1);
    const double turn = std::max(std::hypot(in.x + out.x - 2 * p.x, in.y + out.y - 2 * p.y), 1e-6);
    const double room =
        std::min(distance(at[i - 1], p) * (i == 1 ? 0.8 : 0.5), distance(p, at[i + 1]) * (i + 2 == at.size() ? 0.8 : 0.5));
    const double radius = std::min(room, 4 * most_cut / turn);
    const Point a = towards(p, at[i - 1], radius), c = towards(p, at[i + 1], radius);
    add_straight(curve, a);
    curve.push_back(towards(curve.back(), p, 0.62 * radius));
    curve.push_back(towards(c, p, 0.62 * radius));
    curve.push_back(c);
  }
  const auto last = straight(curve.back(), at.back());
  curve.insert(curve.end(), last.begin() + 1, last.end());
  return curve;
}

std::size_t nearest_sample(const std::vector<Point>& samples, Point to) {
  std::size_t best = 1;
  for (std::size_t i = 1; i + 1 < samples.size(); ++i)
    if (distance(samples[i], to) < distance(samples[best], to)) best = i;
  return best;
}

std::size_t crossings(const Sketch& s) {
  constexpr double parting = 12;  // from a node of both they are not seen to cross
  std::vector<Box> boxes;
  for (const Sketch::Course& course : s.courses) boxes.push_back(bounds(course.samples).grown(0.1));
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      if (boxes[i].overlap(boxes[k]) == 0) continue;
      const Branch &a = s.graph.branches()[i], &b = s.graph.branches()[k];
      for (const Point p : crossing_points(s.courses[i].samples, s.courses[k].samples)) {
        const auto at_node = [&](NodeId node) {
          return (node == b.from || node == b.to) && distance(p, s.nodes[node.index]) <= parting;
        };
        count += at_node(a.from) || at_node(a.to) ? 0 : 1;
      }
    }
  return count;
}

}  // namespace sfg
