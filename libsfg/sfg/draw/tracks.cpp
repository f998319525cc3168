#include "sfg/draw/tracks.hpp"

#include <algorithm>
#include <cstdlib>

namespace sfg {
namespace {

constexpr Tracks::Cost one_place = 10'000, against_direction = 60, wrong_side = 24, upright_forward = 22, used_level = 7;

int sign(int value) { return (value > 0) - (value < 0); }

/// How far a level lies outside the two others.
int outside(int level, int a, int b) {
  const auto [low, high] = std::minmax(a, b);
  return level < low ? low - level : level > high ? level - high : 0;
}

}  // namespace

int Tracks::span(const Link& k) const { return std::abs(nodes[k.from].column - nodes[k.to].column); }

Tracks::Course Tracks::course(const Link& k) const {
  const Node *a = &nodes[k.from], *b = &nodes[k.to];
  if (a->column > b->column) std::swap(a, b);
  const bool line = straight(k);
  return {a->column, b->column, a->row, b->row, line ? a->row + b->row : 2 * k.track, line};
}

Tracks::Cost Tracks::between(const Link& e, const Link& f) const {
  if (vertical(e)) return upright(e, f);
  if (vertical(f)) return upright(f, e);
  const Course a = course(e), b = course(f);
  const int left = std::max(a.left, b.left), right = std::min(a.right, b.right);
  if (left >= right) return 0;
  const auto twice_at = [](const Course& c, int column) {
    return column == c.left ? 2 * c.at_left : column == c.right ? 2 * c.at_right : c.twice_middle;
  };
  const int first = sign(twice_at(a, left) - twice_at(b, left)), last = sign(twice_at(a, right) - twice_at(b, right));
  const int middle = sign(a.twice_middle - b.twice_middle);
  if (a.straight && b.straight) {
    if (first == 0 && last == 0) return a.at_left == a.at_right ? collision : 0;
    return first * last < 0 ? crossing : 0;
  }
  if (middle == 0) {
    const bool sloping = (a.straight && a.at_left != a.at_right) || (b.straight && b.at_left != b.at_right);
    return sloping ? (first * last < 0 ? crossing : 0) : collision;
  }
  return (first * middle < 0 ? crossing : 0) + (middle * last < 0 ? crossing : 0);
}

Tracks::Cost Tracks::upright(const Link& e, const Link& f) const {
  const int column = nodes[e.from].column;
  const auto [low, high] = std::minmax(nodes[e.from].row, nodes[e.to].row);
  if (vertical(f)) {
    if (nodes[f.from].column != column) return 0;
    const auto [l, h] = std::minmax(nodes[f.from].row, nodes[f.to].row);
    const bool same = l == low && h == high;
    return !same && std::max(l, low) < std::min(h, high) ? collision : 0;
  }
  const auto [left, right] = std::minmax(nodes[f.from].column, nodes[f.to].column);
  if (left >= column || column >= right) return 0;
  return low < f.track && f.track < high ? crossing : 0;
}

Tracks::Cost Tracks::through(const Link& k, std::size_t node) const {
  if (node == k.from || node == k.to) return 0;
  const Node& n = nodes[node];
  const auto [left, right] = std::minmax(nodes[k.from].column, nodes[k.to].column);
  if (left == right) {
    const auto [low, high] = std::minmax(nodes[k.from].row, nodes[k.to].row);
    return n.column == left && low < n.row && n.row < high ? 2 * collision : 0;
  }
  return left < n.column && n.column < right && n.row == k.track ? 2 * collision : 0;
}

/// Against what a textbook's illustrator would do, in hundredths of a crossing.
Tracks::Cost Tracks::style(const Link& k) const {
  const Node &from = nodes[k.from], &to = nodes[k.to];
  const int across = std::abs(from.row - to.row), along = span(k);
  Cost cost = 5 * across + 2 * along;
  if (along == 0) return cost + 8 + (k.feedback ? 0 : upright_forward);
  if (k.feedback ? to.column > from.column : to.column < from.column) cost += k.feedback ? wrong_side : against_direction;
  if (straight(k)) return cost + (across > 1 ? 5 * (across - 1) : 0);
  const int detour = outside(k.track, from.row, to.row);
  cost += 4 * detour + (k.track == from.row && k.track == to.row ? 0 : 8);
  if (across == 0 && detour > 0) {
    const bool below = k.track > from.row;
    if (below != (k.feedback && from.row >= 0)) cost += wrong_side;
  }
  return cost;
}

Tracks::Cost Tracks::style(const Node& n) const {
  if (n.fixed) return 0;
  Cost cost = 3 * std::abs(n.row) + (n.returning ? (n.row < 0 ? 12 : 0) : (n.row > 0 ? 4 : 0));
  return cost + 12 * outside(n.column, 0, last_column);
}

Tracks::Cost Tracks::height() const {
  int low = 0, high = 0;
  for (const Node& n : nodes) low = std::min(low, n.row), high = std::max(high, n.row);
  for (const Link& k : links)
    if (!straight(k)) low = std::min(low, k.track), high = std::max(high, k.track);
  return used_level * (high - low);
}

Tracks::Cost Tracks::of(const std::vector<std::size_t>& some_nodes, const std::vector<std::size_t>& some_links) const {
  listed_.assign(links.size(), 0);
  for (const std::size_t k : some_links) listed_[k] = 1;
  Cost cost = height();
  for (std::size_t i = 0; i < some_links.size(); ++i) {
    const Link& e = links[some_links[i]];
    cost += style(e);
    for (std::size_t f = 0; f < links.size(); ++f)
      if (!listed_[f]) cost += between(e, links[f]);
    for (std::size_t j = 0; j < i; ++j) cost += between(e, links[some_links[j]]);
    for (std::size_t n = 0; n < nodes.size(); ++n) cost += through(e, n);
  }
  for (std::size_t i = 0; i < some_nodes.size(); ++i) {
    const std::size_t n = some_nodes[i];
    cost += style(nodes[n]);
    for (std::size_t f = 0; f < links.size(); ++f)
      if (!listed_[f]) cost += through(links[f], n);
    for (std::size_t m = 0; m < nodes.size(); ++m)
      if (m != n && nodes[m].column == nodes[n].column && nodes[m].row == nodes[n].row) cost += one_place;
  }
  return cost;
}

Tracks::Cost Tracks::total() const {
  std::vector<std::size_t> all_nodes(nodes.size()), all_links(links.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) all_nodes[i] = i;
  for (std::size_t i = 0; i < links.size(); ++i) all_links[i] = i;
  return of(all_nodes, all_links);
}

std::size_t Tracks::crossings() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (const Cost c = between(links[i], links[k]); c == crossing || c == 2 * crossing)
        count += static_cast<std::size_t>(c / crossing);
  return count;
}

}  // namespace sfg
