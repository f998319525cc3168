#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/latex_text.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

struct LatexLayout {
  double width = 120;     ///< of a line, mm
  bool document = false;  ///< with a preamble, so that it compiles as it is
};

/// The page as LaTeX with amsmath and mathtools; equations are broken where they are wider than a line.
void write_latex(std::ostream&, const Page&, const LatexLayout& = {});

/// A formula as lines no wider than so many points, broken at signs, then inside of brackets and fractions; a power of `main`
/// a line where there are several. What nothing breaks is left as wide as it is.
std::vector<std::string> latex_lines(const Math&, double width, std::string_view main = {});
/// About how wide LaTeX sets a formula at ten points, in points.
double latex_width(const Math&);

}  // namespace sfg
