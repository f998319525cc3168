#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sfg/draw/caption.hpp"
#include "sfg/plot/outline.hpp"

// Not installed: what a plot is made of, for the writers of formats. Classes say what a part is ("grid", "line thin", "c0");
// how it looks is said by style rules (plot/inks) or by styles of TikZ (plot/figure_tikz).
namespace sfg {

/// Names without `data-`, and values.
using PlotData = std::vector<std::pair<std::string, std::string>>;

/// Words on a baseline.
struct PlotWords {
  double x = 0, y = 0;
  std::string classes;  ///< first where they stand: "" begins at x, "middle", "end"
  Caption text;
  double size = 13;           ///< of letters, pixels
  std::string exponent = {};  ///< raised behind them
  bool turned = false;        ///< from bottom to top
};

struct PlotPath {
  std::string classes;
  std::string d;         ///< as paths of SVG state it, by M, L, H, V, m, l, h, a of half circles, Z
  std::size_t dash = 0;  ///< of the cycle of dashes; 0: solid
  PlotData data = {};
};

struct PlotDisc {
  std::string classes;
  Pixel at;
  double radius = 0;
};

struct PlotBox {
  std::string classes;
  PixelBox box;
};

struct PlotPart;

/// What belongs together, in the colour of its class.
struct PlotGroup {
  std::string classes;
  PlotData data = {};
  std::string title = {};
  std::vector<PlotPart> parts = {};
  bool swatch = false;  ///< of a legend
};

struct PlotPart {
  std::variant<PlotWords, PlotPath, PlotDisc, PlotBox, PlotGroup> content;
};

using PlotParts = std::vector<PlotPart>;

inline void add(PlotParts& to, PlotParts more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// As elements of SVG.
std::string svg_text(const PlotParts&);

}  // namespace sfg
