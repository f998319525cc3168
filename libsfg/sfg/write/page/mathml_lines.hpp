#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/math_tree.hpp"

// Not installed: where a page of HTML breaks a formula, which browsers do not.
namespace sfg {

/// What stands on one line: elements of MathML, without `<math>` around them.
struct MathmlLine {
  std::string elements;
  double width = 0;  ///< about, in ems
};

/// A formula as lines no wider than so many ems, broken at signs, then inside of brackets and fractions; a power of `main` a
/// line where there are several. What nothing breaks is left as wide as it is.
std::vector<MathmlLine> mathml_lines(const Math&, double room, std::string_view main = {});
/// The same as elements `<math>` with white space between them, for a line of text. A line that is wider still says in its style
/// how much smaller it would fit: --fit:0.8.
std::string mathml_within(const Math&, double room);
/// A line as such an element, of a class.
std::string mathml_line(const MathmlLine&, double room, std::string_view style = {});
/// About how wide browsers set a formula, in ems.
double mathml_width(const Math&);
/// The elements of a formula without `<math>` around them.
std::string mathml_elements(const Math&);

}  // namespace sfg
