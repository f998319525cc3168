#pragma once
#include <iosfwd>
#include <span>

#include "sfg/control/poles.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

struct PolesColumns {
  std::size_t digits = 17;  ///< of the roots
  bool hertz = false;       ///< natural frequencies in Hz; JSON keeps rad/s
};

/// Poles with natural frequency, damping ratio and time constant, zeros, gain; hidden modes named; the modes with their shapes
/// where these have been found.
Page page(std::span<const PolesZeros>, const PolesColumns& = {});
/// docs/schema/poles.schema.json: of the first at the top level, of all in "transfers".
void write_json(std::ostream&, std::span<const PolesZeros>, const PolesColumns& = {});

}  // namespace sfg
