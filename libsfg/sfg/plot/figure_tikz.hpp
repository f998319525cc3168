#pragma once
#include <iosfwd>

#include "sfg/draw/tikz.hpp"
#include "sfg/plot/plot.hpp"

namespace sfg {

/// The figure as TikZ, the same curves and texts at the same places as in its SVG: its colours and lines are styles that one
/// can change in one place. Of the options theme (automatic: that of the figure), fragment, and font_size, of the numbers along
/// the axes in points: at eight a figure of the usual width is 164 mm wide.
/// @throws LimitReached where it would be larger than 5 m.
void write_tikz(std::ostream&, const Figure&, const TikzOptions& = {.font_size = 8});

}  // namespace sfg
