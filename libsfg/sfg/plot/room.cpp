#include "sfg/plot/room.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace sfg {

void Room::add(const std::vector<Stroke>& strokes) {
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 1; i < stroke.size(); ++i) pieces_.push_back({stroke[i - 1], stroke[i]});
}

void Room::add(Point mark, double radius) {
  pieces_.push_back({{mark.x - radius, mark.y - radius}, {mark.x + radius, mark.y + radius}});
  pieces_.push_back({{mark.x - radius, mark.y + radius}, {mark.x + radius, mark.y - radius}});
}

/// The length of curves inside a box, in pixels.
double Room::covered(const Box& box) const {
  double sum = 0;
  for (const Piece& piece : pieces_) {
    Point a = piece.from, b = piece.to;
    if (std::max(a.x, b.x) < box.left || std::min(a.x, b.x) > box.right || std::max(a.y, b.y) < box.top ||
        std::min(a.y, b.y) > box.bottom)
      continue;
    if (clip(a, b, box)) sum += std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
  }
  return sum;
}

bool Room::taken(const Box& box) const {
  return std::ranges::any_of(taken_, [&](const Box& other) { return other.overlap(box) > 0; });
}

std::optional<Box> Room::free_place(double width, double height) const {
  constexpr double inset = 8, clear = 4;
  const double across = frame_.width() - 2 * inset - width, down = frame_.height() - 2 * inset - height;
  if (across < 0 || down < 0) return {};
  constexpr int steps = 12;
  std::vector<std::pair<double, double>> order{{1, 0}, {0, 0}, {1, 1}, {0, 1}};
  for (int k = 1; k < steps; ++k)
    for (const double edge : {0.0, 1.0}) order.emplace_back(static_cast<double>(k) / steps, edge);
  for (int k = 1; k < steps; ++k)
    for (const double edge : {1.0, 0.0}) order.emplace_back(edge, static_cast<double>(k) / steps);
  for (int i = 1; i < steps; ++i)
    for (int k = 1; k < steps; ++k) order.emplace_back(static_cast<double>(i) / steps, static_cast<double>(k) / steps);
  for (const auto& [x, y] : order) {
    const double left = frame_.left + inset + x * across, top = frame_.top + inset + y * down;
    const Box box{left, top, left + width, top + height};
    if (covered(box.grown(clear)) == 0 && !taken(box)) return box;
  }
  return {};
}

Box Room::least_covered(double width, double height) const {
  constexpr int steps = 12;
  const double across = frame_.width() - width, down = frame_.height() - height, inset = std::min({8.0, across / 2, down / 2});
  Box best;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; k <= steps; ++k) {
      const double left = frame_.left + inset + (across - 2 * inset) * (1 - static_cast<double>(i) / steps),
                   top = frame_.top + inset + (down - 2 * inset) * k / steps;
      const Box box{left, top, left + width, top + height};
      const double cost = covered(box) + (taken(box) ? width + height : 0);
      if (cost < least) best = box, least = cost;
    }
  return best;
}

std::optional<Box> Room::place_beside(Point at, double width, double height, bool close) const {
  struct Way {
    double x, y;  // −1, 0, 1: the text lies on that side
  };
  static constexpr std::array<Way, 8> ways{{{1, -1}, {-1, -1}, {1, 1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}}};
  const Box inside = frame_.grown(-2);
  std::optional<Box> best;
  double least = std::numeric_limits<double>::infinity();
  for (const double away : close ? std::vector<double>{2, 6} : std::vector<double>{4, 9, 15, 24, 36, 55, 80, 120, 180, 260}) {
    for (const Way& way : ways) {
      const double x = at.x + way.x * (away + width / 2), y = at.y + way.y * (away + height / 2);
      const Box box{x - width / 2, y - height / 2, x + width / 2, y + height / 2};
      if (!inside.holds(box) || taken(box)) continue;
      const double cost = 2 * away + covered(box.grown(1));
      if (cost >= least) continue;
      best = box;
      least = cost;
    }
    if (best && least < 3 * away) break;  // further away is worse
  }
  return best;
}

}  // namespace sfg
