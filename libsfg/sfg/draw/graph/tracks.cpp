#include "sfg/draw/graph/tracks.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace sfg {
namespace {

constexpr Tracks::Cost one_place = 10'000, against_direction = 130, wrong_side = 24, upright_forward = 110, upright_source = 240,
                       upright_return = 6, broken_chain = 200, broken_element = 600, used_level = 7, unwished = 5000,
                       disturbance_off = 40, disturbance_far = 25;

/// How far a level lies outside the two others.
int outside(int level, int a, int b) {
  const auto [low, high] = std::minmax(a, b);
  return level < low ? low - level : level > high ? level - high : 0;
}

std::vector<std::size_t> all(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace

int Tracks::span(const Link& k) const { return std::abs(nodes[k.from].column - nodes[k.to].column); }

Courses::Course Tracks::course(const Link& k) const {
  const Node *a = &nodes[k.from], *b = &nodes[k.to];
  if (a->column > b->column || (a->column == b->column && a->row > b->row)) std::swap(a, b);
  const bool line = straight(k);
  return {a->column, b->column, 2 * a->row, 2 * b->row, line ? a->row + b->row : 2 * k.track, line, line && a->row != b->row};
}

void Tracks::changed(const std::vector<std::size_t>& some_nodes, const std::vector<std::size_t>& some_links) {
  for (const std::size_t n : some_nodes) columns_[n] = nodes[n].column, rows_[n] = 2 * nodes[n].row;
  for (const std::size_t k : some_links) courses_.set(k, course(links[k]));
}

void Tracks::changed() {
  columns_.resize(nodes.size());
  rows_.resize(nodes.size());
  counted_.assign(links.size(), 1);
  courses_.resize(links.size());
  changed(all(nodes.size()), all(links.size()));
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

/// A straight link runs between its ends: it is in no row of its own.
std::pair<int, int> Tracks::levels() const {
  int low = 0, high = 0;
  for (const std::vector<int>* twice : {&rows_, &courses_.middles()})
    for (const int level : *twice) low = std::min(low, level), high = std::max(high, level);
  return {low / 2, high / 2};
}

Tracks::Cost Tracks::height() const {
  const auto [low, high] = levels();
  return used_level * (high - low);
}

Tracks::Cost Tracks::of(const std::vector<std::size_t>& some_nodes, const std::vector<std::size_t>& some_links, Cost most) const {
  Cost cost = height();
  for (const std::size_t k : some_links) {
    if (cost > most) break;
    counted_[k] = 0;
    cost += style(links[k]) + courses_.met_by(k, counted_) + courses_.through_nodes(k, columns_, rows_);
  }
  for (const std::size_t n : some_nodes) {
    if (cost > most) break;
    cost += style(nodes[n]) + courses_.through_links(columns_[n], rows_[n], counted_);
    int here = -1;
    for (std::size_t m = 0; m < nodes.size(); ++m) here += (columns_[m] == columns_[n] ? 1 : 0) & (rows_[m] == rows_[n] ? 1 : 0);
    cost += one_place * here;
  }
  for (const std::size_t k : some_links) counted_[k] = 1;
  return cost;
}

Tracks::Cost Tracks::total() const { return of(all(nodes.size()), all(links.size())); }

}  // namespace sfg
