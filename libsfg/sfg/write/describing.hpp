#pragma once
#include <iosfwd>

#include "sfg/nonlinear/balance/describing_plane.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// A table of the crossings of L(jω) and −1/N(A); frequencies in Hz where asked.
Page page(const DescribingPlane&, bool hertz = false);
/// {"schema": "sfg/balance/1", "signal": …, "crossings": …}: docs/schema/balance.schema.json; frequencies in rad/s.
void write_json(std::ostream&, const DescribingPlane&);

}  // namespace sfg
