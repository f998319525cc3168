#include "sfg/draw/ink.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/draw/letters.hpp"

namespace sfg {
namespace {

constexpr double thinnest_rule = 0.9;

void add_row(std::vector<Box>& boxes, const TextRow& row) {
  double at = row.x - row.width / 2;
  for (const TextRun& run : row.runs) {
    const SerifGlyph extent = serif_extent(run.text, run.italic);
    const double unit = run.size / 1000, y = row.y - run.raise;
    at += run.before;
    if (extent.right > extent.left)
      boxes.push_back({at + unit * extent.left, y + unit * extent.top, at + unit * extent.right, y + unit * extent.bottom});
    at += unit * extent.advance;
  }
}

/// Faster than std::hypot; lengths of pictures neither overflow nor vanish.
double root_of_squares(double x, double y) { return std::sqrt(x * x + y * y); }

/// From a point to a line from a to b.
double to_line(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double t = length == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0);
  return root_of_squares(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// Whether the line from a to b passes through the box (Liang and Barsky).
bool passes(const Box& box, Point a, Point b) {
  double from = 0, to = 1;
  const auto clip = [&](double start, double step, double low, double high) {
    if (std::abs(step) < 1e-12) return low < start && start < high;
    const double t = (low - start) / step, u = (high - start) / step;
    from = std::max(from, std::min(t, u));
    to = std::min(to, std::max(t, u));
    return from < to;
  };
  return clip(a.x, b.x - a.x, box.left, box.right) && clip(a.y, b.y - a.y, box.top, box.bottom);
}

}  // namespace

std::vector<Box> ink(const Formula& formula) {
  std::vector<Box> boxes;
  for (const TextRow& row : formula.rows) add_row(boxes, row);
  for (const TextRule& rule : formula.rules) {
    const double top = rule.y - rule.thickness / 2;
    boxes.push_back({rule.x1, top, rule.x2, top + std::max(rule.thickness, thinnest_rule)});
  }
  const std::vector<Box> solid = boxes;
  for (const Box& a : solid) {
    for (const Box& b : solid) {
      const Box between{std::max(a.left, b.left), a.bottom, std::min(a.right, b.right), b.top};
      if (between.bottom > between.top && between.right > between.left) boxes.push_back(between);
    }
  }
  return boxes;
}

std::vector<Box> ink_about_centre(const Formula& f) { return ink(f.moved(-f.width / 2, (f.ascent - f.descent) / 2)); }

Box bounds(const std::vector<Box>& boxes) {
  if (boxes.empty()) return {};
  Box all = boxes.front();
  for (const Box& box : boxes) {
    all.include({box.left, box.top});
    all.include({box.right, box.bottom});
  }
  return all;
}

double distance(const Box& a, const Box& b) {
  return root_of_squares(std::max({a.left - b.right, b.left - a.right, 0.0}),
                         std::max({a.top - b.bottom, b.top - a.bottom, 0.0}));
}

double distance(const Box& box, Point p) {
  return root_of_squares(std::max({box.left - p.x, p.x - box.right, 0.0}), std::max({box.top - p.y, p.y - box.bottom, 0.0}));
}

double distance(const Box& box, Point a, Point b) {
  const Box around{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
  if (distance(box, around) == 0 && passes(box, a, b)) return 0;
  double least = std::min(distance(box, a), distance(box, b));
  for (const Point corner :
       {Point{box.left, box.top}, Point{box.right, box.top}, Point{box.left, box.bottom}, Point{box.right, box.bottom}})
    least = std::min(least, to_line(corner, a, b));
  return least;
}

}  // namespace sfg
