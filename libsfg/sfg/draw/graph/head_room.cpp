#include "sfg/draw/graph/head_room.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/draw/curve.hpp"

namespace sfg {
namespace {

constexpr double ahead = 13, behind = 12;  // of the sample at a head: its tip or its end, and 0.6 of its length
constexpr double beside_node = 16;

/// Degrees from the direction of one piece to that of the next.
double turning(Point a, Point b, Point c) {
  const Point u{b.x - a.x, b.y - a.y}, v{c.x - b.x, c.y - b.y};
  return std::atan2(u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y) * 180 / std::numbers::pi;
}

}  // namespace

double bend(const std::vector<Point>& samples, std::size_t at) {
  const std::size_t last = samples.size() - 1;
  const double step = std::max(distance(samples[0], samples[1]), 1e-6);
  const auto pieces = [&](double length) { return static_cast<std::size_t>(std::ceil(length / step)); };
  const std::size_t from = at - std::min(at, pieces(behind)), to = std::min(at + pieces(ahead), last);
  double angle = 0, low = 0, high = 0;
  for (std::size_t i = from + 1; i < to; ++i) {
    angle += turning(samples[i - 1], samples[i], samples[i + 1]);
    low = std::min(low, angle), high = std::max(high, angle);
  }
  return high - low;
}

double least_bend(const std::vector<Point>& samples) {
  const std::size_t last = samples.size() - 1;
  const double step = std::max(distance(samples[0], samples[1]), 1e-6);
  const auto margin = std::min(static_cast<std::size_t>(std::ceil(beside_node / step)), last / 2);
  double least = 1e9;
  for (std::size_t i = std::max<std::size_t>(margin, 1); i + std::max<std::size_t>(margin, 1) <= last && least > 0.5; ++i)
    least = std::min(least, bend(samples, i));
  return least;
}

}  // namespace sfg
