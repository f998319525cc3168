#include <algorithm>
#include <cmath>
#include <utility>

#include "sfg/draw/sketch.hpp"

namespace sfg {
namespace {

constexpr double fan = 80;  // about a node its branches may lie close together

struct Candidate {
  std::vector<Point> curve;
  double cost = 0;
};

Point part(Point a, Point b, double t, double sideways) {
  return {a.x + t * (b.x - a.x) - sideways * (b.y - a.y), a.y + t * (b.y - a.y) + sideways * (b.x - a.x)};
}

class Routing {
 public:
  explicit Routing(Sketch& sketch) : s_(sketch) {}

  void run() {
    std::vector<BranchId> free;
    for (const BranchId id : s_.graph.branch_ids())
      if (s_.courses[id.index].shape == Sketch::Shape::free) free.push_back(id);
    std::ranges::stable_sort(free, [&](BranchId a, BranchId b) { return std::round(length(a)) < std::round(length(b)); });
    for (int round = 0; round < 2; ++round)
      for (const BranchId id : free) choose(id);
  }

 private:
  double length(BranchId id) const { return distance(s_.nodes[s_.graph[id].from.index], s_.nodes[s_.graph[id].to.index]); }

  void choose(BranchId id) {
    const std::vector<Candidate> candidates = this->candidates(id);
    double best = 0;
    const Candidate* chosen = nullptr;
    for (const Candidate& candidate : candidates) {
      const double cost = candidate.cost + meetings(id, sampled(candidate.curve));
      if (chosen == nullptr || cost < best - 1e-9) best = cost, chosen = &candidate;
    }
    s_.set_curve(id, chosen->curve);
  }

  std::vector<Candidate> candidates(BranchId id) const {
    const Branch& branch = s_.graph[id];
    const Point a = s_.nodes[branch.from.index], b = s_.nodes[branch.to.index];
    const bool feedback = s_.feedback(id);
    const double steep = std::abs(b.y - a.y) > 2.5 * std::abs(b.x - a.x) ? 6 : 0;
    std::vector<Candidate> made{{straight(a, b), feedback ? 3.0 : 0.0}};
    for (const double k : {0.1, 0.18, 0.28, 0.4, 0.55})
      for (const double side : {-1, 1})
        made.push_back({{a, part(a, b, 0.3, side * k), part(a, b, 0.7, side * k), b}, (feedback ? 2 : 4) + 25 * k});
    const double dx = b.x - a.x;
    made.push_back({{a, {a.x + 0.5 * dx, a.y}, {b.x - 0.5 * dx, b.y}, b}, 6 + steep});
    const double corner = feedback ? 1 : 9;  // out of the row and along another, as a return path is drawn
    made.push_back({{a, {a.x + 0.05 * dx, a.y + 0.75 * (b.y - a.y)}, {a.x + 0.35 * dx, b.y}, b}, corner + steep});
    made.push_back({{a, {b.x - 0.35 * dx, a.y}, {b.x - 0.05 * dx, b.y - 0.75 * (b.y - a.y)}, b}, corner + steep});
    return made;
  }

  /// What a course would meet on its way: nodes, other courses crossed or run along.
  double meetings(BranchId id, const std::vector<Point>& samples) const {
    const Branch& branch = s_.graph[id];
    const bool returning = s_.flow.returning[branch.from.index] || s_.flow.returning[branch.to.index];
    double cost = 0.4 * overshoot(samples) + (returning ? 0 : 40 * detour(samples));
    for (std::size_t n = 0; n < s_.nodes.size(); ++n) {
      if (n == branch.from.index || n == branch.to.index) continue;
      double near = 1e9;
      for (const Point p : samples) near = std::min(near, distance(p, s_.nodes[n]));
      if (near < 14) cost += 60;
      if (near < 26) cost += 8;
    }
    Box box = bounds(samples);
    for (const BranchId other : s_.graph.branch_ids()) {
      if (other == id) continue;
      const auto& course = s_.courses[other.index];
      if (box.grown(8).overlap(bounds(course.samples).grown(8)) == 0) continue;
      cost += 7 * static_cast<double>(crossings(samples, course.samples));
      cost += 3 * run_along(branch, s_.graph[other], samples, course.samples);
    }
    return cost;
  }

  /// How far a course strays beyond the abscissas of its ends.
  static double overshoot(const std::vector<Point>& samples) {
    const auto [low, high] = std::minmax(samples.front().x, samples.back().x);
    const Box box = bounds(samples);
    return std::max(low - 24 - box.left, 0.0) + std::max(box.right - high - 24, 0.0);
  }

  /// By how much a course is longer than the straight way.
  static double detour(const std::vector<Point>& samples) {
    double length = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) length += distance(samples[i - 1], samples[i]);
    return length / std::max(distance(samples.front(), samples.back()), 1.0) - 1;
  }

  static Box bounds(const std::vector<Point>& samples) {
    Box box{samples.front().x, samples.front().y, samples.front().x, samples.front().y};
    for (const Point p : samples) box.include(p);
    return box;
  }

  /// Samples that lie on the other course, away from ends they share.
  double run_along(const Branch& branch, const Branch& other, const std::vector<Point>& a, const std::vector<Point>& b) const {
    double count = 0;
    for (const Point p : a) {
      const bool leaving =
          distance(p, s_.nodes[branch.from.index]) < fan && (branch.from == other.from || branch.from == other.to);
      const bool arriving = distance(p, s_.nodes[branch.to.index]) < fan && (branch.to == other.from || branch.to == other.to);
      if (leaving || arriving) continue;
      for (const Point q : b)
        if (within(p, q, 7)) {
          ++count;
          break;
        }
    }
    return count;
  }

  Sketch& s_;
};

}  // namespace

void route_between_rows(Sketch& sketch) { Routing(sketch).run(); }

}  // namespace sfg
