#pragma once
#include <iosfwd>

#include "sfg/multibody/mechanism_run.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// How the motion was begun, what happened, what is kept, and samples of its signals.
Page page(const MechanismRun&);
/// docs/schema/simulate.schema.json; signals as of any response, with "energy", "momentum", "angular_momentum", "drift",
/// "events".
void write_json(std::ostream&, const MechanismRun&);

}  // namespace sfg
