#pragma once
#include <string>
#include <vector>

// Not installed: curves in pixels.
namespace sfg {

struct Pixel {
  double x = 0;
  double y = 0;
};

struct PixelBox {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool overlaps(const PixelBox& other) const noexcept {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
  bool holds(Pixel p) const noexcept { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
  bool holds(const PixelBox& b) const noexcept {
    return b.left >= left && b.right <= right && b.top >= top && b.bottom <= bottom;
  }
  double width() const noexcept { return right - left; }
  double height() const noexcept { return bottom - top; }
};

/// Points that are joined by straight pieces.
using Stroke = std::vector<Pixel>;

/// The part of a piece inside a box; false where there is none.
bool clip(Pixel& from, Pixel& to, const PixelBox&);
/// What of the strokes lies inside a box.
std::vector<Stroke> clipped(const std::vector<Stroke>&, const PixelBox&);
/// The part of a closed outline inside a box (Sutherland and Hodgman 1974).
Stroke clipped_outline(const Stroke&, const PixelBox&);
/// The same without points that nobody sees: none lies further than that from what is left (Douglas and Peucker 1973).
Stroke simplified(const Stroke&, double tolerance);

/// A coordinate with a tenth of a pixel.
std::string px(double);
/// As the `d` of a path.
std::string path_of(const std::vector<Stroke>&, bool closed = false);

}  // namespace sfg
