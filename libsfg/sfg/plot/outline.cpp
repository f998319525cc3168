#include "sfg/plot/outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sfg/draw/scene.hpp"

namespace sfg {

namespace {

double distance_to(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
  const double part = length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - a.x - part * dx, p.y - a.y - part * dy);
}

/// Of neighbours in one column of pixels the first, the lowest, the highest and the last: a curve with many more points than
/// pixels is soon done.
Stroke thinned(const Stroke& stroke) {
  constexpr std::size_t few = 4000;
  if (stroke.size() <= few) return stroke;
  constexpr double column = 0.2;
  Stroke made;
  for (std::size_t i = 0; i < stroke.size();) {
    std::size_t end = i + 1, low = i, high = i;
    for (; end < stroke.size() && std::abs(stroke[end].x - stroke[i].x) < column; ++end) {
      if (stroke[end].y < stroke[low].y) low = end;
      if (stroke[end].y > stroke[high].y) high = end;
    }
    std::array<std::size_t, 4> kept{i, std::min(low, high), std::max(low, high), end - 1};
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (k == 0 || kept[k] != kept[k - 1]) made.push_back(stroke[kept[k]]);
    i = end;
  }
  return made;
}

}  // namespace

bool clip(Point& from, Point& to, const Box& box) {  // Liang and Barsky 1984
  const double dx = to.x - from.x, dy = to.y - from.y;
  double enter = 0, leave = 1;
  for (const auto& [p, q] : {std::pair(-dx, from.x - box.left), std::pair(dx, box.right - from.x),
                             std::pair(-dy, from.y - box.top), std::pair(dy, box.bottom - from.y)}) {
    if (p == 0) {
      if (q < 0) return false;
      continue;
    }
    (p < 0 ? enter : leave) = p < 0 ? std::max(enter, q / p) : std::min(leave, q / p);
  }
  if (enter > leave) return false;
  to = {from.x + leave * dx, from.y + leave * dy};
  from = {from.x + enter * dx, from.y + enter * dy};
  return true;
}

std::vector<Stroke> clipped(const std::vector<Stroke>& strokes, const Box& box) {
  constexpr double same = 1e-6;
  std::vector<Stroke> made;
  for (const Stroke& stroke : strokes) {
    bool pen = false;
    for (std::size_t i = 1; i < stroke.size(); ++i) {
      Point a = stroke[i - 1], b = stroke[i];
      if (!clip(a, b, box)) {
        pen = false;
        continue;
      }
      if (!pen || std::hypot(a.x - made.back().back().x, a.y - made.back().back().y) > same) made.push_back({a});
      made.back().push_back(b);
      pen = true;
    }
    const bool dot = stroke.size() == 1 && stroke[0].x >= box.left && stroke[0].x <= box.right && stroke[0].y >= box.top &&
                     stroke[0].y <= box.bottom;
    if (dot) made.push_back({stroke[0], stroke[0]});  // of no length: round ends show it
  }
  return made;
}

Stroke clipped_outline(const Stroke& outline, const Box& box) {
  Stroke made = outline;
  const auto cut = [&](auto inside, auto crossing) {
    Stroke before = std::move(made);
    made.clear();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Point a = before[i == 0 ? before.size() - 1 : i - 1], b = before[i];
      if (inside(a) != inside(b)) made.push_back(crossing(a, b));
      if (inside(b)) made.push_back(b);
    }
  };
  const auto at_x = [](double x) {
    return [x](Point a, Point b) { return Point{x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)}; };
  };
  const auto at_y = [](double y) {
    return [y](Point a, Point b) { return Point{a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y}; };
  };
  cut([&](Point p) { return p.x >= box.left; }, at_x(box.left));
  cut([&](Point p) { return p.x <= box.right; }, at_x(box.right));
  cut([&](Point p) { return p.y >= box.top; }, at_y(box.top));
  cut([&](Point p) { return p.y <= box.bottom; }, at_y(box.bottom));
  return made;
}

Stroke simplified(const Stroke& whole, double tolerance) {
  const Stroke stroke = thinned(whole);
  if (stroke.size() < 3) return stroke;
  std::vector<bool> kept(stroke.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, stroke.size() - 1}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    double furthest = tolerance;
    std::size_t at = 0;
    for (std::size_t i = a + 1; i < b; ++i)
      if (const double d = distance_to(stroke[i], stroke[a], stroke[b]); d > furthest) furthest = d, at = i;
    if (at == 0) continue;
    kept[at] = true;
    open.emplace_back(a, at);
    open.emplace_back(at, b);
  }
  Stroke made;
  for (std::size_t i = 0; i < stroke.size(); ++i)
    if (kept[i]) made.push_back(stroke[i]);
  return made;
}

std::vector<Point> joined(const std::vector<Stroke>& strokes) {
  std::vector<Point> points;
  for (const Stroke& stroke : strokes) {
    if (!points.empty()) points.push_back(pen_up);
    points.insert(points.end(), stroke.begin(), stroke.end());
  }
  return points;
}

}  // namespace sfg
