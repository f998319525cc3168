#pragma once
#include <iosfwd>

#include "sfg/nonlinear/balance/balance.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// A table of the amplitudes over the frequencies with stability, the marks, derivatives; frequencies in Hz where asked.
Page page(const PeriodicMotions&, bool hertz = false);
/// {"schema": "sfg/balance/1", …}: docs/schema/balance.schema.json; frequencies in rad/s.
void write_json(std::ostream&, const PeriodicMotions&);
/// Motion by motion: frequency, amplitudes, stability.
void write_csv(std::ostream&, const PeriodicMotions&, bool hertz = false);

}  // namespace sfg
