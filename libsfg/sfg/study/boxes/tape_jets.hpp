#pragma once
#include <span>
#include <vector>

#include "sfg/numeric/tape.hpp"
#include "sfg/ring/jet.hpp"

// Not installed.
namespace sfg {

/// The outputs of a tape over a box whose sides are its inputs.
/// @note  Constants that are no small integers count as rounded once: make the tape with TapeBuilder::Folding::exact.
std::vector<ring::Jet> jets(const numeric::Tape&, std::span<const ring::Jet> inputs);

}  // namespace sfg
