#pragma once
#include <cstdint>

#include "sfg/numeric/tape.hpp"

namespace sfg::numeric {

// Not installed.

/// Outputs, then their derivatives by one input, which come along with the values: for few inputs and many instructions, since a
/// jacobian keeps all values for its way back.
Tape with_slopes(const Tape& tape, std::uint32_t by);

}  // namespace sfg::numeric
