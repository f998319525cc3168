#pragma once
#include <string>

#include "sfg/expr/print.hpp"
#include "sfg/expr/print_form.hpp"

namespace sfg {

/// True for the notations that people read: LaTeX, Unicode, markup.
bool is_mathematical(Notation);
std::string mathematical_text(const PrintSum&, Notation);

}  // namespace sfg
