#pragma once
#include <array>
#include <string_view>

#include "sfg/draw/theme.hpp"

// Not installed: the colours of pictures, on white paper and on a dark screen.
namespace sfg {

/// Of graphs.
struct DrawingPalette {
  std::string_view paper, ink;
  std::string_view feedback;  ///< branches that lead back
  std::string_view law;       ///< nonlinear branches
  std::string_view on;        ///< what is highlighted
  std::string_view faded;     ///< the rest beside it: still 4.5 : 1 on the paper
};

inline constexpr DrawingPalette light_drawing{"#ffffff", "#1a1a1a", "#0b5394", "#b3261e", "#c2410c", "#707680"};
inline constexpr DrawingPalette dark_drawing{"#16181d", "#e6e6e6", "#6cb2ff", "#ff8a80", "#ffb454", "#868c96"};
inline constexpr DrawingPalette print_drawing{"#ffffff", "#000000", "#000000", "#000000", "#000000", "#707070"};
inline constexpr DrawingPalette colorblind_drawing{"#ffffff", "#1a1a1a", "#0072b2", "#b34e00", "#9b3f75", "#707680"};

/// Of a theme; of the automatic one the light side.
constexpr const DrawingPalette& drawing_palette(Theme theme) {
  switch (theme) {
    case Theme::dark: return dark_drawing;
    case Theme::print: return print_drawing;
    case Theme::colorblind: return colorblind_drawing;
    case Theme::automatic:
    case Theme::light: break;
  }
  return light_drawing;
}

/// Of what there are many kinds of: curves, told apart by the colour-blind too (Okabe and Ito 2008), and bodies.
struct SeriesPalette {
  std::string_view grid, minor, muted;
  std::array<std::string_view, 7> curves;
  std::array<std::array<int, 3>, 3> ramp;  ///< red, green, blue at the low end, in the middle, at the high end, ever lighter
  std::array<std::string_view, 6> tints;   ///< of bodies
  std::string_view third;                  ///< of axes, beside `law` and `feedback`
};

inline constexpr SeriesPalette light_series{"#d8d8d8",
                                            "#efefef",
                                            "#6b6b6b",
                                            {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a7a00"},
                                            {{{15, 10, 105}, {165, 60, 140}, {235, 145, 10}}},
                                            {"#cfe1f5", "#f7dcc4", "#d3ecd6", "#ecd5e8", "#f3e7b3", "#d5e9ef"},
                                            "#1d7a35"};
inline constexpr SeriesPalette dark_series{"#3a3f47",
                                           "#24282e",
                                           "#9aa0a8",
                                           {"#56b4e9", "#ff8c42", "#2fd6a3", "#e79ac8", "#f0b429", "#8ecbff", "#d6d65c"},
                                           {{{60, 115, 215}, {215, 115, 185}, {255, 220, 110}}},
                                           {"#27425f", "#5c3d22", "#264a2e", "#4f2f4a", "#544a1c", "#23454f"},
                                           "#7bd88f"};
inline constexpr SeriesPalette print_series{"#d0d0d0",
                                            "#ececec",
                                            "#606060",
                                            {"#000000", "#555555", "#000000", "#555555", "#000000", "#555555", "#000000"},
                                            {{{0, 0, 0}, {80, 80, 80}, {150, 150, 150}}},
                                            {"#ffffff", "#e4e4e4", "#f2f2f2", "#d6d6d6", "#ececec", "#dddddd"},
                                            "#000000"};

/// Of a theme; of the automatic one the light side, whose colours everyone tells apart.
constexpr const SeriesPalette& series_palette(Theme theme) {
  return theme == Theme::dark ? dark_series : theme == Theme::print ? print_series : light_series;
}

DrawingPalette drawing_palette(Theme, const HouseStyle*);
SeriesPalette series_palette(Theme, const HouseStyle*);
/// Of nodes.
std::string_view node_fill(const DrawingPalette&, const HouseStyle*);

}  // namespace sfg
