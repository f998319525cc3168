#pragma once
#include "sfg/read/diagram/flat_diagram.hpp"

namespace sfg {

/// How many elements the signal at each port has. What does not fit is a problem.
std::vector<std::size_t> diagram_widths(const FlatDiagram&, Problems&);

}  // namespace sfg
