#include "sfg/draw/bodies/mechanism_symbols.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sfg::symbols {

namespace {

double cross_product(Point a, Point b) { return a.x * b.y - a.y * b.x; }

}  // namespace

double length(Point a) { return std::hypot(a.x, a.y); }

SceneShape line(const std::string& style, std::vector<Point> points, bool closed) {
  return {closed ? SceneShape::Kind::polygon : SceneShape::Kind::polyline, style, std::move(points)};
}
SceneShape circle(const std::string& style, Point c, double r) { return {SceneShape::Kind::circle, style, {c}, r}; }
SceneShape hatching(Point a, Point b) {
  const double whole = length(b - a);
  if (whole < 1) return line("hatch", {a});
  const Point u = (1 / whole) * (b - a), n{-u.y, u.x};
  std::vector<Point> points;
  for (double s = 4; s < whole; s += 8) points.insert(points.end(), {a + s * u, a + (s - 5) * u + 7 * n, pen_up});
  return line("hatch", std::move(points));
}

std::vector<Point> hull(std::vector<Point> points) {
  std::ranges::sort(points, [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Point> result;
  for (int side = 0; side < 2; ++side) {
    const std::size_t begin = result.size();
    for (const Point& p : points) {
      while (result.size() >= begin + 2 && cross_product(result.back() - result[result.size() - 2], p - result.back()) <= 1e-9)
        result.pop_back();
      result.push_back(p);
    }
    result.pop_back();
    std::ranges::reverse(points);
  }
  return result;
}

namespace {

void zigzag(SceneGroup& part, Point a, Point b) {
  const double whole = length(b - a);
  const Point u = (1 / whole) * (b - a), n = left(u);
  constexpr int teeth = 9;
  const double begin = 0.15 * whole, step = 0.7 * whole / teeth;
  std::vector<Point> points{a, a + begin * u};
  for (int i = 0; i < teeth; ++i) points.push_back(a + (begin + (i + 0.5) * step) * u + (i % 2 == 0 ? 6.0 : -6.0) * n);
  points.push_back(b - begin * u);
  points.push_back(b);
  part.shapes.push_back(line("element", std::move(points)));
}

void pot(SceneGroup& part, Point a, Point b) {
  const double whole = length(b - a);
  const Point u = (1 / whole) * (b - a), n = left(u), c = a + 0.4 * whole * u, e = a + 0.65 * whole * u,
              piston = a + 0.52 * whole * u;
  part.shapes.push_back(line("element", {a, c, pen_up, e + 6.0 * n, c + 6.0 * n, c - 6.0 * n, e - 6.0 * n, pen_up,
                                         piston + 4.5 * n, piston - 4.5 * n, pen_up, piston, b}));
}

}  // namespace

void along(SceneGroup& part, Point a, Point b, bool stiff, bool damped) {
  const double whole = length(b - a);
  if (whole < 2) return;
  const Point u = (1 / whole) * (b - a), n = left(u);
  const double aside = stiff && damped ? 8 : 0, lead = std::min(14.0, whole / 5);
  if (aside > 0) {
    part.shapes.push_back(
        line("element", {a, a + lead * u, pen_up, b - lead * u, b, pen_up, a + lead * u + aside * n, a + lead * u - aside * n,
                         pen_up, b - lead * u + aside * n, b - lead * u - aside * n}));
    if (stiff) zigzag(part, a + lead * u + aside * n, b - lead * u + aside * n);
    pot(part, a + lead * u - aside * n, b - lead * u - aside * n);
    return;
  }
  if (stiff) zigzag(part, a, b);
  if (damped) pot(part, a, b);
}

void spiral(SceneGroup& part, Point c) {
  std::vector<Point> points;
  for (int i = 0; i <= 60; ++i) {
    const double angle = i * 0.18, r = 8 + 0.16 * i;
    points.push_back(c + Point{r * std::cos(angle), -r * std::sin(angle)});
  }
  part.shapes.push_back(line("element", std::move(points)));
}

void arrow(SceneGroup& part, Point tip, Point u) {
  const Point n = left(u);
  part.shapes.push_back(line("load-head", {tip, tip - 11.0 * u + 4.2 * n, tip - 8.5 * u, tip - 11.0 * u - 4.2 * n}, true));
}

void plate(SceneGroup& part, Point a, Point b) {
  if (a.x > b.x) std::swap(a, b);
  part.shapes.push_back(line("ground-line", {a, b}));
  part.shapes.push_back(hatching(a, b));
}

void wall(SceneGroup& part, Point at, Point from) {
  const double far = length(from - at);
  if (far < 2) return;
  const Point n = (13 / far) * left(from - at);
  part.shapes.push_back(line("ground-line", {at - n, at + n}));
  part.shapes.push_back(hatching(at + n, at - n));
}

std::vector<std::size_t> in_a_row(const std::vector<Mechanism::Point>& points) {
  const auto difference = [](const Mechanism::Point& a, const Mechanism::Point& b) {
    return Mechanism::Point{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  };
  const auto product = [](const Mechanism::Point& a, const Mechanism::Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  if (points.empty()) return order;
  Mechanism::Point along{};
  for (const auto& point : points)
    if (const auto d = difference(point, points[0]); product(d, d) > product(along, along)) along = d;
  const double square = product(along, along);
  for (const auto& point : points) {
    const auto d = difference(point, points[0]);
    const double part = product(d, along);
    if (product(d, d) * square - part * part > 1e-9 * square * square) return {};
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return product(difference(points[k], points[0]), along); });
  return order;
}

std::ptrdiff_t crowded(const std::vector<Point>& covered, Point a, Point b) {
  constexpr double near = 12;
  const Point u = 1 / length(b - a) * (b - a);
  return std::ranges::count_if(covered, [&](Point q) {
    const double way = dot(q - a, u);
    return way > near && way < length(b - a) && length(q - a - way * u) < near;
  });
}

Point emptiest_corner(const std::vector<Point>& covered, const MechanismView& view) {
  constexpr double from_side = 26, from_end = 35, enough = 60;
  const double right = view.width() - from_side, bottom = view.height() - from_end;
  Point best;
  double most = -1;
  for (const Point corner : {Point{right, from_end}, {right, bottom}, {from_side, from_end}, {from_side, bottom}}) {
    double room = enough;
    for (const Point p : covered) room = std::min(room, length(p - corner));
    if (room > most) most = room, best = corner;
  }
  return best;
}

}  // namespace sfg::symbols
