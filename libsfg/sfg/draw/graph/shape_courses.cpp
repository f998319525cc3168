#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sfg/draw/graph/head_room.hpp"
#include "sfg/draw/graph/sketch.hpp"
#include "sfg/draw/graph/wishes.hpp"

namespace sfg {
namespace {

constexpr double fan = 60;  // about a node its branches may lie close together

struct CourseCandidate {
  std::vector<Point> curve;
  double cost = 0;
};

/// How a course turns from its node into its track.
struct Turn {
  double reach;   ///< part of the first gap that it takes
  double out;     ///< abscissa of the first control point, as part of the turn
  double up;      ///< its height, as part of the turn's
  double settle;  ///< abscissa of the second control point, on the track
  double cost;
};
constexpr Turn turns[] = {{0.5, 0.35, 0.95, 0.75, 0},   {0.9, 0.4, 0.6, 0.6, 0.6},    {0.5, 0.4, 0.6, 0.65, 0.4},
                          {0.3, 0.35, 0.95, 0.75, 0.8}, {0.8, 0.35, 0.95, 0.75, 0.2}, {0.5, 0.5, 0.0, 0.5, 1.2}};
constexpr std::size_t mixed_turns = 3;  // of these any two go together
constexpr double coarse = 12;           // steps of the polylines that are compared

Point part(Point a, Point b, double t, double sideways) {
  return {a.x + t * (b.x - a.x) - sideways * (b.y - a.y), a.y + t * (b.y - a.y) + sideways * (b.x - a.x)};
}

std::vector<Point> bowed(Point a, Point b, double sideways) {
  return {a, part(a, b, 0.3, sideways), part(a, b, 0.7, sideways), b};
}

/// Flat along its whole length at some distance from the line between its ends, which it leaves and meets in `reach`.
std::vector<Point> bypass(Point a, Point b, double sideways, double reach) {
  const double length = std::max(distance(a, b), 1.0), r = std::min(reach / length, 0.36), h = sideways / length;
  std::vector<Point> curve{a, part(a, b, 0.35 * r, 0.9 * h), part(a, b, 0.7 * r, h), part(a, b, r, h)};
  const auto flat = straight(curve.back(), part(a, b, 1 - r, h));
  curve.insert(curve.end(), flat.begin() + 1, flat.end());
  curve.insert(curve.end(), {part(a, b, 1 - 0.7 * r, h), part(a, b, 1 - 0.35 * r, 0.9 * h), b});
  return curve;
}

class Shaping {
 public:
  explicit Shaping(Sketch& sketch) : s_(sketch), a_(sketch.arrangement) {}

  void run() {
    count_siblings();
    sides_ = stated_sides(s_.graph);
    std::vector<BranchId> open;
    looks_.resize(s_.graph.branches().size());
    for (const BranchId id : s_.graph.branch_ids()) {
      take(id, candidates(id).front().curve);
      if (!s_.courses[id.index].kept && (s_.courses[id.index].shape != Sketch::Shape::line || sides_[id.index] != 0))
        open.push_back(id);
    }
    std::ranges::stable_sort(open, [&](BranchId a, BranchId b) { return std::round(length(a)) < std::round(length(b)); });
    for (int round = 0; round < 3; ++round) {
      bool changed = false;
      for (const BranchId id : open) changed = choose(id) || changed;
      if (!changed) break;
    }
    for (const BranchId id : s_.graph.branch_ids()) s_.set_curve(id, s_.courses[id.index].curve);
  }

 private:
  /// A course as others see it.
  struct Look {
    std::vector<Point> points;
    Box box;
  };
  static Look look(const std::vector<Point>& curve) {
    std::vector<Point> points = sampled(curve, coarse);
    const Box box = bounds(points);
    return {std::move(points), box};
  }
  void take(BranchId id, const std::vector<Point>& curve) {
    looks_[id.index] = look(curve);
    s_.courses[id.index].curve = curve;
  }

  Point at(NodeId node) const { return s_.nodes[node.index]; }
  double length(BranchId id) const { return distance(at(s_.graph[id].from), at(s_.graph[id].to)); }

  /// Straight branches between the same two nodes: they part like ( ).
  void count_siblings() {
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& b = s_.graph[id];
      if (a_.straight[id.index] && b.from != b.to) ++siblings_[std::minmax(b.from, b.to)];
    }
  }

  bool choose(BranchId id) {
    const std::vector<CourseCandidate> made = candidates(id);
    if (made.size() < 2) return false;
    double best = 0;
    const CourseCandidate* chosen = nullptr;
    for (const CourseCandidate& candidate : made) {
      if (chosen != nullptr && candidate.cost >= best) continue;
      const double own = candidate.cost + faults(id, candidate.curve);
      if (chosen != nullptr && own >= best) continue;
      const double cost = own + meetings(id, look(candidate.curve), best - own, chosen == nullptr);
      if (chosen == nullptr || cost < best - 1e-9) best = cost, chosen = &candidate;
    }
    auto& now = s_.courses[id.index].curve;
    const bool same = now.size() == chosen->curve.size() &&
                      std::ranges::equal(now, chosen->curve, [](Point a, Point b) { return a.x == b.x && a.y == b.y; });
    if (!same) take(id, chosen->curve);
    return !same;
  }

  /// What is wrong with a course whatever it meets: no straight piece for its head, the wrong side.
  double faults(BranchId id, const std::vector<Point>& curve) const {
    const Branch& branch = s_.graph[id];
    if (branch.from == branch.to) return 0;
    const std::vector<Point> points = sampled(curve, 5);
    const double bent = least_bend(points);
    double cost = bent > straight_enough - 1 ? 25 + bent : 0;
    if (sides_[id.index] == 0) return cost;
    constexpr double clearly = 14;
    const Point a = points.front(), b = points.back(), middle = points[points.size() / 2];
    const double t = std::abs(b.x - a.x) < 1 ? 0.5 : (middle.x - a.x) / (b.x - a.x);
    if (sides_[id.index] * (middle.y - a.y - t * (b.y - a.y)) < clearly) cost += 500;
    return cost;
  }

  std::vector<CourseCandidate> candidates(BranchId id) const {
    const Branch& branch = s_.graph[id];
    const Point a = at(branch.from), b = at(branch.to);
    if (s_.courses[id.index].kept) return {{s_.courses[id.index].curve, 0}};
    std::vector<CourseCandidate> made = branch.from == branch.to ? self_loops(id, a)
                                        : a_.straight[id.index]  ? straights(id, a, b)
                                                                 : tracked(id, a, b);
    if (branch.from != branch.to && (sides_[id.index] != 0 || s_.detours)) add_bypasses(made, a, b);
    return made;
  }

  /// Round what lies between the ends, on both sides, each a lane further out.
  static void add_bypasses(std::vector<CourseCandidate>& made, Point a, Point b) {
    constexpr double first = 38, lane = 30;
    constexpr int lanes = 9;
    for (int k = 0; k < lanes; ++k)
      for (const double side : {1, -1}) {
        const double away = first + lane * k;
        made.push_back({bypass(a, b, side * away, 0.55 * away + 22), 2 + 1.2 * k + (side < 0 ? 0.1 : 0)});
      }
  }

  std::vector<CourseCandidate> self_loops(BranchId id, Point at) const {
    const double height = s_.courses[id.index].height;
    std::vector<CourseCandidate> made;
    for (const double side : {1.0, -1.0})
      for (const double lean : {0.0, -0.45, 0.45, -0.9, 0.9})
        made.push_back({self_loop(at, side * height, lean), (side < 0 ? 1.5 : 0) + 1.2 * std::abs(lean)});
    return made;
  }

  std::vector<CourseCandidate> straights(BranchId id, Point a, Point b) const {
    const Branch& branch = s_.graph[id];
    const bool several = siblings_.at(std::minmax(branch.from, branch.to)) > 1;
    if (a_.same_row(branch)) return {{straight(a, b), 0}};
    std::vector<CourseCandidate> made;
    if (!several) made.push_back({straight(a, b), 0});
    const double unit = std::min(0.16, 26 / std::max(distance(a, b), 1.0));
    for (const double k : {unit, 1.6 * unit, 2.4 * unit})
      for (const double side : {1, -1}) {
        made.push_back({bowed(a, b, side * k), (several ? 0 : 1.5) + 4 * k + (side < 0 ? 0.1 : 0)});
        made.push_back({bypass(a, b, 0.75 * side * k * distance(a, b), 0.27 * distance(a, b)),
                        (several ? 1 : 2.5) + 4 * k + (side < 0 ? 0.1 : 0)});
      }
    return made;
  }

  std::vector<CourseCandidate> tracked(BranchId id, Point a, Point b) const {
    const double y = s_.track_heights[id.index];
    std::vector<CourseCandidate> made;
    for (const Turn& out : turns)
      for (const Turn& in : turns) {
        if ((std::abs(a.y - y) < 1 && &out != turns) || (std::abs(b.y - y) < 1 && &in != turns)) continue;
        const bool mixed = std::max(&out - turns, &in - turns) < static_cast<std::ptrdiff_t>(mixed_turns);
        if (&out != &in && std::abs(a.y - y) >= 1 && std::abs(b.y - y) >= 1 && !mixed) continue;
        made.push_back({course(id, a, b, y, out, in), out.cost + in.cost + (&out == &in ? 0 : 0.3)});
      }
    const Branch& branch = s_.graph[id];
    if (!a_.same_row(branch)) made.push_back({straight(a, b), 1});
    if (!a_.same_row(branch))
      for (const double k : {0.1, -0.1, 0.2, -0.2}) made.push_back({bowed(a, b, k), 1.6 + 4 * std::abs(k)});
    return made;
  }

  /// The gap beside a column, on the side where the other end lies.
  double gap(NodeId node, NodeId other) const {
    const int c = a_.column[node.index], step = a_.column[other.index] > c ? 1 : -1;
    double width = std::abs(at(node).x - at(other).x) / std::abs(a_.column[other.index] - c);
    for (const NodeId n : s_.graph.node_ids())
      if (a_.column[n.index] == c + step) width = std::abs(at(n).x - at(node).x);
    return width;
  }

  std::vector<Point> course(BranchId id, Point a, Point b, double y, const Turn& out, const Turn& in) const {
    const Branch& branch = s_.graph[id];
    const double way = b.x > a.x ? 1 : -1;
    const auto reach = [&](NodeId node, NodeId other, const Turn& turn, double height) {
      const double widest = std::max(std::abs(b.x - a.x) / 2 - 14, 0.3 * std::abs(b.x - a.x));  // the rest is for a head
      return way * std::min({turn.reach * gap(node, other), 0.6 * std::abs(height) + 22, widest});
    };
    const double r1 = reach(branch.from, branch.to, out, a.y - y), r2 = reach(branch.to, branch.from, in, b.y - y);
    std::vector<Point> curve{a};
    if (std::abs(a.y - y) >= 1) {
      curve.push_back({a.x + out.out * r1, a.y + out.up * (y - a.y)});
      curve.push_back({a.x + out.settle * r1, y});
      curve.push_back({a.x + r1, y});
    }
    const Point end = std::abs(b.y - y) >= 1 ? Point{b.x - r2, y} : b;
    if (std::abs(end.x - curve.back().x) > 1 || curve.size() == 1) {
      const auto piece = straight(curve.back(), end);
      curve.insert(curve.end(), piece.begin() + 1, piece.end());
    }
    if (std::abs(b.y - y) >= 1) {
      curve.push_back({b.x - in.settle * r2, y});
      curve.push_back({b.x - in.out * r2, b.y + in.up * (y - b.y)});
      curve.push_back(b);
    }
    return curve;
  }

  /// What a course would meet on its way: nodes, other courses crossed or run along. It stops counting at `enough`.
  double meetings(BranchId id, const Look& own, double enough, bool unlimited) const {
    const Branch& branch = s_.graph[id];
    double cost = 3 * detour(own.points);
    for (std::size_t n = 0; n < s_.nodes.size(); ++n) {
      if (n == branch.from.index || n == branch.to.index || !own.box.grown(26).contains(s_.nodes[n])) continue;
      bool near = false, touching = false;
      for (std::size_t i = 1; i < own.points.size() && !touching; ++i) {
        const double d = to_piece(s_.nodes[n], own.points[i - 1], own.points[i]);
        near = near || d < 26;
        touching = d < 14;
      }
      cost += touching ? 68 : near ? 8 : 0;
    }
    for (const BranchId other : s_.graph.branch_ids()) {
      const Look& look = looks_[other.index];
      if (other == id || look.points.empty() || own.box.grown(8).overlap(look.box.grown(8)) == 0) continue;
      if (!unlimited && cost >= enough) return cost;
      const double crossed = crossed_by(branch, s_.graph[other], own.points, look.points);
      const double along = run_along(branch, s_.graph[other], own, look);
      cost += 8 * crossed + 5 * std::max(0.0, along - 2 * crossed);  // where they cross they are near each other anyway
    }
    return cost;
  }

  static double to_piece(Point p, Point a, Point b) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const double t = length == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0);
    return distance(p, {a.x + t * dx, a.y + t * dy});
  }

  double crossed_by(const Branch& a, const Branch& b, const std::vector<Point>& own, const std::vector<Point>& other) const {
    const std::vector<Point> all = crossing_points(own, other);
    return static_cast<double>(std::ranges::count_if(all, [&](Point p) {
      for (const NodeId n : {a.from, a.to})
        if ((n == b.from || n == b.to) && distance(p, at(n)) <= 12) return false;
      return true;
    }));
  }

  /// By how much a course is longer than the straight way.
  static double detour(const std::vector<Point>& samples) {
    double length = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) length += distance(samples[i - 1], samples[i]);
    return length / std::max(distance(samples.front(), samples.back()), 60.0) - 1;
  }

  /// Points that lie on the other course, away from ends they share.
  double run_along(const Branch& branch, const Branch& other, const Look& own, const Look& look) const {
    const bool from = branch.from == other.from || branch.from == other.to;
    const bool to = branch.to == other.from || branch.to == other.to;
    const Box box = look.box.grown(7);
    double count = 0;
    for (const Point p : own.points) {
      if (!box.contains(p)) continue;
      const double start = from ? distance(p, at(branch.from)) : fan, end = to ? distance(p, at(branch.to)) : fan;
      if (std::min(start, end) < 20) continue;
      const double apart = std::min(start, end) < fan ? 2.2 : 7;
      for (std::size_t i = 1; i < look.points.size(); ++i)
        if (to_piece(p, look.points[i - 1], look.points[i]) < apart) {
          ++count;
          break;
        }
    }
    return count;
  }

  Sketch& s_;
  const Arrangement& a_;
  std::vector<Look> looks_;  ///< by branch
  std::vector<int> sides_;   ///< by branch: the one that is stated
  std::map<std::pair<NodeId, NodeId>, int> siblings_;
};

}  // namespace

void shape_courses(Sketch& sketch) { Shaping(sketch).run(); }

}  // namespace sfg
