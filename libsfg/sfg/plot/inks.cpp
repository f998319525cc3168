#include "sfg/plot/inks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sfg/draw/looks.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/plot/outline.hpp"

namespace sfg {

namespace {

constexpr std::size_t colours = std::tuple_size_v<decltype(SeriesPalette::curves)>;

std::string shade(const SeriesPalette& palette, double part) {
  const double place = 2 * std::clamp(part, 0.0, 1.0);
  const std::size_t low = place < 1 ? 0 : 1;
  std::array<int, 3> mixed{};
  for (std::size_t k = 0; k < 3; ++k) {
    const int from = palette.ramp[low][k], to = palette.ramp[low + 1][k];
    mixed[k] = static_cast<int>(std::lround(from + (place - static_cast<double>(low)) * (to - from)));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

std::string colour_rules(const std::string& in, Theme theme) {
  const SeriesPalette& c = series_palette(theme);
  const DrawingPalette& d = drawing_palette(theme);
  return fmt::format(
      "{0}{{color:{1}}}{0} .paper{{fill:{2}}}{0} text,{0} .ink{{color:{1}}}{0} .note,{0} .muted{{color:{3}}}{0} text.note,{0} "
      "text.name{{stroke:{2}}}{0} .grid{{color:{4}}}{0} .minor{{color:{5}}}{0} .key{{fill:{2};stroke:{4}}}\n",
      in, d.ink, d.paper, c.muted, c.grid, c.minor);
}

}  // namespace

std::string Inks::of(const Series& s, std::size_t& next) {
  if (s.style == Series::Style::guide) return "muted";
  if (s.style == Series::Style::whiskers) return "ink";
  if (!s.shade) return fmt::format("c{}", (s.colour ? *s.colour : next++) % colours);
  const auto known = std::ranges::find(shades_, *s.shade);
  const auto at = known - shades_.begin();
  if (known == shades_.end()) shades_.push_back(*s.shade);
  return fmt::format("s{}", at);
}

std::string Inks::rules(const std::string& scope, Theme theme) const {
  const SeriesPalette& palette = series_palette(theme);
  std::string text;
  for (std::size_t i = 0; i < colours; ++i) text += fmt::format("{} .c{}{{color:{}}}", scope, i, palette.curves[i]);
  const std::vector<std::string> shades = ramp(theme);
  for (std::size_t i = 0; i < shades.size(); ++i) text += fmt::format("{} .s{}{{color:{}}}", scope, i, shades[i]);
  return text + "\n";
}

std::vector<std::string> Inks::ramp(Theme theme) const {
  std::vector<std::string> colours_of_ramp;
  for (const double part : shades_) colours_of_ramp.push_back(shade(series_palette(theme), part));
  return colours_of_ramp;
}

Pattern pattern_of(const Series& s) {
  using Style = Series::Style;
  constexpr std::size_t dashes = 4, marks = most_patterns / dashes;
  switch (s.style) {
    case Style::dashed: return {1, 0};
    case Style::dotted: return {3, 0};
    case Style::dash_dot: return {2, 0};
    case Style::line:
    case Style::stairs: break;
    default: return {};
  }
  return s.pattern ? Pattern{*s.pattern % dashes, *s.pattern / dashes % marks} : Pattern{};
}

std::string dashes_of(std::size_t dash) { return dash == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes(dash)); }

std::string mark_outline(std::size_t mark, double x, double y) {
  constexpr double r = 3.4;
  const auto at = [&](double dx, double dy) { return px(x + r * dx) + "," + px(y + r * dy); };
  switch (mark) {
    case 1: return "M" + at(-1, 0) + "a3.4,3.4 0 1 0 6.8,0a3.4,3.4 0 1 0 -6.8,0Z";
    case 2: return "M" + at(-0.9, -0.9) + "L" + at(0.9, -0.9) + "L" + at(0.9, 0.9) + "L" + at(-0.9, 0.9) + "Z";
    case 3: return "M" + at(0, -1.2) + "L" + at(1.1, 0.8) + "L" + at(-1.1, 0.8) + "Z";
    case 4: return "M" + at(0, -1.3) + "L" + at(1.1, 0) + "L" + at(0, 1.3) + "L" + at(-1.1, 0) + "Z";
    case 5: return "M" + at(0, 1.2) + "L" + at(1.1, -0.8) + "L" + at(-1.1, -0.8) + "Z";
    case 6: return "M" + at(-1.2, 0) + "L" + at(0, -0.5) + "L" + at(1.2, 0) + "L" + at(0, 0.5) + "Z";
    default: return "";
  }
}

std::string plot_style(const std::string& scope, Theme theme, const Inks& inks) {
  const std::string in = "#" + scope;
  std::string text = fmt::format(
      "{0} text{{font-family:'Liberation Serif','STIX Two Text','Times New Roman','Nimbus Roman',Tinos,Times,'DejaVu Serif "
      "Condensed',serif;font-size:13px;fill:currentColor}}\n"
      "{0} .italic{{font-style:italic}}{0} text.middle{{text-anchor:middle}}{0} text.end{{text-anchor:end}}"
      "{0} text.head{{font-size:17px}}{0} text.label{{font-size:14px}}{0} .small{{font-size:11px}}\n"
      "{0} text.note,{0} text.name{{stroke-width:3px;paint-order:stroke;stroke-linejoin:round}}\n"
      "{0} .line{{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:butt}}"
      "{0} .thin{{stroke-width:1}}{0} .guide{{stroke-width:.7}}{0} .dot{{stroke-linecap:round;stroke-width:4}}\n"
      "{0} .mark{{stroke:currentColor;stroke-width:1.3}}{0} .full{{fill:currentColor}}{0} .open{{fill:none}}"
      "{0} .area{{fill:currentColor;fill-opacity:.25}}{0} "
      ".bars{{fill:currentColor;fill-opacity:.8;stroke:currentColor;stroke-width:.6}}\n"
      "{0} .grid,{0} .minor,{0} .rule,{0} .frame{{fill:none;stroke:currentColor;stroke-width:1}}{0} .rule{{stroke-dasharray:3 "
      "3}}\n",
      in);
  text += colour_rules(in, theme) + inks.rules(in, theme);
  if (theme == Theme::automatic)
    text +=
        "@media screen and (prefers-color-scheme:dark){\n" + colour_rules(in, Theme::dark) + inks.rules(in, Theme::dark) + "}\n";
  return text;
}

}  // namespace sfg
