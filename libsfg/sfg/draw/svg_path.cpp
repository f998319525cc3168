#include "sfg/draw/svg_path.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace sfg {

std::string rounded_to_tenths(double value) {
  std::array<char, 32> text{};
  const double rounded = std::round(value * 10) / 10;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded == 0 ? 0 : rounded).ptr;
  return {text.data(), end};
}

std::string svg_path(const SceneShape& shape) {
  std::string d;
  const bool closed = shape.kind == SceneShape::Kind::polygon, curved = shape.kind == SceneShape::Kind::curve;
  std::size_t piece = 0;  // of its points
  for (const Point& p : shape.points) {
    if (is_pen_up(p)) {
      d += closed && piece > 0 ? " Z " : " ";
      piece = 0;
      continue;
    }
    d += piece == 0 ? "M" : !curved ? " L" : piece % 3 == 1 ? " C" : " ";
    d += rounded_to_tenths(p.x) + ',' + rounded_to_tenths(p.y);
    ++piece;
  }
  while (d.ends_with(' ')) d.pop_back();
  return closed && piece > 0 ? d + " Z" : d;
}

}  // namespace sfg
