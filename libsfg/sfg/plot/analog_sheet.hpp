#pragma once
#include <string>

#include "sfg/draw/picture.hpp"
#include "sfg/nonlinear/analog_program.hpp"

namespace sfg {

/// The program as a sheet of the field's symbols: integrators as triangles with a bar, summers and inverters as triangles,
/// potentiometers as circles with their settings, multipliers, function generators; wires in the colour of their element.
/// Elements are placed by Graphviz' `dot`, which runs as a child process; DOT has them as records.
/// @throws NoAnswer when a program is missing or fails; LimitReached beyond 1000 elements, or when it takes too long.
std::string analog_sheet(const AnalogProgram&, PictureFormat, const PictureOptions& = {});

}  // namespace sfg
