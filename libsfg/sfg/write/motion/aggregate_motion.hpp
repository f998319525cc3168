#pragma once
#include <iosfwd>

#include "sfg/multibody/aggregate_motion.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Parts, energy, momentum and drift at the connections; then the signals as of any simulation.
Page page(const AggregateMotion&);
/// {"schema": "sfg/simulate/1", "time", "signals", "figures", "aggregate"}: docs/schema/simulate.schema.json.
void write_json(std::ostream&, const AggregateMotion&);

}  // namespace sfg
