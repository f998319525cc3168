#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

/// True for the notations that people read: LaTeX, Unicode, markup.
bool is_mathematical(Notation);
std::string mathematical_text(const Math&, Notation);
/// The command of a Greek letter: "\\varphi" of "φ"; "" of any other character.
std::string_view greek_in_latex(std::string_view character);
/// Of "1.5e-06", a number in one piece: whether its exponent is negative, and 6.
std::pair<bool, std::string> exponent_of(std::string_view number);

}  // namespace sfg
