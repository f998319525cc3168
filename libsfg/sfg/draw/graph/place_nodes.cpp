#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sfg/draw/graph/sketch.hpp"

namespace sfg {
namespace {

constexpr double least_gap = 100;       // between columns, whether or not an arc spans them: one more moves nothing
constexpr double most_pitch = 150;      // of all columns alike: a wide gain, or another one, shifts none against the rest
constexpr std::size_t most_alike = 10;  // columns: a longer picture would not fit on its page
constexpr double least_row_gap = 66;    // between rows
constexpr double name_room = 30;        // above and below a row, for the names of its nodes
constexpr double arc_height = 38;       // of an arc over nothing
constexpr double height_of_loop = 44;
constexpr double clearance = 12;  // between a track and what lies under it

/// What stands on one side of a main line, seen from it: how far away the first free place is.
class Skyline {
 public:
  void add(double left, double right, double top) { obstacles_.push_back({left, right, top}); }
  double top(double left, double right) const {
    double top = 0;
    for (const Obstacle& o : obstacles_)
      if (o.left < right && o.right > left) top = std::max(top, o.top);
    return top;
  }

 private:
  struct Obstacle {
    double left, right, top;
  };
  std::vector<Obstacle> obstacles_;
};

class Placing {
 public:
  explicit Placing(Sketch& sketch) : s_(sketch), a_(sketch.arrangement) {}

  void run() {
    shapes();
    abscissas();
    double next = 0;
    for (std::size_t part = 0; part < a_.main_row.size(); ++part) next = ordinates(part, next);
    for (const BranchId id : s_.graph.branch_ids())
      if (auto& course = s_.courses[id.index]; course.shape == Sketch::Shape::arc)
        course.height = s_.nodes[s_.graph[id].from.index].y - s_.track_heights[id.index];
  }

 private:
  void shapes() {
    s_.courses.assign(s_.graph.branches().size(), {});
    s_.track_heights.assign(s_.graph.branches().size(), 0);
    s_.nodes.assign(s_.graph.nodes().size(), {});
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      auto& shape = s_.courses[id.index].shape;
      if (branch.from == branch.to) {
        shape = Sketch::Shape::self_loop;
      } else if (a_.straight[id.index]) {
        shape = a_.same_row(branch) ? Sketch::Shape::line : Sketch::Shape::free;
      } else {
        shape = a_.same_row(branch) ? (flat(id) ? Sketch::Shape::line : Sketch::Shape::arc) : Sketch::Shape::free;
      }
    }
  }

  int row(NodeId node) const { return a_.row[node.index]; }
  int column(NodeId node) const { return a_.column[node.index]; }
  double x(NodeId node) const { return s_.nodes[node.index].x; }
  /// On the row of both ends.
  bool flat(BranchId id) const {
    return a_.same_row(s_.graph[id]) && (a_.straight[id.index] || a_.track[id.index] == row(s_.graph[id].from));
  }

  void abscissas() {
    const auto [low, high] = std::minmax_element(a_.column.begin(), a_.column.end());
    first_ = *low;
    gaps_.assign(static_cast<std::size_t>(*high - *low) + 1, least_gap);
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      const double width = s_.gains[id.index].width;
      const int a = column(branch.from), b = column(branch.to);
      if (a == b) continue;
      if (flat(id)) {
        const double names = (s_.names[branch.from.index].width + s_.names[branch.to.index].width) / 2;  // in line with the gain
        widen(a, b, width + std::max(42.0, names + 20));
      } else if (a_.same_row(branch)) {
        widen(a, b, width + 20);
      } else {
        widen(a, b, std::max(0.8 * width + 44, 100 * std::sqrt(std::abs(row(branch.from) - row(branch.to)))));
      }
    }
    widen_for_crowds();
    widen_for_names();
    const double pitch = gaps_.size() > most_alike ? 0 : std::min(*std::ranges::max_element(gaps_), most_pitch);
    for (double& gap : gaps_) gap = s_.spread * std::max(gap, pitch);
    for (const NodeId node : s_.graph.node_ids()) s_.nodes[node.index].x = abscissa(column(node));
  }

  /// Many sloping branches in one gap need room for their gains.
  void widen_for_crowds() {
    for (std::size_t g = 0; g < gaps_.size(); ++g) {
      const int left = first_ + static_cast<int>(g);
      double crowd = 0;
      for (const BranchId id : s_.graph.branch_ids()) {
        const Branch& branch = s_.graph[id];
        const auto [a, b] = std::minmax({column(branch.from), column(branch.to)});
        if (!a_.same_row(branch) && a <= left && b > left) crowd += 1;
      }
      if (crowd > 3) gaps_[g] += 11 * (crowd - 3);
    }
  }

  void widen(int a, int b, double wanted) {
    if (a > b) std::swap(a, b);
    for (int c = a; c < b; ++c) {
      double& gap = gaps_[static_cast<std::size_t>(c - first_)];
      gap = std::max(gap, wanted / (b - a));
    }
  }

  void widen_for_names() {
    for (const NodeId a : s_.graph.node_ids())
      for (const NodeId b : s_.graph.node_ids())
        if (row(a) == row(b) && column(b) == column(a) + 1)
          widen(column(a), column(b), (s_.names[a.index].width + s_.names[b.index].width) / 2 + 14);
  }

  double abscissa(int column) const {
    double x = 0;
    for (int c = first_; c < column; ++c) x += gaps_[static_cast<std::size_t>(c - first_)];
    return x;
  }

  /// One connected part, from `top` on; returns where the next may begin.
  double ordinates(std::size_t part, double top) {
    std::map<int, double> away;  // by level: the distance of a row from the main line
    away[a_.main_row[part]] = 0;
    for (const bool below : {false, true}) side(part, below, away);
    double upper = 0, lower = 0;
    for (const NodeId node : s_.graph.node_ids()) {
      if (a_.part[node.index] != part) continue;
      const double y = away[row(node)];
      s_.nodes[node.index].y = y;
      upper = std::min(upper, y - name_room);
      lower = std::max(lower, y + name_room);
    }
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      if (a_.part[branch.from.index] != part) continue;
      double& height = s_.track_heights[id.index];
      upper = std::min(upper, height - s_.gains[id.index].height - clearance);
      lower = std::max(lower, height + s_.gains[id.index].height + clearance);
    }
    const double shift = top - upper;
    for (const NodeId node : s_.graph.node_ids())
      if (a_.part[node.index] == part) s_.nodes[node.index].y += shift;
    for (const BranchId id : s_.graph.branch_ids())
      if (a_.part[s_.graph[id].from.index] == part) s_.track_heights[id.index] += shift;
    return lower + shift + least_row_gap / 2;
  }

  /// Levels of one side, from the main line outwards, each over what lies under it.
  void side(std::size_t part, bool below, std::map<int, double>& away) {
    const int main = a_.main_row[part], sign = below ? 1 : -1;
    Skyline sky;
    std::map<int, std::vector<NodeId>> rows;
    std::map<int, std::vector<BranchId>> tracks;
    for (const NodeId node : s_.graph.node_ids())
      if (a_.part[node.index] == part && (row(node) - main) * sign >= 0) rows[sign * (row(node) - main)].push_back(node);
    for (const BranchId id : s_.graph.branch_ids()) {
      const Branch& branch = s_.graph[id];
      if (a_.part[branch.from.index] != part || branch.from == branch.to) continue;
      const int level = flat(id) ? row(branch.from) : a_.track[id.index];
      if (a_.straight[id.index] && !a_.same_row(branch)) continue;
      if ((level - main) * sign >= 0) tracks[sign * (level - main)].push_back(id);
    }
    std::set<int> levels;
    for (const auto& [level, _] : rows) levels.insert(level);
    for (const auto& [level, _] : tracks) levels.insert(level);
    double last_row = 0;
    for (const int level : levels) {
      const std::vector<NodeId>& nodes = rows[level];
      double height = 0;
      if (level > 0) {
        height = nodes.empty() ? 0 : row_height(sky, nodes, tracks[level], last_row);
        away[main + sign * level] = sign * height;
        if (!nodes.empty()) last_row = height;
      }
      stand_on_row(sky, nodes, height, below);
      lay_tracks(sky, tracks[level], main + sign * level, height, sign);
    }
  }

  bool on_row(BranchId id, int level) const { return row(s_.graph[id].from) == level || row(s_.graph[id].to) == level; }

  /// How far a row of nodes, and the branches along it, must stay away.
  double row_height(const Skyline& sky, const std::vector<NodeId>& nodes, const std::vector<BranchId>& tracks,
                    double last_row) const {
    double height = last_row + s_.spread * (least_row_gap + tallest_gain_of(nodes));
    for (const NodeId node : nodes) {
      const double half = s_.names[node.index].width / 2 + 6;
      height = std::max(height, sky.top(x(node) - half, x(node) + half) + name_room + clearance);
    }
    for (const BranchId id : tracks) {
      if (!on_row(id, row(nodes.front()))) continue;
      const auto [left, right] = std::minmax({x(s_.graph[id].from), x(s_.graph[id].to)});
      height = std::max(height, sky.top(left + 6, right - 6) + s_.gains[id.index].height + 10 + clearance);
    }
    return height;
  }

  double tallest_gain_of(const std::vector<NodeId>& nodes) const {
    double tallest = 0;
    for (const NodeId node : nodes)
      for (const auto& ids : {s_.graph.entering(node), s_.graph.leaving(node)})
        for (const BranchId id : ids)
          if (!a_.same_row(s_.graph[id])) tallest = std::max(tallest, s_.gains[id.index].height);
    return tallest;
  }

  /// Names, and self-loops on the side that is away from the main line (above it on the line itself).
  void stand_on_row(Skyline& sky, const std::vector<NodeId>& nodes, double height, bool below) {
    for (const NodeId node : nodes) {
      const double half = s_.names[node.index].width / 2;
      sky.add(x(node) - half, x(node) + half, height + name_room);
      std::size_t standing = 0;
      for (const BranchId id : s_.graph.leaving(node)) {
        if (s_.graph[id].to != node) continue;
        const bool first_side = height > 0 ? below : false;
        const bool hangs = (standing++ % 2 == 0) == first_side;
        if (hangs != below) continue;
        const Size size = s_.gains[id.index];
        const double loop = height_of_loop + (standing > 2 ? 30.0 * static_cast<double>((standing - 1) / 2) : 0.0);
        s_.courses[id.index].height = below ? -loop : loop;
        sky.add(x(node) - 20, x(node) + 20, height + loop);
        sky.add(x(node) - size.width / 2, x(node) + size.width / 2, height + loop + size.height + 6);
      }
    }
  }

  void lay_tracks(Skyline& sky, std::vector<BranchId> tracks, int level, double row_height, int sign) {
    std::ranges::stable_sort(tracks, [&](BranchId a, BranchId b) { return span(a) < span(b); });
    for (const BranchId id : tracks) {
      const auto [left, right] = std::minmax({x(s_.graph[id].from), x(s_.graph[id].to)});
      const Size size = s_.gains[id.index];
      double height = row_height;
      const bool tied = on_row(id, level);
      if (!tied) height = std::max({arc_height, sky.top(left + 6, right - 6) + clearance});
      s_.track_heights[id.index] = sign * height;
      const double middle = (left + right) / 2;
      sky.add(left, right, height);
      sky.add(std::max(middle - size.width / 2, left), std::min(middle + size.width / 2, right), height + size.height + 9);
    }
  }

  double span(BranchId id) const { return std::round(std::abs(x(s_.graph[id].from) - x(s_.graph[id].to))); }

  Sketch& s_;
  const Arrangement& a_;
  int first_ = 0;
  std::vector<double> gaps_;
};

}  // namespace

void place_nodes(Sketch& sketch) { Placing(sketch).run(); }

}  // namespace sfg
