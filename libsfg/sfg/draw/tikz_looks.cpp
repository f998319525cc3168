#include "sfg/draw/tikz_looks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>
#include <set>
#include <sstream>
#include <vector>

#include "sfg/draw/looks.hpp"
#include "sfg/draw/set_caption.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/latex_text.hpp"

namespace sfg {
namespace {

class LookPicture {
 public:
  LookPicture(const Scene& scene, const TikzOptions& options)
      : scene_(scene), paper_{scene.text_size, options.font_size}, looks_(looks_of(scene, options.style)) {
    for (const auto& [name, colour] : colours_of(scene, options.theme, options.style)) {
      if (name != "paper") colour_names_.insert(name);
      colours_ += tikz_colour("sfg" + name, colour);
    }
  }

  const std::string& colours() const { return colours_; }

  std::string operator()() {
    out_ << "\\begin{tikzpicture}[\n  x=1cm, y=1cm, color=sfgink, line join=round,\n"
         << "  every node/.append style={inner sep=0pt, outer sep=0pt},\n"
         << "  sfg halo/.style={fill=sfgpaper, fill opacity=.75, text opacity=1},\n";
    for (const Look& look : looks_) out_ << "  sfg " << look.of << "/.style={" << style(look) << "},\n";
    out_ << "]\n  \\path[use as bounding box] (0,0) rectangle " << paper_({scene_.width, scene_.height}) << ";\n";
    for (const SceneGroup& group : scene_.groups) write(group);
    return out_.str();
  }

 private:
  std::string dash_pattern(std::string_view lengths) const {
    std::string all;
    std::istringstream words{std::string(lengths)};
    double length = 0;
    for (bool on = true; words >> length; on = !on)
      all += std::string(all.empty() ? "" : " ") + (on ? "on " : "off ") + paper_.pt(length);
    return "dash pattern=" + all;
  }

  std::string style(const Look& look) const {
    std::string all;
    const auto add = [&](const std::string& what) { all += (all.empty() ? "" : ", ") + what; };
    if (is_named(look.stroke)) add("draw=sfg" + std::string(look.stroke));
    if (is_named(look.fill)) add("fill=sfg" + std::string(look.fill));
    if (look.width > 0) add("line width=" + paper_.pt(look.width));
    if (look.round) add("line cap=round");
    if (!look.dash.empty()) add(dash_pattern(look.dash));
    if (look.fill_opacity < 1) add("fill opacity=" + tikz_number(look.fill_opacity));
    if (look.opacity < 1) add("opacity=" + tikz_number(look.opacity) + ", transparency group");
    return all;
  }
  static bool is_named(std::string_view colour) { return !colour.empty() && colour != "none" && colour != "current"; }

  /// ", color=sfglaw" of classes with a colour.
  std::string colour_of(const std::string& classes) const {
    for (const std::string& word : words_of(classes))
      if (colour_names_.contains(word)) return "color=sfg" + word;
    return "";
  }

  void write(const SceneGroup& group) {
    std::string scope = colour_of(group.style);
    for (const Look& look : looks_)
      if (look.opacity < 1 && has_class(group.style, look.of))
        scope += (scope.empty() ? "sfg " : ", sfg ") + std::string(look.of);
    if (!group.title.empty()) out_ << "  % " << latex_text(group.title) << '\n';
    if (!scope.empty()) out_ << "  \\begin{scope}[" << scope << "]\n";
    for (const SceneShape& shape : group.shapes) write(shape);
    for (const SceneWords& words : group.words) write(words);
    for (const SceneGroup& inner : group.groups) write(inner);
    if (!scope.empty()) out_ << "  \\end{scope}\n";
  }

  void write(const SceneShape& shape) {
    std::string options;
    std::string_view stroke, fill;
    for (const Look& look : looks_) {
      if (!has_class(shape.style, look.of)) continue;
      options += (options.empty() ? "sfg " : ", sfg ") + std::string(look.of);
      if (!look.stroke.empty()) stroke = look.stroke;
      if (!look.fill.empty()) fill = look.fill;
    }
    if (stroke == "current" || fill == "current")
      if (const std::string colour = colour_of(shape.style); !colour.empty()) options.insert(0, colour + ", ");
    if (shape.dash != 0) options += ", " + dash_pattern(dashes(shape.dash));
    const bool drawn = !stroke.empty() && stroke != "none", filled = !fill.empty() && fill != "none";
    if (shape.points.empty() || (!drawn && !filled)) return;
    const std::string begin = std::string(drawn ? filled ? "  \\filldraw[" : "  \\draw[" : "  \\fill[") + options + "] ";
    out_ << begin;
    write_course(out_, paper_, shape, filled || shape.kind == SceneShape::Kind::curve ? "" : begin);
    out_ << ";\n";
  }

  void write(const SceneWords& words) {
    if (words.text.empty()) return;
    constexpr double narrower = 0.88;  // Computer Modern runs wider than the letters that places were found for
    constexpr double narrowest = 0.8;  // in a legend, whose box fits its words
    const double pixels = words.size > 0 ? words.size : scene_.text_size;
    const double size = paper_.points(pixels) * (has_class(words.style, "entry") ? narrowest : narrower);
    const bool end = has_class(words.style, "end"), bold = has_class(words.style, "bold");
    const std::string colour = colour_of(words.style);
    out_ << "  \\node[anchor="
         << (has_class(words.style, "middle") ? "base"
             : end                            ? "base east"
                                              : "base west")
         << (words.turned ? ", rotate=90" : "") << (has_class(words.style, "halo") ? ", sfg halo" : "")
         << (colour.empty() ? "" : ", text=" + colour.substr(6)) << ", font=\\fontsize{" << tikz_number(size) << "}{"
         << tikz_number(1.2 * size) << "}\\selectfont" << (bold ? "\\bfseries\\boldmath" : "") << "] at " << paper_(words.at)
         << " {" << latex(words.text);
    if (!words.exponent.empty()) out_ << "$^{" << exponent(words.exponent) << "}$";
    out_ << "};\n";
  }
  static std::string exponent(const std::string& typeset) {
    constexpr std::string_view minus = "−";
    return typeset.starts_with(minus) ? "-" + typeset.substr(minus.size()) : typeset;
  }

  const Scene& scene_;
  TikzPaper paper_;
  std::vector<Look> looks_;
  std::set<std::string> colour_names_;
  std::string colours_;
  std::ostringstream out_;
};

}  // namespace

void write_tikz_looks(std::ostream& out, const Scene& scene, const TikzOptions& options) {
  LookPicture picture(scene, options);
  const std::string text = picture();
  write_tikz_document(out, scene.title, picture.colours(), text, options);
}

std::string tikz_number(double value) {
  std::array<char, 32> text{};
  const double rounded = std::round(value * 1000) / 1000;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), rounded == 0 ? 0 : rounded).ptr};
}

std::string tikz_colour(std::string_view name, std::string_view hexadecimal) {
  std::string digits(hexadecimal.substr(1));
  std::ranges::transform(digits, digits.begin(), [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
  return "\\definecolor{" + std::string(name) + "}{HTML}{" + digits + "}%\n";
}

void check_tikz_size(double centimetres) {
  constexpr double most = 500;
  if (centimetres > most)
    throw LimitReached("the picture would be larger than 5 m, and TeX has no such lengths", Advice::reduce_graph);
}

void write_course(std::ostream& out, const TikzPaper& paper, const SceneShape& shape, const std::string& anew) {
  constexpr std::size_t points_of_path = 1500;
  using Kind = SceneShape::Kind;
  if (shape.kind == Kind::circle) {
    out << paper(shape.points[0]) << " circle[radius=" << paper.cm(shape.radius) << ']';
    return;
  }
  if (shape.kind == Kind::box) {
    if (shape.radius > 0) out << "[rounded corners=" << paper.cm(shape.radius) << "] ";
    out << paper(shape.points[0]) << " rectangle " << paper(shape.points[1]);
    return;
  }
  const bool closed = shape.kind == Kind::polygon;
  std::size_t piece = 0, count = 0;  // points of the piece and of the path
  for (std::size_t i = 0; i < shape.points.size(); ++i) {
    const Point p = shape.points[i];
    if (is_pen_up(p)) {
      out << (closed && piece > 0 ? " -- cycle" : "");
      piece = 0;
      continue;
    }
    if (!anew.empty() && piece > 0 && count >= points_of_path) {
      out << ";\n" << anew << paper(shape.points[i - 1]);
      count = 0;
    }
    if (++count % 8 == 0 && !anew.empty()) out << "\n    ";
    if (piece == 0)
      out << (i == 0 ? "" : " ");
    else if (shape.kind != Kind::curve)
      out << " -- ";
    else
      out << (piece % 3 == 1 ? " .. controls " : piece % 3 == 2 ? " and " : " .. ");
    out << paper(p);
    ++piece;
  }
  out << (closed && piece > 0 ? " -- cycle" : "");
}

void write_tikz_document(std::ostream& out, const std::string& title, const std::string& colours, const std::string& picture,
                         const TikzOptions& options) {
  const std::string letters = options.style != nullptr && !options.style->latex.empty() ? '\\' + options.style->latex + '\n' : "";
  const bool ascii = std::ranges::all_of(picture, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  out << "% " << latex_text(title) << '\n';
  if (!options.fragment) {
    out << "\\IfFileExists{standalone.cls}{\\documentclass[border=4pt]{standalone}}{\\documentclass{article}\\pagestyle{empty}}\n"
        << (ascii ? "" : "\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n")
        << "\\usepackage{amsmath}\n\\usepackage{tikz}\n\\usetikzlibrary{arrows.meta,calc}\n"
        << colours << (options.theme == Theme::dark ? "\\AtBeginDocument{\\pagecolor{sfgpaper}}\n" : "") << "\\begin{document}\n"
        << letters << picture << "\\end{tikzpicture}\n\\end{document}\n";
    return;
  }
  out << "% for a document with \\usepackage{amsmath,tikz} and \\usetikzlibrary{arrows.meta,calc}\n{%\n"
      << colours << (ascii ? "" : "\\fontencoding{T1}\\selectfont\n") << letters << picture << "\\end{tikzpicture}}\n";
}

}  // namespace sfg
