#pragma once
#include <iosfwd>

#include "sfg/control/margins.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const Margins&, bool hertz = false);  ///< frequencies in rad/s or Hz
void write_json(std::ostream&, const Margins&);

}  // namespace sfg
