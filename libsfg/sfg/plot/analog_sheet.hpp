#pragma once
#include <string>

#include "sfg/draw/picture.hpp"
#include "sfg/nonlinear/analog/analog_program.hpp"

namespace sfg {

/// The program as a sheet of the field's symbols: integrators as triangles with a bar, summers and inverters as triangles,
/// potentiometers as circles with their settings, multipliers, function generators; wires in one colour.
/// Elements are placed by Graphviz' `dot`, which runs as a child process.
///
/// Classes of the scene: "element" (data element).
/// Where it is to be no wider than the options say, it is broken into lines, as text is.
/// @throws NoAnswer when the program is missing or fails; LimitReached beyond 1000 elements, or when it takes too long.
Scene analog_sheet(const AnalogProgram&, const PictureOptions& = {});
/// The program as DOT with records as elements. @throws LimitReached beyond 1000 elements.
std::string analog_dot(const AnalogProgram&, Theme = Theme::light);

}  // namespace sfg
