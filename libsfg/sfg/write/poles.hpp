#pragma once
#include <iosfwd>
#include <span>

#include "sfg/control/poles.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

/// Poles with natural frequency, damping ratio and time constant, zeros, gain; hidden modes named.
Page page(std::span<const PolesZeros>, std::size_t digits);
/// docs/schema/poles.schema.json: of the first at the top level, of all in "transfers".
void write_json(std::ostream&, std::span<const PolesZeros>, std::size_t digits);

}  // namespace sfg
