#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sfg/draw/sketch.hpp"

namespace sfg {
namespace {

constexpr double beside = 6;  // between a label and what it belongs to
constexpr double node_half = 6;

struct Place {
  Point centre;
  double cost = 0;
};

class Labelling {
 public:
  explicit Labelling(Sketch& sketch) : s_(sketch) {}

  void run() {
    const std::size_t branches = s_.graph.branches().size(), nodes = s_.graph.nodes().size();
    s_.arrows.assign(branches, 0);
    for (const BranchId id : s_.graph.branch_ids()) s_.arrows[id.index] = arrow(id);
    boxes_.assign(branches + nodes, {});
    bounds_.clear();
    for (const Sketch::Course& course : s_.courses) {
      Box box = Box::around(course.samples.front(), 0, 0);
      for (const Point p : course.samples) box.include(p);
      bounds_.push_back(box);
    }
    s_.gain_centres.assign(branches, {});
    s_.name_centres.assign(nodes, {});
    for (int round = 0; round < 4; ++round) {
      for (std::size_t n = 0; n < nodes; ++n) s_.name_centres[n] = settle(branches + n, name_places(n), s_.names[n], none);
      for (const BranchId id : order())
        s_.gain_centres[id.index] = settle(id.index, gain_places(id), s_.gains[id.index], id.index);
    }
  }

  /// Labels that lie on others, on nodes or on courses that are not their own.
  LabelFaults faults() const {
    LabelFaults found;
    const std::size_t branches = s_.courses.size();
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) found.on_labels += boxes_[i].overlap(boxes_[k]) > 0 ? 1 : 0;
      for (const Point node : s_.nodes) found.on_nodes += boxes_[i].overlap(Box::around(node, node_half, node_half)) > 0 ? 1 : 0;
      for (std::size_t b = 0; b < branches; ++b)
        if (b != i && boxes_[i].overlap(bounds_[b].grown(1)) > 0)
          found.on_courses += std::ranges::any_of(s_.courses[b].samples, [&](Point p) { return boxes_[i].contains(p); }) ? 1 : 0;
    }
    return found;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Labels with the least freedom first: lines and arcs, then what runs between rows.
  std::vector<BranchId> order() const {
    std::vector<BranchId> ids = s_.graph.branch_ids();
    std::ranges::stable_sort(ids, [&](BranchId a, BranchId b) { return s_.courses[a.index].shape < s_.courses[b.index].shape; });
    return ids;
  }

  /// The arrow stands midway, or off the middle where other branches cross there.
  std::size_t arrow(BranchId id) const {
    const auto& own = s_.courses[id.index].samples;
    const std::size_t last = own.size() - 1;
    if (s_.courses[id.index].shape != Sketch::Shape::free) return last / 2;
    std::size_t best = last / 2;
    double best_cost = 1e9;
    for (const double t : {0.5, 0.56, 0.44, 0.62, 0.38, 0.68, 0.32}) {
      const auto i = static_cast<std::size_t>(std::lround(t * static_cast<double>(last)));
      double cost = 20 * std::abs(t - 0.5);
      for (const BranchId other : s_.graph.branch_ids())
        if (other != id)
          for (const Point p : s_.courses[other.index].samples)
            if (within(p, own[i], 10)) cost += 1;
      if (cost < best_cost - 1e-9) best_cost = cost, best = i;
    }
    return best;
  }

  std::vector<Place> name_places(std::size_t n) const {
    const Point at = s_.nodes[n];
    const Size size = s_.names[n];
    const double dx = size.width / 2 + node_half + 4, dy = size.height / 2 + node_half + 3;
    const NodeId id{static_cast<std::uint32_t>(n)};
    const double left = s_.graph.entering(id).empty() ? 0.4 : 1.6, right = s_.graph.leaving(id).empty() ? 0.4 : 1.6;
    std::vector<Place> places{
        {{at.x, at.y + dy}, 0}, {{at.x, at.y - dy}, 0.2}, {{at.x - dx, at.y}, left}, {{at.x + dx, at.y}, right}};
    for (const double side : {-1, 1})
      for (const double up : {1, -1})
        for (const double away : {0.0, 7.0})
          places.push_back({{at.x + side * (size.width / 2 + 9), at.y + up * (size.height / 2 + 3 + away)}, 2 + 0.3 * away});
    return places;
  }

  std::vector<Place> gain_places(BranchId id) const {
    const auto& course = s_.courses[id.index];
    const Size size = s_.gains[id.index];
    const auto& samples = course.samples;
    const std::size_t last = samples.size() - 1;
    std::vector<Place> places;
    const bool loose = course.shape == Sketch::Shape::free;
    static constexpr std::array<double, 17> along{0.5,  0.46, 0.54, 0.42, 0.58, 0.38, 0.62, 0.34, 0.66,
                                                  0.27, 0.73, 0.23, 0.77, 0.2,  0.8,  0.15, 0.85};
    for (const double t : along) {
      if (course.shape == Sketch::Shape::self_loop && t != 0.5) break;
      const auto i = static_cast<std::size_t>(std::lround(t * static_cast<double>(last)));
      const Point p = samples[i], q = samples[std::min(i + 1, last)], o = samples[i == 0 ? 0 : i - 1];
      const double length = std::max(distance(o, q), 1e-9);
      const Point normal{(q.y - o.y) / length, (o.x - q.x) / length};
      const double off = std::abs(normal.x) * size.width / 2 + std::abs(normal.y) * size.height / 2 + beside;
      const double away = 8 * std::abs(t - 0.5);
      for (const double side : {1, -1}) {
        for (const double further : {0.0, 9.0}) {
          const double by = side * (off + further);
          places.push_back(
              {{p.x + by * normal.x, p.y + by * normal.y}, away + 0.7 * further + side_cost(course, side * normal.y)});
        }
      }
      if (loose) places.push_back({p, away + (i == s_.arrows[id.index] ? 30 : 4.5)});
    }
    return places;
  }

  /// Gains stand over lines, and outside of arcs.
  static double side_cost(const Sketch::Course& course, double towards_bottom) {
    const double wrong = towards_bottom > 0 ? 1.5 : 0;
    if (course.shape == Sketch::Shape::line) return 2 * wrong;
    if (course.shape == Sketch::Shape::arc || course.shape == Sketch::Shape::self_loop)
      return (course.height > 0) == (towards_bottom > 0) ? 6 : 0;
    return wrong;
  }

  Point settle(std::size_t label, const std::vector<Place>& places, Size size, std::size_t own) {
    const Place* best = nullptr;
    double best_cost = 0;
    boxes_[label] = {};
    for (const Place& place : places) {
      const double cost = place.cost + covered(Box::around(place.centre, size.width, size.height), own);
      if (best == nullptr || cost < best_cost - 1e-9) best = &place, best_cost = cost;
    }
    boxes_[label] = Box::around(best->centre, size.width, size.height);
    return best->centre;
  }

  /// What a label there would cover: other labels, nodes, courses.
  double covered(const Box& box, std::size_t own) const {
    double cost = 0;
    const Box wide = box.grown(2), closer = box.grown(beside + 3);
    for (const Box& other : boxes_)
      if (const double area = wide.overlap(other); area > 0) cost += 100 + 0.2 * area;
    for (const Point node : s_.nodes)
      if (wide.overlap(Box::around(node, 2 * node_half, 2 * node_half)) > 0) cost += 100;
    for (std::size_t b = 0; b < s_.courses.size(); ++b) {
      if (closer.overlap(bounds_[b].grown(beside)) == 0) continue;
      const auto& samples = s_.courses[b].samples;
      std::size_t inside = 0;
      bool near = false;  // it could be taken for the label of that course
      for (std::size_t i = 0; i < samples.size(); ++i) {
        if (wide.contains(samples[i])) ++inside;
        near = near || closer.contains(samples[i]);
        if (b != own && i == s_.arrows[b] && wide.grown(3).contains(samples[i])) cost += 12;
      }
      if (b != own && own != none && near) cost += 3;
      if (b != own && inside > 0) cost += 16 + 0.8 * static_cast<double>(inside);
    }
    return cost;
  }

  Sketch& s_;
  std::vector<Box> boxes_;
  std::vector<Box> bounds_;  ///< of the courses
};

}  // namespace

LabelFaults place_labels(Sketch& sketch) {
  Labelling labelling(sketch);
  labelling.run();
  return labelling.faults();
}

}  // namespace sfg
