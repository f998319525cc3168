#pragma once
#include <span>
#include <vector>

#include "sfg/numeric/tape.hpp"
#include "sfg/ring/bounds.hpp"

namespace sfg {

/// What a tape may give over a box, surely: values, and slopes between any two points of the box. Over a corner a slope is the
/// hull of both sides (Clarke, Optimization and Nonsmooth Analysis, 1983); over a jump it has no bound on the side of the jump.
struct Enclosure {
  std::vector<ring::Bounds> values;  ///< by output
  std::vector<ring::Bounds> slopes;  ///< outputs × the inputs asked for, by rows
};

/// @param box  bounds of every input of the tape
/// @param by   inputs by which slopes are wanted
/// @note  Constants that are no integers count as rounded once: make the tape with TapeBuilder::Folding::exact.
Enclosure enclosure(const numeric::Tape&, std::span<const ring::Bounds> box, std::span<const std::uint32_t> by);

}  // namespace sfg
