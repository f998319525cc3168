// The steps: rows and columns (draw/blocks/block_rows), lines (draw/blocks/block_routes), pixels (draw/blocks/block_places), and
// here the shapes.
#include "sfg/draw/blocks/block_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sfg/draw/blocks/block_places.hpp"
#include "sfg/draw/paper_size.hpp"
#include "sfg/draw/scene_legend.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

using BlockKind = SceneShape::Kind;
constexpr double circle = BlockPlaces::circle;

SceneShape block_head(Point tip, Point from) {
  const double length = std::max(std::hypot(tip.x - from.x, tip.y - from.y), 1e-9);
  const Point d{(tip.x - from.x) / length, (tip.y - from.y) / length};
  const auto corner = [&](double backwards, double sideways) {
    return Point{tip.x - backwards * d.x - sideways * d.y, tip.y - backwards * d.y + sideways * d.x};
  };
  return {BlockKind::polygon, "head", {tip, corner(9, -3.4), corner(7, 0), corner(9, 3.4)}, 0, {}};
}

std::string text_of(BranchId id) { return std::to_string(id.index); }

class BlockPicture {
 public:
  BlockPicture(const SignalFlowGraph& graph, const BlockPlaces& places, const std::vector<BranchFace>& faces)
      : graph_(graph), places_(places), faces_(faces) {}

  std::vector<SceneGroup> groups() {
    frames();
    for (const NodeId node : graph_.node_ids())
      if (places_.rows().shown[node.index]) trunk(node);
    for (std::size_t i = 0; i < places_.rows().links.size(); ++i) link(i);
    for (const NodeId node : graph_.node_ids()) {
      if (!places_.rows().shown[node.index]) continue;
      takeoffs(node);
      sum(node);
      name(node);
    }
    std::ranges::move(blocks_, std::back_inserter(made_));
    std::ranges::move(over_, std::back_inserter(made_));
    return std::move(made_);
  }

 private:
  const BlockRoutes::Ends& ends(NodeId node) const { return places_.routes().ends[node.index]; }
  bool is_sum(NodeId node) const { return graph_.entering(node).size() > 1; }

  void frames() {
    for (const BlockRows::Subsystem& s : places_.rows().subsystems) {
      const NodeId first = s.nodes.front(), last = s.nodes.back();
      const std::size_t row = places_.rows().row[last.index];
      if (places_.rows().row[first.index] != row) continue;  // the row is broken
      const double y = places_.y(last);
      SceneShape box{BlockKind::box,
                     "frame",
                     {{places_.left(first, BlockBand::entry) + 3, y - places_.above(row) - 3},
                      {places_.right(last, BlockBand::exit) + 3, y + places_.below(row) + 3}},
                     6,
                     {}};
      made_.push_back({"subsystem", {{"coordinate", s.coordinate}}, s.coordinate, {std::move(box)}, {}, {}});
    }
  }

  /// Where the line of the signal begins: behind its sum, its name, or what brings it.
  double begin(NodeId node) const {
    if (places_.is_source(node)) return places_.right(node, BlockBand::inside);
    return is_sum(node) ? places_.entry_x(node, ends(node).entries.back().slot) + circle : places_.left(node, BlockBand::inside);
  }
  bool goes_on(NodeId node) const { return ends(node).straight_out || ends(node).output; }
  /// True where the last way out is a corner of the line.
  bool turns(NodeId node) const {
    const auto& exits = ends(node).exits;
    return !exits.empty() && !goes_on(node) && !(exits.back().above && exits.back().below);
  }
  /// Where it ends: at its last dot.
  double end(NodeId node) const {
    const auto& exits = ends(node).exits;
    const std::size_t dots = exits.size() - (turns(node) ? 1 : 0);
    return dots > 0 ? places_.exit_x(node, exits[dots - 1].slot) : places_.right(node, BlockBand::inside);
  }

  void trunk(NodeId node) {
    const double a = begin(node), y = places_.y(node);
    double b = end(node);
    const bool nothing = graph_.leaving(node).empty() && !ends(node).output;
    SceneGroup group{"trunk", {{"node", graph_[node].name}}, "", {}, {}, {}};
    if (ends(node).output) b = tip(node);
    if (b - a > 0.5 && !nothing) group.shapes.push_back({BlockKind::polyline, "wire", {{a, y}, {b, y}}, 0, {}});
    if (ends(node).output) group.shapes.push_back(block_head({b, y}, {a, y}));
    if (!group.shapes.empty()) made_.push_back(std::move(group));
  }
  double tip(NodeId node) const { return ends(node).to_the_end ? places_.end() : places_.left(node, BlockBand::between) + 30; }

  void takeoffs(NodeId node) {
    const auto& exits = ends(node).exits;
    if (graph_.leaving(node).size() < 2 && !(ends(node).output && !exits.empty())) return;
    SceneGroup group{
        graph_.leaving(node).size() < 2 ? "tap" : "takeoff", {{"node", graph_[node].name}}, graph_[node].name, {}, {}, {}};
    for (std::size_t k = 0; k < exits.size() - (turns(node) ? 1 : 0); ++k)
      group.shapes.push_back({BlockKind::circle, "dot", {{places_.exit_x(node, exits[k].slot), places_.y(node)}}, 3, {}});
    over_.push_back(std::move(group));
  }

  /// Circles in a row, each for one line from above and one from below.
  void sum(NodeId node) {
    if (!is_sum(node)) return;
    SceneGroup group{"sum", {{"node", graph_[node].name}}, graph_[node].name, {}, {}, {}};
    const double y = places_.y(node);
    double before = 0;
    for (const BlockRoutes::Stop& stop : ends(node).entries) {
      if (ends(node).corner && &stop == &ends(node).entries.front()) continue;
      const double x = places_.entry_x(node, stop.slot);
      if (before > 0) {
        group.shapes.push_back({BlockKind::polyline, "wire", {{before, y}, {x - circle, y}}, 0, {}});
        group.shapes.push_back(block_head({x - circle, y}, {before, y}));
      }
      group.shapes.push_back({BlockKind::circle, "sum", {{x, y}}, circle, {}});
      before = x + circle;
    }
    over_.push_back(std::move(group));
  }

  void name(NodeId node) {
    const Label& label = places_.name(node);
    const double w = label.formula.width, h = label.formula.height(), y = places_.y(node);
    Point at{(places_.left(node, BlockBand::inside) + places_.right(node, BlockBand::inside)) / 2, y - 5 - h / 2};
    if (places_.is_source(node)) at = {places_.right(node, BlockBand::inside) - 5 - w / 2, y};
    if (ends(node).output && !places_.is_source(node)) at = {tip(node) + 5 + w / 2, y};
    signal(node, at);
  }
  void signal(NodeId node, Point at) {
    const Label& label = places_.name(node);
    over_.push_back({"signal",
                     {{"node", graph_[node].name}},
                     graph_[node].name,
                     {},
                     {{centred(label.math, label.formula, at), "name", {}}},
                     {}});
  }

  /// The course of a link, and which of its points begins the level piece.
  struct Course {
    std::vector<Point> points;
    std::size_t level = 0;
    bool arrow = false;
  };

  Course course(std::size_t i) const {
    const BlockLink& l = places_.rows().links[i];
    const BlockRoute& route = places_.routes().routes[i];
    const double y = places_.y(route), from = places_.y(l.from), to = places_.y(l.to);
    Course made;
    if (route.leaves) {
      const double x = places_.exit_x(l.from, *route.leaves);
      if (x > end(l.from) + 0.5) made.points.push_back({end(l.from), from});
      made.points.push_back({x, from});
      made.points.push_back({x, y});
    } else {
      made.points.push_back({end(l.from), y});
    }
    made.level = made.points.size() - 1;
    made.arrow = is_sum(l.to) || route.enters || !faces_[l.branches.back().index].block;  // the direction must be seen
    const auto& entries = ends(l.to).entries;
    const std::size_t first_circle = ends(l.to).corner ? 1 : 0;
    const double inner = is_sum(l.to) ? places_.entry_x(l.to, entries[first_circle].slot) - circle : begin(l.to);
    if (!route.enters) {
      made.points.push_back({inner, y});
      return made;
    }
    const double x = places_.entry_x(l.to, *route.enters);
    made.points.push_back({x, y});
    if (ends(l.to).corner && entries.front().slot == *route.enters) {
      made.points.push_back({x, to});
      made.points.push_back({inner, to});
    } else {
      made.points.push_back({x, y < to ? to - circle : to + circle});
    }
    return made;
  }

  void line(BranchId id, std::vector<Point> points, bool arrow) {
    SceneGroup group{"", {}, "", {}, {}, {}};
    const Point tip = points.back(), before = points[points.size() - 2];
    const std::string law = graph_[id].linear() ? "" : " law";
    group.shapes.push_back({BlockKind::polyline, "line" + law, std::move(points), 0, {{"branch", text_of(id)}}});
    if (arrow) group.shapes.push_back(block_head(tip, before));
    group.style = "course" + law;
    made_.push_back(std::move(group));
  }

  void link(std::size_t i) {
    const BlockLink& l = places_.rows().links[i];
    const BlockRoute& route = places_.routes().routes[i];
    Course way = course(i);
    std::vector<Point> current(way.points.begin(), way.points.begin() + static_cast<std::ptrdiff_t>(way.level) + 1);
    const double y = places_.y(route), along = route.leftwards ? -1 : 1;
    double x = places_.middle(route.blocks_in) - along * places_.room(i) / 2;
    for (const BranchId id : l.branches) {
      const BranchFace& face = faces_[id.index];
      if (face.block) {
        x += along * places_.spacing().arrow;
        current.push_back({x, y});
        line(id, std::move(current), true);
        block(id, {x + along * face.width / 2, y});
        x += along * face.width;
        current = {{x, y}};
        x += along * places_.spacing().tail;
      }
      if (id == l.branches.back()) break;
      const NodeId via = graph_[id].to;
      const double half = along * places_.via_width(via) / 2;
      current.push_back({x + half, y});
      line(id, std::move(current), false);
      signal(via, {x + half, y - 5 - places_.name(via).formula.height() / 2});
      current = {{x + half, y}};
      x += 2 * half;
    }
    current.insert(current.end(), way.points.begin() + static_cast<std::ptrdiff_t>(way.level) + 1, way.points.end());
    const Point tip = current.back(), before = current[current.size() - 2];
    line(l.branches.back(), std::move(current), way.arrow);
    if (is_sum(l.to)) sign(l.branches.back(), tip, before);
  }

  void block(BranchId id, Point at) {
    const BranchFace& face = faces_[id.index];
    const std::string law = graph_[id].linear() ? "" : " law";
    SceneShape box{BlockKind::box,
                   "block" + law,
                   {{at.x - face.width / 2, at.y - face.height / 2}, {at.x + face.width / 2, at.y + face.height / 2}},
                   0,
                   {}};
    blocks_.push_back({"block" + law,
                       {{"branch", text_of(id)}},
                       face.title,
                       {std::move(box)},
                       {{centred(face.math, face.formula, at), "gain", {}}},
                       {}});
  }

  /// Beside the tip of what enters a sum.
  void sign(BranchId id, Point tip, Point before) {
    const bool minus = faces_[id.index].minus, level = std::abs(before.y - tip.y) < 0.5;
    const Math shown = Math::word(minus ? "−" : "+");
    const Point at = level ? Point{tip.x - 9, tip.y - 10} : Point{tip.x + 9, tip.y + (before.y < tip.y ? -9 : 10)};
    over_.push_back(
        {"entry", {}, "", {}, {{centred(shown, typeset_plain(shown.text, 15), at), "sign", {{"branch", text_of(id)}}}}, {}});
  }

  const SignalFlowGraph& graph_;
  const BlockPlaces& places_;
  const std::vector<BranchFace>& faces_;
  std::vector<SceneGroup> made_;
  std::vector<SceneGroup> blocks_;
  std::vector<SceneGroup> over_;  ///< dots, sums, names and signs
};

std::string block_description(const SignalFlowGraph& graph, const BlockRows& rows) {
  std::string text = "Structural diagram of " + std::to_string(graph.nodes().size()) + " signals and " +
                     std::to_string(graph.branches().size()) + " branches.";
  for (const BlockRows::Subsystem& s : rows.subsystems)
    text += (&s == &rows.subsystems.front() ? " Coordinates: " : ", ") + s.coordinate;
  if (!rows.subsystems.empty()) text += '.';
  for (const NodeId node : graph.node_ids()) {
    if (graph.entering(node).empty()) continue;
    text += " " + graph[node].name + " is";
    const char* plus = " ";
    for (const BranchId id : graph.entering(node)) {
      const Branch& branch = graph[id];
      const auto* law = std::get_if<Nonlinearity>(&branch.law);
      text += plus + (law ? print(law->law) + " of " : "(" + print(branch.gain(), Notation::text, graph.op.symbol()) + ") ") +
              graph[branch.from].name;
      plus = " + ";
    }
    text += '.';
  }
  return text;
}

/// One way to make a diagram narrower.
struct BlockArrangement {
  std::optional<std::size_t> lines = {};  ///< one under the other
  double widest_gain = 0;
  BlockSpacing spacing = {};
};

Scene arranged(const SignalFlowGraph& graph, const BlockDiagramOptions& options, const BlockArrangement& as) {
  const BlockRows rows = block_rows(graph, options.coordinates, as.lines, options.budget);
  const GainLabels labels = gain_labels(graph, options.text_size, as.widest_gain, options.decimals, options.width);
  const std::vector<BranchFace> faces = branch_faces(graph, labels, options.text_size);
  const BlockPlaces places(graph, rows, faces, options.text_size, as.spacing);
  Scene scene{graph.title.empty() ? "Structural diagram" : graph.title + ": structural diagram",
              block_description(graph, rows),
              places.width(),
              places.height(),
              options.text_size,
              BlockPicture(graph, places, faces).groups()};
  add_legend(scene, labels.legend, options.width);
  return scene;
}

/// Closer with long gains named, then in lines; of coordinates, whose rows are short, of two columns at least.
std::vector<BlockArrangement> narrower_ones(const SignalFlowGraph& graph, const BlockDiagramOptions& options) {
  constexpr std::size_t most_lines = 24;
  std::vector<BlockArrangement> made;
  for (const double part : {4.0, 6.0}) made.push_back({{}, std::min(options.widest_gain, options.width / part), close_spacing});
  const std::size_t most = options.coordinates.empty()
                               ? std::min(most_lines, graph.nodes().size())
                               : (block_rows(graph, options.coordinates, 1, options.budget).columns + 1) / 2;
  for (std::size_t lines = 1; lines <= most; ++lines)
    made.push_back({lines, std::min(options.widest_gain, options.width / 4), close_spacing});
  return made;
}

}  // namespace

Scene block_diagram(const SignalFlowGraph& graph, const BlockDiagramOptions& options) {
  constexpr std::size_t most_nodes = 250, most_branches = 600;
  if (graph.nodes().size() > most_nodes || graph.branches().size() > most_branches)
    throw LimitReached("block diagram: " + std::to_string(graph.nodes().size()) + " signals and " +
                           std::to_string(graph.branches().size()) + " branches are more than a picture of this kind can show",
                       Remedy(Advice::reduce_graph) | "draw a part of the graph");
  Scene best = arranged(graph, options, {.widest_gain = options.widest_gain});
  if (options.width == 0) return best;
  for (const BlockArrangement& arrangement : narrower_ones(graph, options)) {
    const double so_far = fitting(best, options.width),
                 enough = arrangement.lines && !options.coordinates.empty() ? least_shrinking : 1;
    if (so_far >= enough) break;
    Scene narrower = arranged(graph, options, arrangement);
    if (so_far < enough * fitting(narrower, options.width)) best = std::move(narrower);
  }
  return best;
}

}  // namespace sfg
