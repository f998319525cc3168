#pragma once
#include <iosfwd>

#include "sfg/draw/drawing.hpp"

namespace sfg {

struct SvgOptions {
  bool dark = false;
};

/// The drawing as SVG: text stays text, with a title and a description for readers of the screen; no scripts, no
/// references to other files.
void write_svg(std::ostream&, const Drawing&, const SvgOptions& = {});

}  // namespace sfg
