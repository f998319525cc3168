#pragma once
#include <iosfwd>

#include "sfg/nonlinear/absolute_stability.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const AbsoluteStability&);
void write_json(std::ostream&, const AbsoluteStability&);

}  // namespace sfg
