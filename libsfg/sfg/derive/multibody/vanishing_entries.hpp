#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/numeric/tape.hpp"

// Not installed.
namespace sfg {

/// Which outputs of a tape are 0 wherever its inputs are, but for rounding: at three points, against bounds of its errors.
/// Entries of J are such where a loop turns about one line, as a door in two hinges does, or where nothing moves in it: what
/// rounding leaves of them would pass for a constraint.
/// @param quaternions  numbers of the inputs that are one
std::vector<bool> vanishing_outputs(const numeric::Tape&, std::span<const std::array<std::size_t, 4>> quaternions);

}  // namespace sfg
