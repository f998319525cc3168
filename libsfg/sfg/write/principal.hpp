#pragma once
#include <iosfwd>

#include "sfg/nonlinear/principal.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The principal nodes, the pattern of the matrix, every transmittance, and in which order the laws are solved.
Page page(const PrincipalReduction&);
void write_json(std::ostream&, const PrincipalReduction&);

}  // namespace sfg
