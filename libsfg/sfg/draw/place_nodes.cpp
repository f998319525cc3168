#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sfg/draw/sketch.hpp"

namespace sfg {
namespace {

constexpr double least_gap = 88;      // between columns
constexpr double least_row_gap = 66;  // between rows
constexpr double name_room = 30;      // above and below a row, for the names of its nodes
constexpr double arc_height = 38;     // of an arc over nothing
constexpr double loop_height = 44;
constexpr double clearance = 12;  // between an arc and what lies under it

/// Something that stands over (or under) a row between two abscissas.
struct Obstacle {
  double left, right, top;
};

/// Rows with what stands over and under each of them.
class Skyline {
 public:
  /// The least distance of rows grows with the gains that stand between them.
  void make_room(double gain_height) { row_gap_ = std::max(row_gap_, least_row_gap + gain_height); }
  double row_gap() const { return row_gap_; }

  void add(int row, bool above, Obstacle obstacle) { sides_[{row, above}].push_back(obstacle); }

  double top(int row, bool above, double left, double right) const {
    double top = 0;
    const auto it = sides_.find({row, above});
    if (it == sides_.end()) return top;
    for (const Obstacle& o : it->second)
      if (o.left < right && o.right > left) top = std::max(top, o.top);
    return top;
  }

  /// How far `lower` must lie under `upper`.
  double distance(int upper, int lower) const {
    double room = row_gap_;
    const auto meet = [&](int row, bool above, int other) {
      if (const auto it = sides_.find({row, above}); it != sides_.end())
        for (const Obstacle& o : it->second)
          room = std::max(room, o.top + std::max(top(other, !above, o.left, o.right), name_room) + clearance);
    };
    meet(upper, false, lower);
    meet(lower, true, upper);
    return room;
  }

 private:
  std::map<std::pair<int, bool>, std::vector<Obstacle>> sides_;
  double row_gap_ = least_row_gap;
};

class Placing {
 public:
  explicit Placing(Sketch& sketch) : s_(sketch) {}

  void run() {
    shapes();
    abscissas();
    heights();
    ordinates();
    curves();
  }

 private:
  void shapes() {
    s_.courses.assign(s_.graph.branches().size(), {});
    s_.nodes.clear();
    std::set<std::pair<NodeId, NodeId>> lines;  // of parallel branches the first is straight, the others arch over it
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      auto& shape = s_.courses[id.index].shape;
      if (branch.from == branch.to) {
        shape = Sketch::Shape::self_loop;
      } else if (!s_.arrangement.same_row(branch)) {
        shape = Sketch::Shape::free;
      } else if (runs_straight(branch) && lines.insert({branch.from, branch.to}).second) {
        shape = Sketch::Shape::line;
      } else {
        shape = Sketch::Shape::arc;
      }
    }
  }

  /// Between neighbours on a row, to the right; among returning nodes to the left.
  bool runs_straight(const Branch& branch) const {
    const auto returning = [&](NodeId node, NodeId other) {
      return s_.flow.returning[node.index] &&
             (s_.flow.returning[other.index] || s_.graph.entering(other).empty() || s_.graph.leaving(other).empty());
    };
    if (!returning(branch.from, branch.to) && !returning(branch.to, branch.from)) return s_.arrangement.adjacent(branch);
    return s_.arrangement.adjacent(Branch{branch.to, branch.from, branch.law, {}, {}});
  }

  double column(NodeId node) const { return s_.arrangement.column[node.index]; }

  void abscissas() {
    const auto& columns = s_.arrangement.column;
    const auto [low, high] = std::minmax_element(columns.begin(), columns.end());
    first_ = std::floor(*low);
    gaps_.assign(static_cast<std::size_t>(std::ceil(*high) - first_) + 1, least_gap);
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      const double width = s_.gains[id.index].width;
      switch (s_.courses[id.index].shape) {
        case Sketch::Shape::line: widen(branch, width + 42); break;
        case Sketch::Shape::arc: widen(branch, std::max(width + 20, s_.arrangement.adjacent(branch) ? 130.0 : 0.0)); break;
        case Sketch::Shape::self_loop: break;
        case Sketch::Shape::free: {
          const double rows = std::abs(s_.arrangement.row[branch.from.index] - s_.arrangement.row[branch.to.index]);
          widen(branch, std::max(0.8 * width + 44, 100 * std::pow(rows, 0.8)));
          break;
        }
      }
    }
    make_room_between_rows();
    widen_for_crowds();
    widen_for_names();
    for (double& gap : gaps_) gap *= s_.spread;
    for (const NodeId node : s_.graph.node_ids()) s_.nodes.push_back({abscissa(column(node)), 0});
  }

  /// Many branches between rows in one gap need room for their gains.
  void widen_for_crowds() {
    for (std::size_t g = 0; g < gaps_.size(); ++g) {
      const double left = first_ + static_cast<double>(g);
      double crowd = 0;
      for (const BranchId id : s_.graph.branch_ids()) {
        if (s_.courses[id.index].shape != Sketch::Shape::free) continue;
        const auto [a, b] = std::minmax(column(s_.graph[id].from), column(s_.graph[id].to));
        if (a < left + 0.6 && b > left + 0.4) crowd += 1;
      }
      if (crowd > 3) gaps_[g] += 11 * (crowd - 3);
    }
  }

  void make_room_between_rows() {
    const auto free = [](const Sketch::Course& course) { return course.shape == Sketch::Shape::free; };
    if (std::ranges::none_of(s_.courses, free)) return;
    for (const BranchId id : s_.graph.branch_ids())
      if (s_.courses[id.index].shape != Sketch::Shape::self_loop) skyline_.make_room(s_.gains[id.index].height);
  }

  void widen(const Branch& branch, double wanted) { widen(column(branch.from), column(branch.to), wanted); }

  void widen(double a, double b, double wanted) {
    if (a > b) std::swap(a, b);
    if (b - a < 0.25) return;
    for (std::size_t g = 0; g < gaps_.size(); ++g) {
      const double left = first_ + static_cast<double>(g);
      if (left < b - 1e-9 && left + 1 > a + 1e-9) gaps_[g] = std::max(gaps_[g], wanted / (b - a));
    }
  }

  void widen_for_names() {
    const auto& row = s_.arrangement.row;
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double a = s_.arrangement.column[i], b = s_.arrangement.column[k];
        if (row[i] == row[k] && b > a && b - a < 1.1) widen(a, b, (s_.names[i].width + s_.names[k].width) / 2 + 14);
      }
  }

  double abscissa(double column) const {
    double x = 0;
    for (std::size_t g = 0; g < gaps_.size(); ++g) x += gaps_[g] * std::clamp(column - first_ - static_cast<double>(g), 0.0, 1.0);
    return x;
  }

  int row(NodeId node) const { return s_.arrangement.row[node.index]; }
  double x(NodeId node) const { return s_.nodes[node.index].x; }

  /// Lines first, then self-loops, then the arcs from the narrow to the wide, each over what is under it.
  void heights() {
    for (const NodeId node : s_.graph.node_ids())
      for (const bool above : {true, false}) {
        const double half = s_.names[node.index].width / 2;
        skyline_.add(row(node), above, {x(node) - half, x(node) + half, name_room});
      }
    std::vector<BranchId> arcs;
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      const Size size = s_.gains[id.index];
      const double middle = (x(branch.from) + x(branch.to)) / 2;
      auto& course = s_.courses[id.index];
      if (course.shape == Sketch::Shape::line) {
        skyline_.add(row(branch.from), true, {middle - size.width / 2, middle + size.width / 2, size.height + 10});
      } else if (course.shape == Sketch::Shape::self_loop) {
        stand(id);
      } else if (course.shape == Sketch::Shape::arc) {
        arcs.push_back(id);
      }
    }
    std::ranges::stable_sort(arcs, [&](BranchId a, BranchId b) { return span(a) < span(b); });
    for (const BranchId id : arcs) raise(id);
  }

  /// Self-loops stand on the row; of parallel ones every other hangs under it.
  void stand(BranchId id) {
    const NodeId node = s_.graph[id].from;
    const Size size = s_.gains[id.index];
    const bool above = loops_[node]++ % 2 == 0;
    const double at = x(node), under = skyline_.top(row(node), above, at - 1, at + 1);
    const double height = under > name_room ? under + clearance : loop_height;
    skyline_.add(row(node), above, {at - 14, at + 14, height});
    skyline_.add(row(node), above, {at - size.width / 2, at + size.width / 2, height + size.height + 6});
    s_.courses[id.index].height = above ? height : -height;
  }

  double span(BranchId id) const { return std::round(std::abs(x(s_.graph[id].from) - x(s_.graph[id].to))); }

  void raise(BranchId id) {
    const Branch& branch = s_.graph[id];
    const double left = std::min(x(branch.from), x(branch.to)), right = std::max(x(branch.from), x(branch.to));
    const bool above = x(branch.from) < x(branch.to);
    const double under = skyline_.top(row(branch.from), above, left + 6, right - 6);
    const double height = std::max(arc_height, under + clearance);
    const Size size = s_.gains[id.index];
    const double middle = (left + right) / 2;
    skyline_.add(row(branch.from), above, {left, right, height});
    skyline_.add(row(branch.from), above,
                 {std::max(middle - size.width / 2, left), std::min(middle + size.width / 2, right), height + size.height + 8});
    s_.courses[id.index].height = above ? height : -height;
  }

  void ordinates() {
    std::vector<int> rows = s_.arrangement.row;
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::map<int, double> y;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      y[rows[i]] = 0;
      for (std::size_t k = 0; k < i; ++k) y[rows[i]] = std::max(y[rows[i]], y[rows[k]] + skyline_.distance(rows[k], rows[i]));
      if (i > 0) y[rows[i]] = std::max(y[rows[i]], y[rows[i - 1]] + s_.spread * skyline_.row_gap());
    }
    for (const NodeId node : s_.graph.node_ids()) s_.nodes[node.index].y = y[row(node)];
  }

  void curves() {
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      const Point a = s_.nodes[branch.from.index], b = s_.nodes[branch.to.index];
      const auto& course = s_.courses[id.index];
      switch (course.shape) {
        case Sketch::Shape::line:
        case Sketch::Shape::free: s_.set_curve(id, straight(a, b)); break;
        case Sketch::Shape::arc: s_.set_curve(id, arc(a, b, course.height)); break;
        case Sketch::Shape::self_loop: s_.set_curve(id, self_loop(a, course.height)); break;
      }
    }
  }

  Sketch& s_;
  double first_ = 0;
  std::vector<double> gaps_;
  Skyline skyline_;
  std::map<NodeId, int> loops_;  ///< self-loops placed so far
};

}  // namespace

void place_nodes(Sketch& sketch) { Placing(sketch).run(); }

}  // namespace sfg
