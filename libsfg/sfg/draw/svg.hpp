#pragma once
#include <iosfwd>

#include "sfg/draw/graph/drawing.hpp"
#include "sfg/draw/graph/highlight.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"

namespace sfg {

struct SvgOptions {
  Theme theme = Theme::automatic;
  Highlight highlight = {};          ///< of a drawn graph
  double millimetres_per_pixel = 0;  ///< the size on paper; 0: as many pixels of the screen as of the picture
  bool pressable = false;            ///< within a page: branches are buttons, for scripts of the page
};

/// The picture as SVG: text stays text, with a title and a description for readers of the screen; no scripts, no
/// references to other files. The style rules hold for this picture only: several may stand in one page.
void write_svg(std::ostream&, const Scene&, const SvgOptions& = {});
/// A drawn graph as such a picture.
void write_svg(std::ostream&, const Drawing&, const SvgOptions& = {});

}  // namespace sfg
