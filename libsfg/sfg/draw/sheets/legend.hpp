#pragma once
#include <utility>
#include <vector>

#include "sfg/draw/graph/drawing.hpp"

namespace sfg {

/// Puts lines "w1 = …" below the drawing: in as many columns of nearly one height as its width has room for, their signs =
/// below one another, long formulas in several lines.
void add_legend(Drawing&, const std::vector<std::pair<Math, Math>>& legend, double size, double width);

}  // namespace sfg
