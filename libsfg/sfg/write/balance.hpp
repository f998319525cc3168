#pragma once
#include <iosfwd>

#include "sfg/nonlinear/absolute_stability.hpp"
#include "sfg/nonlinear/balance/describing_plane.hpp"
#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// A table of the amplitudes over the frequencies with stability, the marks, derivatives; frequencies in Hz where asked.
Page page(const PeriodicMotions&, bool hertz = false);
/// {"schema": "sfg/balance/1", …}: docs/schema/balance.schema.json; frequencies in rad/s.
void write_json(std::ostream&, const PeriodicMotions&);
/// Motion by motion: frequency, amplitudes, stability.
void write_csv(std::ostream&, const PeriodicMotions&, bool hertz = false);

/// A table of the crossings of L(jω) and −1/N(A); frequencies in Hz where asked.
Page page(const DescribingPlane&, bool hertz = false);
/// {"schema": "sfg/balance/1", "signal": …, "crossings": …}: docs/schema/balance.schema.json; frequencies in rad/s.
void write_json(std::ostream&, const DescribingPlane&);

Page page(const AbsoluteStability&);
void write_json(std::ostream&, const AbsoluteStability&);

}  // namespace sfg
