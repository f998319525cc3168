#include "sfg/draw/polyline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

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

/// What lies where: points of courses and boxes of labels, by squares of the plane.
class Field {
 public:
  /// Only what lies near such a box will be asked for.
  void expect(const Box& box) {
    each_cell(box, [&](std::int64_t k) { points_.try_emplace(k); });
  }
  void add(const std::vector<Point>& samples, std::size_t owner) {
    constexpr double step = 4;
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const double length = distance(samples[i - 1], samples[i]);
      for (double t = 0; t < length; t += step) {
        const Point p = towards(samples[i - 1], samples[i], t);
        if (const auto found = points_.find(key(cell(p.x), cell(p.y))); found != points_.end())
          found->second.push_back({p, owner});
      }
    }
  }
  void add(const Box& box, std::size_t owner) {
    each_cell(box, [&](std::int64_t k) { boxes_[k].push_back({box, owner}); });
  }
  /// Points of courses inside that belong to others.
  std::size_t points_in(const Box& box, std::size_t owner) const {
    std::size_t count = 0;
    each_cell(box, [&](std::int64_t k) {
      if (const auto found = points_.find(k); found != points_.end())
        for (const auto& [p, of] : found->second) count += of != owner && box.contains(p) ? 1 : 0;
    });
    return count;
  }
  bool box_in(const Box& box, std::size_t owner) const {
    bool met = false;
    each_cell(box, [&](std::int64_t k) {
      if (const auto found = boxes_.find(k); found != boxes_.end())
        for (const auto& [other, of] : found->second) met = met || (of != owner && box.overlap(other) > 0);
    });
    return met;
  }

 private:
  static constexpr double square = 48;
  static std::int64_t cell(double v) { return static_cast<std::int64_t>(std::floor(v / square)); }
  static std::int64_t key(std::int64_t column, std::int64_t row) { return (column << 32) ^ (row & 0xffffffff); }
  template <class Visit>
  static void each_cell(const Box& box, Visit visit) {
    for (std::int64_t c = cell(box.left); c <= cell(box.right); ++c)
      for (std::int64_t r = cell(box.top); r <= cell(box.bottom); ++r) visit(key(c, r));
  }
  std::unordered_map<std::int64_t, std::vector<std::pair<Point, std::size_t>>> points_;
  std::unordered_map<std::int64_t, std::vector<std::pair<Box, std::size_t>>> boxes_;
};

constexpr double node_half = 6;
constexpr std::size_t none = static_cast<std::size_t>(-1);

struct Place {
  Point centre;
  double cost;
};

std::vector<Place> name_places(const Sketch& s, std::size_t n) {
  const Point at = s.nodes[n];
  const Size size = s.names[n];
  const NodeId id{static_cast<std::uint32_t>(n)};
  const double dx = size.width / 2 + node_half + 4, dy = size.height / 2 + node_half + 3;
  std::vector<Place> places;
  for (const double further : {0.0, 5.0, 10.0, 16.0})
    for (const double up : {1, -1}) {
      places.push_back({{at.x, at.y + up * (dy + further)}, 0.12 * further + (up < 0 ? 0.2 : 0)});
      for (const double side : {-1, 1})
        for (const double part : {0.3, 0.6, 1.0})
          places.push_back({{at.x + side * part * dx, at.y + up * (dy + further)}, 0.5 + part + 0.12 * further});
    }
  places.push_back({{at.x - dx, at.y}, s.graph.entering(id).empty() ? 0.1 : 1.5});
  places.push_back({{at.x + dx, at.y}, s.graph.leaving(id).empty() ? 0.1 : 1.5});
  return places;
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
  std::vector<Box> bounds;
  for (const Sketch::Course& course : s.courses) {
    Box box = Box::around(course.samples.front(), 0, 0);
    for (const Point p : course.samples) box.include(p);
    bounds.push_back(box.grown(0.1));
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      if (bounds[i].overlap(bounds[k]) == 0) continue;
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

LabelFaults place_names(Sketch& s) {
  Field field;
  const std::size_t branches = s.courses.size();
  const auto gain_box = [&](std::size_t b) { return Box::around(s.gain_centres[b], s.gains[b].width, s.gains[b].height); };
  for (std::size_t b = 0; b < branches; ++b) field.expect(gain_box(b));
  for (std::size_t n = 0; n < s.nodes.size(); ++n)
    field.expect(Box::around(s.nodes[n], 2 * s.names[n].width + 40, 2 * s.names[n].height + 80));
  for (std::size_t b = 0; b < branches; ++b) {
    field.add(s.courses[b].samples, b);
    field.add(gain_box(b), b);
  }
  for (std::size_t n = 0; n < s.nodes.size(); ++n) field.add(Box::around(s.nodes[n], 2 * node_half, 2 * node_half), branches + n);
  LabelFaults faults;
  for (std::size_t b = 0; b < branches; ++b) {
    faults.on_courses += field.points_in(gain_box(b), b) > 0 ? 1 : 0;
    faults.on_labels += field.box_in(gain_box(b), b) ? 1 : 0;
  }
  s.name_centres.assign(s.nodes.size(), {});
  for (std::size_t n = 0; n < s.nodes.size(); ++n) {
    double least = 0;
    bool found = false, meets = false, passed = false;
    for (const Place& place : name_places(s, n)) {
      const Box box = Box::around(place.centre, s.names[n].width, s.names[n].height).grown(1.5);
      const auto points = static_cast<double>(field.points_in(box, none));
      const bool label = field.box_in(box, branches + n);
      const double cost = place.cost + 10 * (points > 0 ? 1 : 0) + points + (label ? 60 : 0);
      if (found && cost >= least) continue;
      found = true, least = cost, s.name_centres[n] = place.centre;
      meets = label, passed = points > 0;
    }
    field.add(Box::around(s.name_centres[n], s.names[n].width, s.names[n].height), branches + s.nodes.size() + n);
    faults.on_labels += meets ? 1 : 0;
    faults.on_courses += passed ? 1 : 0;
  }
  return faults;
}

}  // namespace sfg
