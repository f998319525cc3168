// The reference is drawn as the ground line, so that the edges of the mass star hang side by side under their vertices and cross
// nothing; chords between vertices are arcs above the row, one inside the other, the innermost a straight line.
#include "sfg/draw/polar_picture.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "sfg/draw/convert.hpp"
#include "sfg/draw/drawing.hpp"
#include "sfg/draw/formula.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using Edge = PolarGraph::Edge;
using Relation = PolarGraph::Relation;

constexpr double polar_text_size = 15, polar_margin = 24, row_of_arcs = 40, fall = 120, between_edges = 26, radius = 12;
constexpr std::size_t most_vertices = 80, most_edges = 400;

std::string polar_number(double value) {
  std::array<char, 32> text{};
  const double rounded = std::round(value * 10) / 10;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), rounded == 0 ? 0 : rounded).ptr};
}

double polar_width(const std::string& text) { return typeset_plain(text, polar_text_size).width; }

/// An edge as a cubic curve from its first vertex to its second.
struct Course {
  std::array<Point, 4> at;
  Point label;
};

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

  /// What the edges to the reference need under a vertex.
  double column_width(const std::string& vertex) const {
    double sum = 0;
    for (const Edge& edge : graph_.edges)
      if (falls(edge) && upper(edge) == vertex) sum += polar_width(edge.name) + between_edges;
    double beside = 0;  // the straight chord to the next vertex carries its name between them
    for (const Edge& edge : graph_.edges)
      if (!falls(edge) && (edge.from == vertex || edge.to == vertex)) beside = std::max(beside, polar_width(edge.name) + 60);
    return std::max({sum, beside, 2 * radius + 40});
  }

  void place_vertices() {
    double x = polar_margin + 20;
    for (const std::size_t vertex : row_) {
      const double own = column_width(graph_.vertices[vertex]);
      vertices[graph_.vertices[vertex]] = {x + own / 2, 0};
      x += own;
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
      const double rise = row_of_arcs * static_cast<double>(level.at(i)), lean = (b.x - a.x) / 5;
      courses[i] = {{a, Point{a.x + lean, y - rise * 4 / 3}, Point{b.x - lean, y - rise * 4 / 3}, b},
                    {(a.x + b.x) / 2, y - rise - 14}};
    }
  }

  void place_falls() {
    for (const std::size_t vertex : row_) {
      const std::string& name = graph_.vertices[vertex];
      const Point top = vertices.at(name);
      double sum = 0;
      for (const Edge& edge : graph_.edges)
        if (falls(edge) && upper(edge) == name) sum += polar_width(edge.name) + between_edges;
      double x = top.x - sum / 2;
      for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
        const Edge& edge = graph_.edges[i];
        if (!falls(edge) || upper(edge) != name) continue;
        const double own = polar_width(edge.name) + between_edges, at = x + 8;
        courses[i] = {{top, Point{at, top.y + fall / 3}, Point{at, ground - fall / 3}, Point{at, ground}},
                      {at + 9 + polar_width(edge.name) / 2, ground - fall / 4}};
        if (edge.from != name) std::ranges::reverse(courses[i].at);
        x += own;
      }
    }
  }

  const PolarGraph& graph_;
  std::vector<std::size_t> row_;                 ///< vertices from left to right
  std::map<std::string, std::size_t> position_;  ///< in the row; nothing for the reference
};

const char* class_of(Relation relation) {
  switch (relation) {
    case Relation::law: return " law";
    case Relation::through_source:
    case Relation::across_source: return " source";
    case Relation::port: return " port";
    case Relation::linear: break;
  }
  return "";
}

class PolarWriter {
 public:
  PolarWriter(const PolarGraph& graph, PolarStage stage, const PictureOptions& options)
      : graph_(graph), layout_(graph), tree_(stage == PolarStage::tree), colours_(drawing_palette(options.theme)) {}

  std::string svg() {
    const std::string key = legend();
    const std::string w = polar_number(std::ceil(std::max(layout_.width, polar_width(key) * 1.1 + 2 * polar_margin + 8))),
                      h = polar_number(std::ceil(layout_.height));
    const std::string kind = tree_ ? "Lagrange tree" : "Polar graph";
    out_ << R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" << w << ' ' << h << R"(" width=")" << w << R"(" height=")"
         << h << R"(" role="img" aria-labelledby="title description">)" << '\n'
         << R"(<title id="title">)" << xml_text(graph_.title.empty() ? kind : kind + ": " + graph_.title) << "</title>\n"
         << R"(<desc id="description">)" << xml_text(description()) << "</desc>\n";
    style();
    out_ << R"(<rect class="paper" width=")" << w << R"(" height=")" << h << "\"/>\n";
    reference();
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) edge(i);
    for (const auto& [name, at] : layout_.vertices) vertex(name, at);
    out_ << R"(<text style="text-anchor:start" x=")" << polar_number(polar_margin + 8) << R"(" y=")"
         << polar_number(layout_.height - 8) << "\">" << key << "</text>\n";
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  std::string description() const {
    std::string text = std::to_string(graph_.vertices.size()) + " vertices; ";
    for (const Edge& edge : graph_.edges)
      text += edge.type + " " + edge.name + " from " + edge.from + " to " + edge.to + (edge.tree ? " (tree); " : "; ");
    text.resize(text.size() - 2);
    return text;
  }

  void style() {
    const auto& [paper, ink, source, law, on, faded] = colours_;
    out_ << "<style>\n"
         << ".paper{fill:" << paper << "}\n"
         << ".course,.ground{fill:none;stroke:" << ink << ";stroke-width:" << (tree_ ? "1.1" : "1.6") << "}\n"
         << (tree_ ? ".tree .course{stroke-width:3.6}\n" : "") << ".head{fill:" << ink << ";stroke:none}\n"
         << ".ground{stroke-width:2.2}\n.hatch{stroke:" << ink << ";stroke-width:1}\n"
         << ".vertex rect{fill:" << paper << ";stroke:" << ink << ";stroke-width:1.6}\n"
         << "text{font-family:'Liberation Serif','STIX Two Text','Times New Roman',Times,serif;font-size:" << polar_text_size
         << "px;fill:" << ink << ";text-anchor:middle;paint-order:stroke;stroke:" << paper
         << ";stroke-width:4px;stroke-linejoin:round}\n.vertex text{stroke:none}\n"
         << ".source .course{stroke:" << source << "}\n.source .head,.source text{fill:" << source << "}\n"
         << ".law .course{stroke:" << law << ";stroke-dasharray:7 4}\n.law .head,.law text{fill:" << law << "}\n"
         << ".port .course{stroke-dasharray:2 3}\n"
         << "</style>\n";
  }

  /// The vertex 0: a line with hatching.
  void reference() {
    const double left = polar_margin + 8, right = layout_.width - polar_margin, y = layout_.ground;
    out_ << R"(<g class="vertex reference" data-vertex="0"><title>0</title><path class="ground" d="M)" << polar_number(left)
         << ',' << polar_number(y) << " L" << polar_number(right) << ',' << polar_number(y) << R"("/><path class="hatch" d=")";
    for (double x = left + 8; x < right; x += 9) out_ << 'M' << polar_number(x) << ',' << polar_number(y) << " l-7,8 ";
    out_ << R"("/><text x=")" << polar_number(left - 12) << R"(" y=")" << polar_number(y + 5) << "\">0</text></g>\n";
  }

  static std::string at(Point p) { return polar_number(p.x) + ',' + polar_number(p.y); }

  void edge(std::size_t i) {
    const Edge& edge = graph_.edges[i];
    const auto& [a, b, c, d] = layout_.courses[i].at;
    const Point middle{(a.x + 3 * b.x + 3 * c.x + d.x) / 8, (a.y + 3 * b.y + 3 * c.y + d.y) / 8};
    const Point along{d.x + c.x - b.x - a.x, d.y + c.y - b.y - a.y};
    const double length = std::hypot(along.x, along.y);
    const Point u{along.x / length, along.y / length}, tip{middle.x + 6 * u.x, middle.y + 6 * u.y};
    const auto corner = [&](double back, double side) {
      return at({tip.x - back * u.x - side * u.y, tip.y - back * u.y + side * u.x});
    };
    const double half = tree_ && edge.tree ? 6 : 4.6;
    out_ << R"(<g class="edge )" << (edge.tree ? "tree" : "chord") << class_of(edge.relation) << R"(" data-element=")"
         << xml_text(edge.name) << "\"><title>" << xml_text(edge.type + " " + edge.name + ": " + edge.from + " → " + edge.to)
         << R"(</title><path class="course" d="M)" << at(a) << " C" << at(b) << ' ' << at(c) << ' ' << at(d)
         << R"("/><path class="head" d="M)" << at(tip) << " L" << corner(12, -half) << " L" << corner(9, 0) << " L"
         << corner(12, half) << R"( Z"/><text x=")" << polar_number(layout_.courses[i].label.x) << R"(" y=")"
         << polar_number(layout_.courses[i].label.y + 5) << "\">" << xml_text(edge.name) << "</text></g>\n";
  }

  void vertex(const std::string& name, Point p) {
    const double half = std::max(radius, polar_width(name) / 2 + 7);
    out_ << R"(<g class="vertex" data-vertex=")" << xml_text(name) << "\"><title>" << xml_text(name) << R"(</title><rect x=")"
         << polar_number(p.x - half) << R"(" y=")" << polar_number(p.y - radius) << R"(" width=")" << polar_number(2 * half)
         << R"(" height=")" << polar_number(2 * radius) << R"(" rx=")" << polar_number(radius) << R"("/><text x=")"
         << polar_number(p.x) << R"(" y=")" << polar_number(p.y + 5) << "\">" << xml_text(name) << "</text></g>\n";
  }

  std::string legend() const {
    std::string text = tree_ ? "bold: Lagrange tree" : "";
    const auto add = [&](const char* what, Relation relation, Relation other) {
      if (std::ranges::none_of(graph_.edges, [&](const Edge& e) { return e.relation == relation || e.relation == other; }))
        return;
      text += (text.empty() ? "" : ", ") + std::string(what);
    };
    add("blue: sources", Relation::through_source, Relation::across_source);
    add("dashed: nonlinear", Relation::law, Relation::law);
    add("dotted: ports", Relation::port, Relation::port);
    return text;
  }

  const PolarGraph& graph_;
  PolarLayout layout_;
  bool tree_;
  const DrawingPalette& colours_;
  std::ostringstream out_;
};

std::string dot_text(const PolarGraph& graph, PolarStage stage) {
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

}  // namespace

std::string polar_picture(const PolarGraph& graph, PolarStage stage, PictureFormat format, const PictureOptions& options) {
  if (graph.vertices.size() > most_vertices || graph.edges.size() > most_edges)
    throw LimitReached("a picture of " + std::to_string(graph.vertices.size()) + " vertices and " +
                           std::to_string(graph.edges.size()) + " edges would show nothing",
                       "draw a part of the network");
  if (format == PictureFormat::dot) return dot_text(graph, stage);
  std::string svg = PolarWriter(graph, stage, options).svg();
  return converted(sized(std::move(svg), polar_text_size, options), format, options);
}

}  // namespace sfg
