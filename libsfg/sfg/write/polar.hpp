#pragma once
#include <iosfwd>

#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// From the polar graph to the equations, stage by stage: edges, Lagrange tree and chords, incidence, skeleton, closing branches,
/// D(p), laws.
Page page(const PolarDerivation&);
/// {"schema": "sfg/derive/1", …}: docs/schema/derive.schema.json.
/// @param assignment  of derivation.shortest()
void write_json(std::ostream&, const PolarDerivation&, const Assignment& assignment);

}  // namespace sfg
