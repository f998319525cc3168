#pragma once
#include <iosfwd>
#include <string>

#include "sfg/control/interval_family.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Kharitonov's polynomials and the verdict; `variable` is the operator of the polynomials.
Page page(const IntervalFamily&, const std::string& variable);
void write_json(std::ostream&, const IntervalFamily&, const std::string& variable);

}  // namespace sfg
