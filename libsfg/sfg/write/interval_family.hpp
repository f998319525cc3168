#pragma once
#include <iosfwd>
#include <string>

#include "sfg/control/interval_family.hpp"

namespace sfg {

/// Kharitonov's polynomials and the verdict; `variable` is the operator of the polynomials.
void write_text(std::ostream&, const IntervalFamily&, const std::string& variable);
void write_json(std::ostream&, const IntervalFamily&, const std::string& variable);

}  // namespace sfg
