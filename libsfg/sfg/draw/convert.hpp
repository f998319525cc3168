#pragma once
#include <string>

#include "sfg/draw/graphviz.hpp"

namespace sfg {

/// An SVG picture as PNG (twice the size, for print) or PDF, by librsvg's `rsvg-convert` in a child process with limits.
/// @throws NoAnswer when the program is missing or fails; LimitReached when it takes too long.
std::string converted(const std::string& svg, PictureFormat);

}  // namespace sfg
