#pragma once
#include <iosfwd>

#include "sfg/draw/graph/drawing.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"

namespace sfg {

struct TikzOptions {
  Theme theme = Theme::automatic;
  Highlight highlight = {};  ///< of a graph
  bool fragment = false;     ///< the picture alone, for a document that has tikz with arrows.meta and calc, and amsmath
  double font_size = 10;     ///< points
  const HouseStyle* style = nullptr;
};

/// A drawn graph as a TikZ document that pdflatex compiles: a `\coordinate`, a `\node` and a `\draw` a thing. Courses, arrow
/// heads and gains are stated relative to the nodes, so that a person moves a node and its branches follow.
void write_tikz(std::ostream&, const Drawing&, const TikzOptions& = {});
/// Any picture as such a document, every shape and formula at its place.
void write_tikz(std::ostream&, const Scene&, const TikzOptions& = {});

}  // namespace sfg
