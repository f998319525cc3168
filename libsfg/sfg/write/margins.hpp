#pragma once
#include <iosfwd>

#include "sfg/control/margins.hpp"

namespace sfg {

void write_text(std::ostream&, const Margins&, bool hertz = false);  ///< frequencies in rad/s or Hz
void write_json(std::ostream&, const Margins&);

}  // namespace sfg
