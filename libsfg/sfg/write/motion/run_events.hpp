#pragma once
#include <iosfwd>
#include <span>

#include "sfg/response/run_record.hpp"

namespace sfg {

/// A table of what happened: time, kind, name, function, direction, speed, before, after; what is not known is empty.
void write_csv(std::ostream&, std::span<const RunEvent>);

}  // namespace sfg
