#pragma once
#include <iosfwd>

#include "sfg/report/report.hpp"

namespace sfg {

/// The controls of a page whose parameters move: for each a slider from half to twice its value and a field for any other, its
/// unit and text, and buttons that take back what was moved. Nothing for a model without parameters.
void write_parameter_panel(std::ostream&, const MovingModel&);

}  // namespace sfg
