#pragma once
#include <iosfwd>

#include "sfg/nonlinear/analog/analog_program.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Scales, patching table, potentiometers and check list.
Page page(const AnalogProgram&);
void write_json(std::ostream&, const AnalogProgram&);
/// The patching table, RFC 4180: a line for every input of every element, one for an element without inputs.
void write_csv(std::ostream&, const AnalogProgram&);

}  // namespace sfg
