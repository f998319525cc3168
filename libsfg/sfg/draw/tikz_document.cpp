#include "sfg/draw/tikz_document.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>

#include "sfg/error.hpp"
#include "sfg/expr/latex_text.hpp"

namespace sfg {

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
