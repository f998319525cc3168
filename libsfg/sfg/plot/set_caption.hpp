#pragma once
#include <string>
#include <vector>

#include "sfg/plot/caption.hpp"

// Not installed: captions as text of SVG, in the letters of diagrams.
namespace sfg {

/// Content of an element <text>, escaped, and its width in pixels.
struct SetCaption {
  std::string markup;
  double width = 0;
};
/// Names are set as diagrams set them: letters slanted, indices lowered. What is no name of the grammar stays upright.
SetCaption set(const Caption&, double size);
double width_of(const Caption&, double size);

/// The caption itself, or its beginning and its end with "…" between where it is wider.
Caption shortened(const Caption&, double size, double width);
/// Lines no wider than that, broken between words; the last one that is allowed is shortened.
std::vector<Caption> wrapped(const Caption&, double size, double width, std::size_t most_lines);

}  // namespace sfg
