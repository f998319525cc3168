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

void write_tikz_document(std::ostream& out, const std::string& title, const std::string& colours, const std::string& picture,
                         const TikzOptions& options) {
  const bool ascii = std::ranges::all_of(picture, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  out << "% " << latex_text(title) << '\n';
  if (!options.fragment) {
    out << "\\IfFileExists{standalone.cls}{\\documentclass[border=4pt]{standalone}}{\\documentclass{article}\\pagestyle{empty}}\n"
        << (ascii ? "" : "\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n")
        << "\\usepackage{amsmath}\n\\usepackage{tikz}\n\\usetikzlibrary{arrows.meta,calc}\n"
        << colours << (options.theme == Theme::dark ? "\\AtBeginDocument{\\pagecolor{sfgpaper}}\n" : "") << "\\begin{document}\n"
        << picture << "\\end{tikzpicture}\n\\end{document}\n";
    return;
  }
  out << "% for a document with \\usepackage{amsmath,tikz} and \\usetikzlibrary{arrows.meta,calc}\n{%\n"
      << colours << (ascii ? "" : "\\fontencoding{T1}\\selectfont\n") << picture << "\\end{tikzpicture}}\n";
}

}  // namespace sfg
