#pragma once
#include "sfg/draw/palette.hpp"
#include "sfg/draw/theme.hpp"

// Not installed: the palettes of a theme in a house style, which may be null and outlives them.
namespace sfg {

DrawingPalette drawing_palette(Theme, const HouseStyle*);
SeriesPalette series_palette(Theme, const HouseStyle*);
/// Of nodes.
std::string_view node_fill(const DrawingPalette&, const HouseStyle*);

}  // namespace sfg
