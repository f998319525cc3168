#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/latex_text.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

struct LatexLayout {
  double width = 120;     ///< of a line, mm
  bool document = false;  ///< with a preamble, so that it compiles as it is
  bool part = false;      ///< of a larger document with longtable: titles are subsections, tables go on over pages, and what is
                          ///< said of how a result was made is printed
};

/// The page as LaTeX with amsmath and mathtools, and with tikz (arrows.meta, calc) where it has pictures; equations are broken
/// where they are wider than a line. A picture is drawn where it holds TikZ in the place of SVG, else its caption stands for it.
void write_latex(std::ostream&, const Page&, const LatexLayout& = {});

/// A formula as lines no wider than so many points, broken at signs, then inside of brackets and fractions; a power of `main`
/// a line where there are several. What nothing breaks is left as wide as it is.
std::vector<std::string> latex_lines(const Math&, double width, std::string_view main = {});
/// The text of a program in typewriter type, a paragraph a line: any characters, lines no longer than so many points, longer ones
/// go on below after an arrow.
std::string latex_listing(std::string_view text, double width);
/// About how wide LaTeX sets a formula at ten points, in points.
double latex_width(const Math&);

}  // namespace sfg
