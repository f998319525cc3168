#pragma once
#include <span>
#include <vector>

#include "sfg/numeric/tape.hpp"
#include "sfg/ring/bounds.hpp"

namespace sfg {

/// What a tape may give over a box, surely: values, and slopes between any two points of the box. Over a corner a slope is the
/// hull of both sides (Clarke, Optimization and Nonsmooth Analysis, 1983); over a jump it has no bound on the side of the jump.
/// Where a function has no value (the logarithm of what is not positive, a pole), the bounds are those of the points that have
/// one.
struct Enclosure {
  enum class Defined { everywhere, partly, nowhere };
  std::vector<ring::Bounds> values;  ///< by output
  std::vector<ring::Bounds> slopes;  ///< outputs × the inputs asked for, by rows
  std::vector<bool> jumps;           ///< by output: whether a jump lies in the box
  Defined defined = Defined::everywhere;
  std::size_t poles = 0;  ///< divisors and tangents that pass a pole within the box, in the order of the tape
};

/// @param box    bounds of every input of the tape
/// @param by     inputs by which slopes are wanted
/// @param sides  of the first poles: 1 the points with a positive divisor alone, −1 those with a negative one; 0 and none: all
/// @note  Constants that are no integers count as rounded once: make the tape with TapeBuilder::Folding::exact.
Enclosure enclosure(const numeric::Tape&, std::span<const ring::Bounds> box, std::span<const std::uint32_t> by,
                    std::span<const int> sides = {});

}  // namespace sfg
