#include "sfg/draw/tikz.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "sfg/draw/curve.hpp"
#include "sfg/draw/ink.hpp"
#include "sfg/draw/looks.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/draw/tikz_looks.hpp"
#include "sfg/expr/latex_text.hpp"

namespace sfg {
namespace {

Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }

/// The formula as LaTeX sets it; of a text that is no formula its letters.
std::string formula(const Label& label) {
  if (!(label.math == Math::word(""))) return "$\\displaystyle " + write(label.math, Notation::latex) + "$";
  std::string text;
  for (const TextRow& row : label.formula.rows)
    for (const TextRun& run : row.runs) text += run.text;
  return latex_text(text);
}

std::string tikz_colours(Theme theme, const HouseStyle* style) {
  const auto& [ground, ink, back, law, on, faded] = drawing_palette(theme, style);
  return tikz_colour("sfgpaper", ground) + tikz_colour("sfgink", ink) + tikz_colour("sfgback", back) +
         tikz_colour("sfglaw", law) + tikz_colour("sfgon", on) + tikz_colour("sfgfaded", faded) +
         tikz_colour("sfgnode", node_fill(drawing_palette(theme, style), style));
}

/// How every kind of thing looks: the first lines of the picture, to be changed in one place.
std::string opening(const TikzPaper& paper, const HouseStyle* style) {
  const auto or_usual = [&](double HouseStyle::*stated, double usual) {
    return style != nullptr && style->*stated > 0 ? style->*stated : usual;
  };
  const double branch = or_usual(&HouseStyle::branch, 1.4), arrow = or_usual(&HouseStyle::arrow_length, 11);
  std::ostringstream out;
  out << "\\begin{tikzpicture}[\n"
      << "  x=1cm, y=1cm, color=sfgink, line width=" << paper.pt(1.4) << ",\n"
      << "  every node/.append style={inner sep=1pt, font=\\fontsize{" << tikz_number(paper.font_size) << "}{"
      << tikz_number(1.2 * paper.font_size) << "}\\selectfont},\n"
      << "  sfg branch/.style={line width=" << paper.pt(branch) << "},\n"
      << "  sfg back/.style={color=sfgback},  % feedback\n"
      << "  sfg law/.style={color=sfglaw, dash pattern=on " << paper.pt(7) << " off " << paper.pt(4) << "},  % nonlinear\n"
      << "  sfg on/.style={color=sfgon, line width=" << paper.pt(3.2) << "},  % highlighted\n"
      << "  sfg faded/.style={color=sfgfaded},  % what is beside it\n"
      << "  sfg node/.style={circle, draw, fill=sfgnode, inner sep=0pt, minimum size="
      << paper.pt(2 * or_usual(&HouseStyle::node_radius, 4.6)) << ", line width=" << paper.pt(1.6) << "},\n"
      << "  sfg node on/.style={draw=sfgon, fill=sfgon},\n"
      << "  sfg name/.style={}, sfg gain/.style={}, sfg sign/.style={}, sfg number/.style={},\n"
      << "  sfg paper/.style={fill=sfgpaper},\n"
      << "  sfg legend/.style={anchor=north west, align=left},\n"
      << "  sfg line/.style={line width=" << paper.pt(1.4)
      << "}, sfg wire/.style={sfg line}, sfg block/.style={}, sfg thin/.style={line width=" << paper.pt(0.9) << "},\n"
      << "  sfg frame/.style={draw=sfgink!50!sfgpaper, dash pattern=on " << paper.pt(3) << " off " << paper.pt(3)
      << "},  % a subsystem\n"
      << "  sfg cell/.style={fill=sfgink!9!sfgpaper}, sfg grid/.style={draw=sfgink!18!sfgpaper, line width=" << paper.pt(0.7)
      << "},\n"
      << "  sfg table/.style={line width=" << paper.pt(1) << "}, sfg diagonal/.style={draw=sfgback, line width=" << paper.pt(2)
      << "},\n"
      << "  sfg head/.pic={\\draw[solid, line width=" << paper.pt(0.6) << ", -{Stealth[length=" << paper.pt(arrow)
      << ", width=" << paper.pt(or_usual(&HouseStyle::arrow_width, 8.4)) << ", inset=" << paper.pt(arrow * 2.5 / 11)
      << "]}] (-1pt,0) -- (0,0);}]\n";
  return out.str();
}

/// @throws LimitReached
void check_scene(const TikzPaper& paper, double width, double height) { check_tikz_size(paper.length(std::max(width, height))); }

/// Equations under the picture, in one paragraph each: TeX breaks those that are too long.
void write_legend(std::ostream& out, const TikzPaper& paper, const std::vector<const Label*>& lines, double picture_width) {
  double left = 1e9, top = 1e9;
  std::string text;
  for (const Label* line : lines) {
    left = std::min(left, line->centre.x - line->formula.width / 2);
    top = std::min(top, line->centre.y - line->formula.height() / 2);
    if (line->math == Math::word("")) continue;  // the rest of an equation that is whole in its first line
    text += (text.empty() ? "" : "\\\\[3pt]\n    ") + ("$" + write(line->math, Notation::latex) + "$");
  }
  if (text.empty()) return;
  out << "  \\node[sfg legend, text width=" << paper.cm(std::max(picture_width - 2 * left, 200.0)) << "] at "
      << paper({left, top}) << " {\\raggedright\n    " << text << "};\n";
}

/// Where on a curve a point is nearest: the span and its parameter.
struct OnCurve {
  std::size_t span = 0;
  double t = 0;
  Point at = {};
};

bool is_straight(const Point* p) {
  const Point chord = p[3] - p[0];
  const double length = std::hypot(chord.x, chord.y);
  if (length < 0.1) return false;  // a loop
  const auto off = [&](Point q) { return std::abs((q.x - p[0].x) * chord.y - (q.y - p[0].y) * chord.x) / length; };
  return off(p[1]) < 0.05 && off(p[2]) < 0.05;
}

/// The point at t as TikZ counts it: along a straight piece by length.
Point on_span(const Point* p, double t) {
  return is_straight(p) ? Point{p[0].x + t * (p[3].x - p[0].x), p[0].y + t * (p[3].y - p[0].y)} : bezier(p, t);
}

OnCurve nearest(const std::vector<Point>& curve, Point to) {
  constexpr int steps = 200;
  OnCurve best;
  double least = 1e18;
  for (std::size_t span = 0; 3 * span + 3 < curve.size(); ++span)
    for (int i = 0; i <= steps; ++i) {
      const double t = static_cast<double>(i) / steps;
      const Point at = on_span(&curve[3 * span], t);
      if (const double d = distance(at, to); d < least) {
        least = d;
        best = {span, t, at};
      }
    }
  return best;
}

/// The edge of a label that faces what it belongs to: there it stays where LaTeX sets it larger than we do.
struct Anchor {
  const char* name = "center";
  Point at = {};
};

Anchor anchor(const Label& label, Point beside) {
  const Point c = label.centre;
  if (label.formula.rows.empty()) return {"center", c};
  const Box box = bounds(ink(label.formula));  // TeX has boxes of letters, too, not of lines
  if (beside.y >= box.bottom) return {"south", {c.x, box.bottom}};
  if (beside.y <= box.top) return {"north", {c.x, box.top}};
  if (beside.x <= box.left) return {"west", {box.left, c.y}};
  if (beside.x >= box.right) return {"east", {box.right, c.y}};
  return {"center", c};
}

/// A graph whose branches are stated by its nodes.
class GraphPicture {
 public:
  GraphPicture(const Drawing& drawing, const TikzOptions& options)
      : drawing_(drawing), options_(options), paper_{drawing.text_size, options.font_size} {
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) places_[drawing.nodes[i].title] = i;
    lit_ = !options.highlight.nodes.empty() || !options.highlight.branches.empty();
  }

  std::string operator()() {
    out_ << opening(paper_, options_.style) << "  % The places of the nodes: move one, and its branches follow.\n";
    for (std::size_t i = 0; i < drawing_.nodes.size(); ++i)
      out_ << "  \\coordinate (n" << i << ") at " << paper_(drawing_.nodes[i].at) << ";  % "
           << latex_text(drawing_.nodes[i].title) << '\n';
    out_ << "  % The branches: course, arrow head, gain.\n";
    for (const DrawnBranch& branch : drawing_.branches) write(branch);
    out_ << "  % The nodes and their names.\n";
    for (std::size_t i = 0; i < drawing_.nodes.size(); ++i) write(i);
    for (const DrawnNumber& number : drawing_.numbers)
      out_ << "  \\node[sfg number] at " << paper_(number.label.centre) << " {" << formula(number.label) << "};\n";
    std::vector<const Label*> legend;
    for (const Label& line : drawing_.legend) legend.push_back(&line);
    write_legend(out_, paper_, legend, drawing_.width);
    return out_.str();
  }

 private:
  static std::string name(std::size_t node) { return "n" + std::to_string(node); }

  /// A point by the two nodes of its branch.
  std::string by_nodes(Point p, std::size_t from, std::size_t to) const {
    const Point a = drawing_.nodes[from].at, b = drawing_.nodes[to].at;
    if (distance(p, a) < 0.3) return '(' + name(from) + ')';
    if (distance(p, b) < 0.3) return '(' + name(to) + ')';
    if (from == to) return "($(" + name(from) + ")+" + paper_(p - a) + "$)";
    const Point chord = b - a;
    const double length = std::max(chord.x * chord.x + chord.y * chord.y, 1e-9);
    const double along = std::clamp(((p.x - a.x) * chord.x + (p.y - a.y) * chord.y) / length, 0.0, 1.0);
    const double t = std::round(100 * along) / 100;
    return "($(" + name(from) + ")!" + tikz_number(t) + "!(" + name(to) + ")+" +
           paper_(p - Point{a.x + t * chord.x, a.y + t * chord.y}) + "$)";
  }

  void write(const DrawnBranch& branch) {
    const std::size_t from = places_.at(branch.from), to = places_.at(branch.to);
    const std::vector<Point>& curve = branch.curve;
    const OnCurve head = nearest(curve, branch.arrow), gain = nearest(curve, branch.gain.centre);
    out_ << "  \\draw[sfg branch" << look(branch) << "] " << by_nodes(curve.front(), from, to);
    for (std::size_t span = 0; 3 * span + 3 < curve.size(); ++span) {
      const Point* p = &curve[3 * span];
      if (is_straight(p))
        out_ << " --";
      else
        out_ << " .. controls +" << paper_(p[1] - p[0]) << " and +" << paper_(p[2] - p[3]) << " ..";
      out_ << ' ' << by_nodes(p[3], from, to);
      if (head.span == span) out_ << "\n    pic[pos=" << tikz_number(head.t) << ", sloped, allow upside down] {sfg head}";
      if (gain.span == span && !branch.gain.formula.rows.empty()) write_gain(branch.gain, gain);
    }
    out_ << ";  % " << latex_text(branch.from) << " to " << latex_text(branch.to) << '\n';
  }

  void write_gain(const Label& label, const OnCurve& beside) {
    const Anchor side = anchor(label, beside.at);
    out_ << "\n    node[sfg gain" << (label.backed ? ", sfg paper" : "") << ", pos=" << tikz_number(beside.t)
         << ", anchor=" << side.name << ", xshift=" << paper_.cm(side.at.x - beside.at.x)
         << ", yshift=" << paper_.cm(beside.at.y - side.at.y) << "] {" << formula(label) << '}';
  }

  std::string look(const DrawnBranch& branch) const {
    std::string styles;
    if (branch.feedback) styles += ", sfg back";
    if (branch.nonlinear) styles += ", sfg law";
    if (options_.highlight.has(branch.id)) return styles + ", sfg on";
    return styles + (lit_ ? ", sfg faded" : "");
  }

  void write(std::size_t i) {
    const DrawnNode& node = drawing_.nodes[i];
    const bool on = options_.highlight.has(node.id);
    const bool faded = lit_ && !on;
    const Anchor side = anchor(node.name, node.at);
    out_ << "  \\node[sfg node"
         << (on      ? ", sfg node on"
             : faded ? ", draw=sfgfaded"
                     : "")
         << "] at (" << name(i) << ") {};\n"
         << "  \\path (" << name(i) << ") +" << paper_(side.at - node.at) << " node[sfg name, anchor=" << side.name
         << (on      ? ", text=sfgon"
             : faded ? ", text=sfgfaded"
                     : "")
         << (node.name.backed ? ", sfg paper" : "") << "] {" << formula(node.name) << "};\n";
  }

  const Drawing& drawing_;
  const TikzOptions& options_;
  TikzPaper paper_;
  std::map<std::string, std::size_t> places_;
  bool lit_ = false;
  std::ostringstream out_;
};

/// Any picture, as it is placed.
class ScenePicture {
 public:
  ScenePicture(const Scene& scene, const TikzOptions& options)
      : scene_(scene), options_(options), paper_{scene.text_size, options.font_size} {}

  std::string operator()() {
    out_ << opening(paper_, options_.style);
    for (const SceneGroup& group : scene_.groups) write(group, "");
    return out_.str();
  }

 private:
  /// The styles of the preamble among the classes, in the order in which they override each other.
  static std::string styles(const std::string& classes) {
    std::string text;
    for (const std::string_view known :
         {"branch", "line", "wire", "block", "thin", "frame", "cell", "grid", "table", "diagonal", "back", "law", "on"})
      if (has_class(classes, known)) text += ", sfg " + std::string(known);
    return text;
  }

  void write(const SceneGroup& group, const std::string& outer) {
    const std::string classes = outer + ' ' + group.style;
    if (!group.title.empty()) out_ << "  % " << latex_text(group.title) << '\n';
    if (group.style == "legend") return legend(group);
    for (const SceneShape& shape : group.shapes) write(shape, classes + ' ' + shape.style);
    for (const SceneText& text : group.texts) write(text, classes, place(text.label, group));
    for (const SceneGroup& inner : group.groups) write(inner, classes);
  }

  void legend(const SceneGroup& group) {
    std::vector<const Label*> lines;
    for (const SceneText& text : group.texts) lines.push_back(&text.label);
    for (const SceneGroup& entry : group.groups)
      for (const SceneText& text : entry.texts) lines.push_back(&text.label);
    write_legend(out_, paper_, lines, scene_.width);
  }

  /// Beside the course of a branch a label keeps the edge that faces it.
  static Anchor place(const Label& label, const SceneGroup& group) {
    for (const SceneShape& shape : group.shapes) {
      if (shape.kind == SceneShape::Kind::curve) return anchor(label, nearest(shape.points, label.centre).at);
      if (has_class(group.style, "node") && shape.kind == SceneShape::Kind::circle) return anchor(label, shape.points[0]);
    }
    return {"center", label.centre};
  }

  void write(const SceneText& text, const std::string& classes, const Anchor& side) {
    if (text.label.formula.rows.empty()) return;
    out_ << "  \\node[" << (text.label.backed ? "sfg paper" : "sfg gain") << colour_of(classes) << ", anchor=" << side.name
         << "] at " << paper_(side.at) << " {" << formula(text.label) << "};\n";
  }
  static std::string colour_of(const std::string& classes) {
    for (const std::string_view known : {"on", "law", "back"})
      if (has_class(classes, known)) return ", text=sfg" + std::string(known);
    return "";
  }

  /// Whether a shape is a line, a ground or both: as the rules of the SVG have it.
  static std::string manner(const SceneShape& shape) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kinds{
        {{"dot", "\\fill[solid"},
         {"cell", "\\fill[fill=sfgink!9!sfgpaper"},
         {"mark", "\\fill[fill=sfgink!75!sfgpaper"},
         {"grid", "\\draw[draw=sfgink!18!sfgpaper"},
         {"frame", "\\draw[dashed, draw=sfgink!50!sfgpaper"},
         {"table", "\\draw[solid"},
         {"diagonal", "\\draw[very thick, color=sfgback"}}};
    for (const auto& [word, command] : kinds)
      if (has_class(shape.style, word)) return std::string(command);
    if (shape.kind == SceneShape::Kind::polygon) return "\\fill[solid";
    const bool covers = shape.kind == SceneShape::Kind::circle || shape.kind == SceneShape::Kind::box;
    return covers ? "\\filldraw[fill=sfgpaper" : "\\draw[solid";
  }

  void write(const SceneShape& shape, const std::string& classes) {
    out_ << "  " << manner(shape) << styles(classes) << "] ";
    write_course(out_, paper_, shape);
    out_ << ";\n";
  }

  const Scene& scene_;
  const TikzOptions& options_;
  TikzPaper paper_;
  std::ostringstream out_;
};

}  // namespace

void write_tikz(std::ostream& out, const Drawing& drawing, const TikzOptions& options) {
  check_scene({drawing.text_size, options.font_size}, drawing.width, drawing.height);
  write_tikz_document(out, drawing.title, tikz_colours(options.theme, options.style), GraphPicture(drawing, options)(), options);
}

void write_tikz(std::ostream& out, const Scene& scene, const TikzOptions& options) {
  check_scene({scene.text_size, options.font_size}, scene.width, scene.height);
  if (scene.kind.empty())
    return write_tikz_document(out, scene.title, tikz_colours(options.theme, options.style), ScenePicture(scene, options)(),
                               options);
  write_tikz_looks(out, scene, options);
}

}  // namespace sfg
