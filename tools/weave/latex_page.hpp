#pragma once
#include <string_view>
#include <vector>

#include "tools/weave/fence.hpp"

namespace sfg::command {

/// The environments \begin{sfg}[VERB OPTIONS] of a page in LaTeX, but not those in comments and in verbatim text.
std::vector<Fence> fences_of_latex(std::string_view page);

}  // namespace sfg::command
