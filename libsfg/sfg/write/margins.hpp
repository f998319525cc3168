#pragma once
#include <iosfwd>

#include "sfg/control/margins.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

Page page(const Margins&);
void write_json(std::ostream&, const Margins&);

}  // namespace sfg
