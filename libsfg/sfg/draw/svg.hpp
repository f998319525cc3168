#pragma once
#include <iosfwd>
#include <string>

#include "sfg/draw/graph/drawing.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"

namespace sfg {

struct SvgOptions {
  Theme theme = Theme::automatic;
  Highlight highlight = {};          ///< of a drawn graph
  double millimetres_per_pixel = 0;  ///< the size on paper; 0: as many pixels of the screen as of the picture
  bool pressable = false;            ///< within a page: branches are buttons, for scripts of the page
  bool outline = false;              ///< no text: all letters are paths
  const HouseStyle* style = nullptr;
  std::string within = {};  ///< of several pictures in a page: what tells this one from others of the same names
};

/// The picture as SVG, the same on every machine: formulas are outlines, with their LaTeX in data-tex and their letters as hidden
/// text; words are text of a stated length. A title and a description for readers of the screen; no scripts, no references to
/// other files. The style rules hold for this picture only; its name comes from the names in it, so that a gain that changes
/// alters the lines of its label alone.
void write_svg(std::ostream&, const Scene&, const SvgOptions& = {});
/// A drawn graph as such a picture.
void write_svg(std::ostream&, const Drawing&, const SvgOptions& = {});

}  // namespace sfg
