#pragma once
#include <iosfwd>
#include <set>
#include <span>
#include <string>

#include "sfg/control/poles.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

struct PolesColumns {
  std::size_t digits = 17;  ///< of the roots
  bool hertz = false;       ///< natural frequencies in Hz; JSON keeps rad/s
};

/// Poles with natural frequency, damping ratio and time constant, zeros, gain; hidden modes named; the modes with their shapes
/// where these have been found.
Page page(std::span<const PolesZeros>, const PolesColumns& = {});
/// Of several inputs and several outputs: the zeros that are shown are those of single entries.
void add_word_of_entries(Page&, const std::set<std::string>& inputs, const std::set<std::string>& outputs);
/// docs/schema/poles.schema.json: of the first at the top level, of all in "transfers".
void write_json(std::ostream&, std::span<const PolesZeros>, const PolesColumns& = {});

/// A line for each pole, hidden mode and zero: of which transfer function (of several lines, the same root as often as it is
/// multiple), real and imaginary part, and of poles natural frequency, damping ratio and time constant.
void write_csv(std::ostream&, std::span<const PolesZeros>, const PolesColumns& = {});

}  // namespace sfg
