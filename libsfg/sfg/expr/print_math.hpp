#pragma once
#include <string>
#include <string_view>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

/// True for the notations that people read: LaTeX, Unicode, markup.
bool is_mathematical(Notation);
std::string mathematical_text(const Math&, Notation);
/// The command of a Greek letter: "\\varphi" of "φ"; "" of any other character.
std::string_view greek_in_latex(std::string_view character);

}  // namespace sfg
