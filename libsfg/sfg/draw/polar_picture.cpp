// The reference is drawn as the ground line, so that the edges of the mass star hang side by side under their vertices and cross
// nothing; chords between vertices are arcs above the row, one inside the other, the innermost a straight line.
#include "sfg/draw/polar_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "sfg/draw/curve.hpp"
#include "sfg/draw/formula.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using Edge = PolarGraph::Edge;
using Relation = PolarGraph::Relation;

constexpr double polar_text_size = 15, polar_margin = 24, row_of_arcs = 40, fall = 120, between_edges = 26, radius = 12,
                 below_middle = 5;  // of letters: their baseline
constexpr std::size_t most_vertices = 80, most_edges = 400;

double polar_width(const std::string& text) { return width_of(Caption::name(text), polar_text_size); }

/// An edge as a curve from its first vertex to its second, with a straight piece where its head stands.
struct Course {
  std::vector<Point> at;
  Point head;  ///< the middle of that piece
  Point label;
};

/// Level along a height, with a turn at both ends.
std::vector<Point> over(Point a, Point b, double height) {
  const double way = b.x > a.x ? 1 : -1, reach = way * std::min(0.55 * height + 22, 0.36 * std::abs(b.x - a.x));
  const double y = a.y - height;
  std::vector<Point> curve{a, {a.x + 0.35 * reach, a.y - 0.9 * height}, {a.x + 0.7 * reach, y}, {a.x + reach, y}};
  const std::vector<Point> level = straight(curve.back(), {b.x - reach, y});
  curve.insert(curve.end(), level.begin() + 1, level.end());
  curve.insert(curve.end(), {{b.x - 0.7 * reach, y}, {b.x - 0.35 * reach, b.y - 0.9 * height}, b});
  return curve;
}

class PolarLayout {
 public:
  explicit PolarLayout(const PolarGraph& graph) : courses(graph.edges.size()), graph_(graph) {
    order();
    place_vertices();
    place_arcs();
    place_falls();
  }

  double width = 0, height = 0, ground = 0;
  std::vector<Course> courses;  ///< by edge
  std::map<std::string, Point> vertices;

 private:
  bool falls(const Edge& edge) const { return !position_.contains(edge.from) || !position_.contains(edge.to); }

  /// Neighbours side by side: vertices change places as long as that shortens the arcs.
  void order() {
    std::vector<std::string> names(graph_.vertices.begin() + 1, graph_.vertices.end());
    const auto number = [&] {
      position_.clear();
      for (std::size_t i = 0; i < names.size(); ++i) position_[names[i]] = i;
    };
    const auto length = [&] {
      std::size_t sum = 0;
      for (const Edge& edge : graph_.edges)
        if (!falls(edge)) {
          const std::size_t a = position_.at(edge.from), b = position_.at(edge.to);
          sum += a < b ? b - a : a - b;
        }
      return sum;
    };
    number();
    std::size_t best = length();
    for (int pass = 0; pass < 4; ++pass)
      for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t j = i + 1; j < names.size(); ++j) {
          std::swap(names[i], names[j]);
          number();
          if (const std::size_t now = length(); now < best)
            best = now;
          else
            std::swap(names[i], names[j]);
        }
    number();
    for (const std::string& name : names)
      row_.push_back(static_cast<std::size_t>(std::ranges::find(graph_.vertices, name) - graph_.vertices.begin()));
  }

  const std::string& upper(const Edge& edge) const { return position_.contains(edge.from) ? edge.from : edge.to; }

  std::vector<std::size_t> falls_of(const std::string& vertex) const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < graph_.edges.size(); ++i)
      if (falls(graph_.edges[i]) && upper(graph_.edges[i]) == vertex) all.push_back(i);
    return all;
  }

  /// Between the edges from a vertex to the reference: the same for all of them.
  double pitch(const std::vector<std::size_t>& falls) const {
    double widest = 0;
    for (const std::size_t i : falls) widest = std::max(widest, polar_width(graph_.edges[i].name));
    return widest + between_edges;
  }

  /// What a vertex needs on its left and on its right: its edges to the reference hang evenly about it, their names on the right.
  std::pair<double, double> room_about(const std::string& vertex) const {
    double beside = 0;  // the straight chord to the next vertex carries its name between them
    for (const Edge& edge : graph_.edges)
      if (!falls(edge) && (edge.from == vertex || edge.to == vertex)) beside = std::max(beside, polar_width(edge.name) + 60);
    const std::vector<std::size_t> hanging = falls_of(vertex);
    const double half = std::max(beside / 2, radius + 20);
    if (hanging.empty()) return {half, half};
    const double apart = pitch(hanging), spread = apart * static_cast<double>(hanging.size() - 1) / 2;
    return {std::max(half, spread + 10), std::max(half, spread + 16 + polar_width(graph_.edges[hanging.back()].name))};
  }

  void place_vertices() {
    double x = polar_margin + 20;
    for (const std::size_t vertex : row_) {
      const auto [left, right] = room_about(graph_.vertices[vertex]);
      vertices[graph_.vertices[vertex]] = {x + left, 0};
      x += left + right;
    }
    width = x + polar_margin;
  }

  /// Arcs inside of others first; each on the lowest row that is free over its whole length.
  void place_arcs() {
    std::vector<std::size_t> arcs;
    for (std::size_t i = 0; i < graph_.edges.size(); ++i)
      if (!falls(graph_.edges[i])) arcs.push_back(i);
    const auto ends = [&](std::size_t i) {
      return std::minmax(position_.at(graph_.edges[i].from), position_.at(graph_.edges[i].to));
    };
    std::ranges::stable_sort(arcs, {}, [&](std::size_t i) { return ends(i).second - ends(i).first; });
    std::map<std::size_t, std::size_t> level;
    std::size_t highest = 0;
    for (const std::size_t i : arcs) {
      const auto [a, b] = ends(i);
      std::size_t own = b - a > 1 ? 1 : 0;
      for (const auto& [other, at] : level)
        if (const auto [c, d] = ends(other); c < b && a < d) own = std::max(own, at + 1);
      level[i] = own;
      highest = std::max(highest, own);
    }
    const double y = polar_margin + 14 + row_of_arcs * static_cast<double>(highest);
    for (auto& [name, at] : vertices) at.y = y;
    ground = y + fall;
    height = ground + polar_margin + 20;
    for (const std::size_t i : arcs) {
      const Point a = vertices.at(graph_.edges[i].from), b = vertices.at(graph_.edges[i].to);
      const double rise = row_of_arcs * static_cast<double>(level.at(i)), middle = (a.x + b.x) / 2;
      courses[i] = {rise == 0 ? straight(a, b) : over(a, b, rise), {middle, y - rise}, {middle, y - rise - 14}};
    }
  }

  void place_falls() {
    for (const std::size_t vertex : row_) {
      const std::string& name = graph_.vertices[vertex];
      const Point top = vertices.at(name);
      const std::vector<std::size_t> hanging = falls_of(name);
      const double apart = pitch(hanging);
      double at = top.x - apart * static_cast<double>(hanging.size()) / 2 - apart / 2;
      for (const std::size_t i : hanging) {
        const Edge& edge = graph_.edges[i];
        at += apart;
        const Point upright{at, top.y + 0.5 * fall}, low{at, ground};
        courses[i] = {{top, {top.x + 0.8 * (at - top.x), top.y + 0.22 * fall}, {at, top.y + 0.3 * fall}, upright},
                      {at, top.y + 0.68 * fall},
                      {at + 9 + polar_width(edge.name) / 2, ground - fall / 4}};
        const std::vector<Point> line = straight(upright, low);
        courses[i].at.insert(courses[i].at.end(), line.begin() + 1, line.end());
        if (edge.from != name) std::ranges::reverse(courses[i].at);
      }
    }
  }

  const PolarGraph& graph_;
  std::vector<std::size_t> row_;                 ///< vertices from left to right
  std::map<std::string, std::size_t> position_;  ///< in the row; nothing for the reference
};

/// The colour of an edge, and the place of its line in the cycle of dashes.
std::pair<const char*, std::size_t> look_of(Relation relation) {
  switch (relation) {
    case Relation::law: return {" law", 1};
    case Relation::through_source:
    case Relation::across_source: return {" back", 2};
    case Relation::port: return {"", 3};
    case Relation::linear: break;
  }
  return {"", 0};
}

class PolarScene {
 public:
  PolarScene(const PolarGraph& graph, PolarStage stage) : graph_(graph), layout_(graph), tree_(stage == PolarStage::tree) {}

  Scene operator()() const {
    constexpr double narrowest = 210;  // a line of the key has room
    const std::string kind = tree_ ? "Lagrange tree" : "Polar graph";
    const double width = std::max(layout_.width, narrowest);
    Scene scene{.title = graph_.title.empty() ? kind : kind + ": " + graph_.title,
                .description = description(),
                .width = width,
                .height = layout_.height,
                .text_size = polar_text_size,
                .groups = {reference()},
                .kind = "polar"};
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) scene.groups.push_back(edge(i));
    for (const auto& [name, at] : layout_.vertices) scene.groups.push_back(vertex(name, at));
    if (SceneGroup key = legend(width, scene.height); !key.groups.empty()) scene.groups.push_back(std::move(key));
    return scene;
  }

 private:
  std::string description() const {
    std::string text = std::to_string(graph_.vertices.size()) + " vertices; ";
    for (const Edge& edge : graph_.edges)
      text += edge.type + " " + edge.name + " from " + edge.from + " to " + edge.to + (edge.tree ? " (tree); " : "; ");
    text.resize(text.size() - 2);
    return text;
  }

  /// The vertex 0: a line with hatching.
  SceneGroup reference() const {
    const double left = polar_margin + 8, right = layout_.width - polar_margin, y = layout_.ground;
    SceneGroup group{.style = "reference", .data = {{"vertex", "0"}}, .title = "0"};
    group.shapes.push_back({SceneShape::Kind::polyline, "ground", {{left, y}, {right, y}}});
    SceneShape hatch{SceneShape::Kind::polyline, "hatch"};
    for (double x = left + 8; x < right; x += 9) hatch.points.insert(hatch.points.end(), {{x, y}, {x - 7, y + 8}, pen_up});
    group.shapes.push_back(std::move(hatch));
    group.words.push_back({{left - 12, y + below_middle}, "middle", Caption("0")});
    return group;
  }

  SceneGroup edge(std::size_t i) const {
    const Edge& edge = graph_.edges[i];
    const Course& course = layout_.courses[i];
    const Point first = course.at.front(), last = course.at.back();
    const bool upright = std::abs(course.head.x - last.x) < 0.5 || std::abs(course.head.x - first.x) < 0.5;
    const Point u = upright ? Point{0, last.y > first.y ? 1.0 : -1.0} : Point{last.x > first.x ? 1.0 : -1.0, 0};
    const Point tip{course.head.x + 6 * u.x, course.head.y + 6 * u.y};
    const auto corner = [&](double back, double side) {
      return Point{tip.x - back * u.x - side * u.y, tip.y - back * u.y + side * u.x};
    };
    const bool bold = tree_ && edge.tree;
    const double half = bold ? 6 : 4.6;
    const auto [colour, dash] = look_of(edge.relation);
    const Point label = course.label;
    return {.style = (edge.tree ? "edge tree" : "edge chord") + std::string(colour),
            .data = {{"element", edge.name}},
            .title = edge.type + " " + edge.name + ": " + edge.from + " → " + edge.to,
            .shapes = {{.kind = SceneShape::Kind::curve,
                        .style = bold    ? "course bold"
                                 : tree_ ? "course light"
                                         : "course",
                        .points = course.at,
                        .dash = dash},
                       {SceneShape::Kind::polygon, "head", {tip, corner(12, -half), corner(9, 0), corner(12, half)}}},
            .words = {{{label.x, label.y + below_middle}, "middle halo", Caption::name(edge.name)}}};
  }

  static SceneGroup vertex(const std::string& name, Point p) {
    const double half = std::max(radius, polar_width(name) / 2 + 7);
    return {.style = "",
            .data = {{"vertex", name}},
            .title = name,
            .shapes = {{SceneShape::Kind::box, "vertex", {{p.x - half, p.y - radius}, {p.x + half, p.y + radius}}, radius}},
            .words = {{{p.x, p.y + below_middle}, "middle", Caption::name(name)}}};
  }

  /// A line of each look that occurs, with what it means behind it, in as many rows as the picture's width asks for.
  SceneGroup legend(double width, double& bottom) const {
    constexpr double sample = 30, gap = 8, apart = 20, row = 22;
    SceneGroup key{.style = "key"};
    Point at{polar_margin + 8, layout_.ground + 36};
    const auto add = [&](const std::string& what, std::string_view colour, std::string_view line, std::size_t dash) {
      const double own = sample + gap + 1.05 * typeset_plain(what, polar_text_size).width;
      if (at.x > polar_margin + 8 && at.x + own > width - polar_margin) at = {polar_margin + 8, at.y + row};
      key.groups.push_back({.style = "edge" + std::string(colour),
                            .shapes = {{.kind = SceneShape::Kind::polyline,
                                        .style = std::string(line),
                                        .points = {{at.x, at.y - below_middle}, {at.x + sample, at.y - below_middle}},
                                        .dash = dash}},
                            .words = {{{at.x + sample + gap, at.y}, "", Caption(what)}}});
      at.x += own + apart;
    };
    const std::string line = tree_ ? "course light" : "course";
    if (tree_) add("Lagrange tree", "", "course bold", 0);
    const auto occurs = [&](auto... relation) {
      return std::ranges::any_of(graph_.edges, [&](const Edge& e) { return ((e.relation == relation) || ...); });
    };
    if (occurs(Relation::through_source, Relation::across_source)) add("sources", " back", line, 2);
    if (occurs(Relation::law)) add("nonlinear", " law", line, 1);
    if (occurs(Relation::port)) add("ports", "", line, 3);
    if (!key.groups.empty()) bottom = at.y + polar_margin - 8;
    return key;
  }

  const PolarGraph& graph_;
  PolarLayout layout_;
  bool tree_;
};

void check_size(const PolarGraph& graph) {
  if (graph.vertices.size() > most_vertices || graph.edges.size() > most_edges)
    throw LimitReached("a picture of " + std::to_string(graph.vertices.size()) + " vertices and " +
                           std::to_string(graph.edges.size()) + " edges would show nothing",
                       "draw a part of the network");
}

}  // namespace

Scene polar_picture(const PolarGraph& graph, PolarStage stage) {
  check_size(graph);
  return PolarScene(graph, stage)();
}

std::string polar_dot(const PolarGraph& graph, PolarStage stage) {
  check_size(graph);
  std::ostringstream out;
  out << "digraph " << dot_string(graph.title.empty() ? "polar graph" : graph.title) << " {\n  node [shape=circle];\n";
  for (const std::string& vertex : graph.vertices)
    out << "  " << dot_string(vertex) << (vertex == "0" ? " [shape=box, style=filled];\n" : ";\n");
  for (const Edge& edge : graph.edges)
    out << "  " << dot_string(edge.from) << " -> " << dot_string(edge.to) << " [label=" << dot_string(edge.name)
        << (stage == PolarStage::tree && edge.tree ? ", penwidth=3" : "")
        << (edge.relation == Relation::law ? ", style=dashed" : "") << "];\n";
  out << "}\n";
  return out.str();
}

}  // namespace sfg
