#include "sfg/plot/inks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <tuple>

#include "sfg/draw/looks.hpp"
#include "sfg/draw/palette.hpp"
#include "sfg/plot/outline.hpp"

namespace sfg {

namespace {

constexpr std::size_t colours = std::tuple_size_v<decltype(SeriesPalette::curves)>;

/// Corners of the marks by their number, in units of their size.
const std::vector<Point>& corners(std::size_t mark) {
  static const std::array<std::vector<Point>, 5> all{{{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
                                                      {{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}},
                                                      {{0, -1.3}, {1.1, 0}, {0, 1.3}, {-1.1, 0}},
                                                      {{0, 1.2}, {1.1, -0.8}, {-1.1, -0.8}},
                                                      {{-1.2, 0}, {0, -0.5}, {1.2, 0}, {0, 0.5}}}};
  return all.at(mark - 2);
}

}  // namespace

std::string Inks::of(const Series& s, std::size_t& next) {
  if (s.muted || s.style == Series::Style::guide) return "muted";
  if (s.style == Series::Style::whiskers) return "ink";
  if (!s.shade) return fmt::format("c{}", (s.colour ? *s.colour : next++) % colours);
  const auto known = std::ranges::find(shades_, *s.shade);
  const auto at = known - shades_.begin();
  if (known == shades_.end()) shades_.push_back(*s.shade);
  return fmt::format("s{}", at);
}

Pattern pattern_of(const Series& s) {
  using Style = Series::Style;
  constexpr std::size_t dashes = dash_count, marks = most_patterns / dashes;
  switch (s.style) {
    case Style::dashed: return {1, 0};
    case Style::dotted: return {3, 0};
    case Style::dash_dot: return {2, 0};
    case Style::line:
    case Style::thin:
    case Style::stairs: break;
    default: return {};
  }
  return s.pattern ? Pattern{*s.pattern % dashes, *s.pattern / dashes % marks} : Pattern{};
}

SceneShape marks_of(std::size_t mark, const std::vector<Point>& places) {
  constexpr double r = 3.4;
  std::vector<Stroke> outlines;
  for (const Point& p : places) {
    if (mark == 1) {
      outlines.push_back(arc(p, {r, 0}, {0, r}, 0, 2 * std::numbers::pi));
      continue;
    }
    Stroke& outline = outlines.emplace_back();
    for (const Point& corner : corners(mark)) outline.push_back({p.x + r * corner.x, p.y + r * corner.y});
  }
  return {mark == 1 ? SceneShape::Kind::curve : SceneShape::Kind::polygon, "mark", joined(outlines)};
}

}  // namespace sfg
