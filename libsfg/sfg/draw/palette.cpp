#include "sfg/draw/palette.hpp"

namespace sfg {

namespace {

void take(const HouseStyle& style, std::string_view name, std::string_view& colour) {
  if (const auto found = style.colours.find(name); found != style.colours.end()) colour = found->second;
}

}  // namespace

const std::vector<std::string>& HouseStyle::colour_names() {
  static const std::vector<std::string> names{"paper", "ink",  "feedback", "nonlinear", "highlight",
                                              "faded", "grid", "minor",    "muted"};
  return names;
}

DrawingPalette drawing_palette(Theme theme, const HouseStyle* style) {
  DrawingPalette palette = drawing_palette(theme);
  if (style == nullptr) return palette;
  take(*style, "paper", palette.paper);
  take(*style, "ink", palette.ink);
  take(*style, "feedback", palette.feedback);
  take(*style, "nonlinear", palette.law);
  take(*style, "highlight", palette.on);
  take(*style, "faded", palette.faded);
  return palette;
}

SeriesPalette series_palette(Theme theme, const HouseStyle* style) {
  SeriesPalette palette = series_palette(theme);
  if (style == nullptr) return palette;
  take(*style, "grid", palette.grid);
  take(*style, "minor", palette.minor);
  take(*style, "muted", palette.muted);
  for (std::size_t i = 0; i < palette.curves.size() && !style->curves.empty(); ++i)
    palette.curves[i] = style->curves[i % style->curves.size()];
  return palette;
}

std::string_view node_fill(const DrawingPalette& palette, const HouseStyle* style) {
  if (style == nullptr || style->node_fill.empty() || style->node_fill == "paper") return palette.paper;
  return style->node_fill == "ink" ? palette.ink : std::string_view(style->node_fill);
}

}  // namespace sfg
