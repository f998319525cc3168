#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sfg {

/// A formula as its parts: what lies between the LaTeX of expr/print and the ways to set it in type.
struct MathNode {
  enum class Kind {
    list,      ///< parts side by side
    letter,    ///< slanted text: a name
    upright,   ///< numbers, names of functions, marks
    sign,      ///< + − = < >, with white space where an operand precedes
    fraction,  ///< parts: numerator, denominator
    root,      ///< parts: what stands under it
    bracket,   ///< text: the opening delimiter, closing: the other; parts: the inside
    script,    ///< parts: base, below, above; an empty list where absent
  };
  Kind kind = Kind::list;
  std::string text;
  std::string closing;
  std::vector<MathNode> parts;
  bool spaced = false;  ///< white space precedes: a factor of a product

  bool empty() const noexcept { return kind == Kind::list && parts.empty(); }
};

/// Reads the part of LaTeX that expr/print writes: \frac, \sqrt, sub- and superscripts, \left( … \right), Greek letters,
/// functions, \mathrm. A command that is not known stands for its name. Any text gives a tree.
MathNode math_tree(std::string_view latex);

/// The summands of the outermost sum with their signs, in LaTeX.
std::vector<std::string> summands(std::string_view latex);

}  // namespace sfg
