#pragma once
#include <string>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

/// True for the notations that people read: LaTeX, Unicode, markup.
bool is_mathematical(Notation);
std::string mathematical_text(const Math&, Notation);

}  // namespace sfg
