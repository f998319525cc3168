#include "sfg/draw/curve.hpp"

namespace sfg {
namespace {

constexpr std::size_t per_span = 40;  // of the Bézier curve, before they are made even

double turn(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

}  // namespace

Box bounds(const std::vector<Point>& points) {
  Box box = Box::around(points.front(), 0, 0);
  for (const Point p : points) box.include(p);
  return box;
}

std::vector<Point> sampled(const std::vector<Point>& curve, double step) {
  std::vector<Point> fine{curve.front()};
  std::vector<double> at{0};
  for (std::size_t i = 0; i + 3 < curve.size(); i += 3)
    for (std::size_t k = 1; k <= per_span; ++k) {
      fine.push_back(bezier(&curve[i], static_cast<double>(k) / per_span));
      at.push_back(at.back() + distance(fine[fine.size() - 2], fine.back()));
    }
  const std::size_t count = 2 * static_cast<std::size_t>(std::clamp(at.back() / step / 2, 10.0, 150.0));
  std::vector<Point> even;
  std::size_t i = 1;
  for (std::size_t k = 0; k <= count; ++k) {
    const double wanted = at.back() * static_cast<double>(k) / static_cast<double>(count);
    while (i + 1 < at.size() && at[i] < wanted) ++i;
    const double piece = at[i] - at[i - 1], t = piece == 0 ? 0 : (wanted - at[i - 1]) / piece;
    even.push_back({fine[i - 1].x + t * (fine[i].x - fine[i - 1].x), fine[i - 1].y + t * (fine[i].y - fine[i - 1].y)});
  }
  return even;
}

std::vector<Point> straight(Point a, Point b) {
  const auto part = [&](double t) { return Point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; };
  return {a, part(1.0 / 3), part(2.0 / 3), b};
}

std::vector<Point> arc(Point centre, Point u, Point v, double from, double to) {
  const double pieces = std::max(1.0, std::ceil(std::abs(to - from) / 1.5708)), step = (to - from) / pieces;
  const double reach = 4.0 / 3 * std::tan(step / 4);  // of the control points, along the tangents
  const auto at = [&](double angle, double ahead) {
    const double along = std::cos(angle) - ahead * std::sin(angle), across = std::sin(angle) + ahead * std::cos(angle);
    return Point{centre.x + along * u.x + across * v.x, centre.y + along * u.y + across * v.y};
  };
  std::vector<Point> points{at(from, 0)};
  for (double k = 0; k < pieces; ++k) {
    const double angle = from + k * step;
    points.insert(points.end(), {at(angle, reach), at(angle + step, -reach), at(angle + step, 0)});
  }
  return points;
}

std::vector<Point> self_loop(Point at, double height, double lean) {
  const double reach = std::abs(height) / 0.75;  // of the control points, for a curve that high
  const double half = 0.66 * std::abs(height) + 19, up = height < 0 ? 1 : -1;
  const double upright = std::sqrt(1 - lean * lean);
  const auto turned = [&](double along, double away) {
    return Point{at.x + along * upright + away * lean, at.y + up * (away * upright - along * lean)};
  };
  return {at, turned(-half, reach), turned(half, reach), at};
}

std::vector<Point> crossing_points(const std::vector<Point>& a, const std::vector<Point>& b) {
  std::vector<Point> found;
  if (a.empty() || b.empty()) return found;
  const Box box = bounds(b);
  for (std::size_t i = 1; i < a.size(); ++i) {
    if (std::max(a[i - 1].x, a[i].x) < box.left || std::min(a[i - 1].x, a[i].x) > box.right ||
        std::max(a[i - 1].y, a[i].y) < box.top || std::min(a[i - 1].y, a[i].y) > box.bottom)
      continue;
    const auto [left, right] = std::minmax(a[i - 1].x, a[i].x);
    const auto [top, bottom] = std::minmax(a[i - 1].y, a[i].y);
    for (std::size_t k = 1; k < b.size(); ++k) {
      if (std::max(b[k - 1].x, b[k].x) < left || std::min(b[k - 1].x, b[k].x) > right) continue;
      if (std::max(b[k - 1].y, b[k].y) < top || std::min(b[k - 1].y, b[k].y) > bottom) continue;
      const double from = turn(b[k - 1], b[k], a[i - 1]), to = turn(b[k - 1], b[k], a[i]);
      if (turn(a[i - 1], a[i], b[k - 1]) * turn(a[i - 1], a[i], b[k]) >= 0 || from * to >= 0) continue;
      const double t = from / (from - to);
      found.push_back({a[i - 1].x + t * (a[i].x - a[i - 1].x), a[i - 1].y + t * (a[i].y - a[i - 1].y)});
    }
  }
  return found;
}

}  // namespace sfg
