#include "sfg/draw/graph/tracks.hpp"

#include <algorithm>
#include <cstdlib>

namespace sfg {
namespace {

constexpr Tracks::Cost one_place = 10'000, against_direction = 130, wrong_side = 24, upright_forward = 110, upright_source = 240,
                       upright_return = 6, broken_chain = 200, broken_element = 600, used_level = 7, unwished = 5000,
                       disturbance_off = 40, disturbance_far = 25;

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
  if (a->column > b->column || (a->column == b->column && a->row > b->row)) std::swap(a, b);
  const bool line = straight(k);
  return {a->column, b->column, 2 * a->row, 2 * b->row, line ? a->row + b->row : 2 * k.track, line, line && a->row != b->row};
}

void Tracks::changed(const std::vector<std::size_t>& some_links) {
  for (const std::size_t k : some_links) courses_[k] = course(links[k]);
}

void Tracks::changed() {
  courses_.clear();
  for (const Link& k : links) courses_.push_back(course(k));
}

Tracks::Cost Tracks::between(const Course& a, const Course& b) {
  const int left = std::max(a.left, b.left), right = std::min(a.right, b.right);
  if (left > right) return 0;
  if (a.left == a.right) return upright(a, b);
  if (b.left == b.right) return upright(b, a);
  if (left == right) return 0;
  const auto at = [](const Course& c, int column) {
    return column == c.left ? c.at_left : column == c.right ? c.at_right : c.middle;
  };
  const int first = sign(at(a, left) - at(b, left)), last = sign(at(a, right) - at(b, right));
  const int middle = sign(a.middle - b.middle);
  if (a.straight && b.straight) {
    if (first == 0 && last == 0) return a.sloping ? 0 : collision;
    return first * last < 0 ? crossing : 0;
  }
  if (middle == 0) {
    if (!a.sloping && !b.sloping) return collision;
    return first * last < 0 ? crossing : 0;
  }
  return (first * middle < 0 ? crossing : 0) + (middle * last < 0 ? crossing : 0);
}

Tracks::Cost Tracks::upright(const Course& e, const Course& f) {
  if (f.left == f.right) {
    const bool same = e.at_left == f.at_left && e.at_right == f.at_right;
    return !same && std::max(e.at_left, f.at_left) < std::min(e.at_right, f.at_right) ? collision : 0;
  }
  if (f.left >= e.left || e.left >= f.right) return 0;
  return e.at_left < f.middle && f.middle < e.at_right ? crossing : 0;
}

Tracks::Cost Tracks::through(std::size_t link, std::size_t node) const {
  const Course& c = courses_[link];
  const Node& n = nodes[node];
  if (n.column < c.left || n.column > c.right) return 0;
  const int row = 2 * n.row;
  if (c.left == c.right) return c.at_left < row && row < c.at_right ? 2 * collision : 0;
  return c.left < n.column && n.column < c.right && row == c.middle ? 2 * collision : 0;
}

/// Against what a textbook's illustrator would do, in hundredths of a crossing.
Tracks::Cost Tracks::style(const Link& k) const {
  const Node &from = nodes[k.from], &to = nodes[k.to];
  const bool returns = from.returning || to.returning;
  const int across = std::abs(from.row - to.row), along = span(k);
  Cost cost = 5 * across + (from.source ? 12 : 2) * along;
  if (k.chain && (across > 0 || !straight(k))) cost += k.series ? broken_element : broken_chain;
  if (along == 0 && from.beside) return cost;
  if (along == 0) return cost + (returns ? upright_return : from.source ? upright_source : upright_forward);
  if (k.feedback ? to.column > from.column : to.column < from.column) cost += k.feedback ? wrong_side : against_direction;
  if (k.side != 0 &&
      (straight(k) || (k.side < 0 ? k.track >= std::min(from.row, to.row) : k.track <= std::max(from.row, to.row))))
    cost += unwished;
  if (straight(k)) return cost + (across > 1 ? 5 * (across - 1) : 0) + (returns && across > 0 ? 6 : 0);
  const int detour = outside(k.track, from.row, to.row);
  cost += 4 * detour + (k.track == from.row && k.track == to.row ? 0 : 8);
  if (across > 0) cost += (returns ? 2 : k.feedback ? 12 : 25) * detour + (from.source ? 30 : 0);
  if (across == 0 && detour > 0) {
    const bool below = k.track > from.row;
    if (k.side == 0 && below != (k.feedback && from.row >= 0)) cost += wrong_side;
  }
  return cost;
}

Tracks::Cost Tracks::style(const Node& n) const {
  if (n.fixed) return 0;
  Cost cost = 3 * std::abs(n.row);
  if (n.returning) cost += n.row < 0 ? 12 : n.row == 0 ? 40 : 0;
  if (!n.returning && n.row > 0) cost += 4;
  if (n.beside) {
    const Node& sum = nodes[links[n.links.front()].to];
    cost += disturbance_off * std::abs(n.column - sum.column) + disturbance_far * (std::max(std::abs(n.row - sum.row), 1) - 1);
  }
  cost += (n.returning ? 30 : 12) * outside(n.column, 0, last_column);
  int low = n.column, high = n.column;  // where a node that carries signals back is not between its neighbours
  if (n.returning && !n.links.empty()) {
    low = 1 << 20, high = -low;
    for (const std::size_t k : n.links) {
      const Node& other = nodes[&nodes[links[k].from] == &n ? links[k].to : links[k].from];
      low = std::min(low, other.column), high = std::max(high, other.column);
    }
    cost += 4 * std::abs(2 * n.column - low - high);
  }
  return cost;
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
    const Course& e = courses_[some_links[i]];
    cost += style(links[some_links[i]]);
    for (std::size_t f = 0; f < links.size(); ++f)
      if (!listed_[f]) cost += between(e, courses_[f]);
    for (std::size_t j = 0; j < i; ++j) cost += between(e, courses_[some_links[j]]);
    for (std::size_t n = 0; n < nodes.size(); ++n) cost += through(some_links[i], n);
  }
  for (std::size_t i = 0; i < some_nodes.size(); ++i) {
    const std::size_t n = some_nodes[i];
    cost += style(nodes[n]);
    for (std::size_t f = 0; f < links.size(); ++f)
      if (!listed_[f]) cost += through(f, n);
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

}  // namespace sfg
