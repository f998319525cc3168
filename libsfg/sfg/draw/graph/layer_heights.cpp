#include <algorithm>
#include <array>
#include <limits>
#include <unordered_set>

#include "sfg/draw/graph/layers.hpp"

namespace sfg {
namespace {

using Index = LayeredGraph::Index;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// One of the four alignments: layers from the left or from the right, items of a layer from the top or from the bottom.
class Alignment {
 public:
  Alignment(const LayeredGraph& graph, const std::unordered_set<std::uint64_t>& cut, bool from_right, bool from_bottom)
      : g_(graph), cut_(cut), from_right_(from_right), from_bottom_(from_bottom) {}

  std::vector<double> heights() {
    align();
    compact();
    std::vector<double> y(g_.items.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = from_bottom_ ? -at_[root_[i]] : at_[root_[i]];
    return y;
  }

 private:
  std::int64_t place(Index item) const {
    const auto p = static_cast<std::int64_t>(g_.items[item].place);
    return from_bottom_ ? -p : p;
  }
  const std::vector<Index>& layer(std::size_t k) const { return g_.layers[from_right_ ? g_.layers.size() - 1 - k : k]; }

  /// Each item with the middle one of its neighbours on the layer before, as long as no two such lines cross.
  void align() {
    const std::size_t n = g_.items.size();
    root_.resize(n);
    next_.resize(n);
    for (Index i = 0; i < n; ++i) root_[i] = next_[i] = i;
    const auto& side = from_right_ ? g_.right : g_.left;
    for (std::size_t k = 1; k < g_.layers.size(); ++k) {
      std::int64_t reached = std::numeric_limits<std::int64_t>::min();
      const auto& items = layer(k);
      for (std::size_t i = 0; i < items.size(); ++i) {
        const Index v = items[from_bottom_ ? items.size() - 1 - i : i];
        std::vector<Index> near = side[v];
        if (near.empty()) continue;
        std::ranges::sort(near, {}, [&](Index u) { return place(u); });
        for (const std::size_t m : {(near.size() - 1) / 2, near.size() / 2}) try_pair(near[m], v, reached);
        for (const Index u : near)
          if (g_.items[u].spine && g_.items[v].spine) try_pair(u, v, reached);
      }
    }
  }

  void try_pair(Index u, Index v, std::int64_t& reached) {
    if (next_[v] != v || reached >= place(u) || cut_.contains(std::uint64_t{std::min(u, v)} << 32 | std::max(u, v))) return;
    if (next_[u] != root_[u]) return;
    next_[u] = v;
    root_[v] = root_[u];
    next_[v] = root_[v];
    reached = place(u);
  }

  double apart(Index upper, Index lower) const {
    return from_bottom_ ? g_.items[lower].below + g_.items[upper].above : g_.items[upper].below + g_.items[lower].above;
  }

  /// Blocks as near to the first side as their order allows, then towards the other as far as that widens nothing.
  void compact() {
    const std::size_t n = g_.items.size();
    struct Edge {
      Index from, to;
      double apart;
    };
    std::vector<Edge> edges;
    for (const auto& items : g_.layers)
      for (std::size_t i = 1; i < items.size(); ++i) {
        const Index a = items[from_bottom_ ? items.size() - i : i - 1], b = items[from_bottom_ ? items.size() - 1 - i : i];
        edges.push_back({root_[a], root_[b], apart(a, b)});
      }
    std::vector<std::size_t> first(n + 1), waiting(n);
    for (const Edge& e : edges) ++first[e.from + 1], ++waiting[e.to];
    for (std::size_t i = 0; i < n; ++i) first[i + 1] += first[i];
    std::vector<std::size_t> slot(first.begin(), first.end() - 1), out(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) out[slot[edges[e].from]++] = e;
    std::vector<Index> order;
    for (Index i = 0; i < n; ++i)
      if (root_[i] == i && waiting[i] == 0) order.push_back(i);
    at_.assign(n, 0);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t e = first[order[i]]; e < first[order[i] + 1]; ++e) {
        const Edge& edge = edges[out[e]];
        at_[edge.to] = std::max(at_[edge.to], at_[edge.from] + edge.apart);
        if (--waiting[edge.to] == 0) order.push_back(edge.to);
      }
    for (std::size_t i = order.size(); i-- > 0;) {
      double room = infinite;
      for (std::size_t e = first[order[i]]; e < first[order[i] + 1]; ++e)
        room = std::min(room, at_[edges[out[e]].to] - edges[out[e]].apart);
      if (room < infinite) at_[order[i]] = std::max(at_[order[i]], room);
    }
  }

  const LayeredGraph& g_;
  const std::unordered_set<std::uint64_t>& cut_;
  bool from_right_, from_bottom_;
  std::vector<Index> root_, next_;
  std::vector<double> at_;
};

/// Pieces of branches that give way: those that cross the spine, and those at nodes that cross a long branch on its way.
std::unordered_set<std::uint64_t> giving_way(const LayeredGraph& g) {
  std::unordered_set<std::uint64_t> cut;
  const auto inner = [&](Index u, Index v) {
    return (g.items[u].spine && g.items[v].spine) ||
           (g.items[u].kind != LayeredGraph::Kind::node && g.items[v].kind != LayeredGraph::Kind::node);
  };
  const auto mark = [&](Index u, Index v) { cut.insert(std::uint64_t{std::min(u, v)} << 32 | std::max(u, v)); };
  for (std::size_t k = 0; k + 1 < g.layers.size(); ++k) {
    std::optional<std::pair<Index, Index>> spine;
    for (const Index u : g.layers[k])
      for (const Index v : g.right[u])
        if (g.items[u].spine && g.items[v].spine) spine = {g.items[u].place, g.items[v].place};
    Index above = 0;
    std::size_t start = 0;
    const auto& layer = g.layers[k + 1];
    for (std::size_t i = 0; i < layer.size(); ++i) {
      std::optional<Index> bound;
      for (const Index u : g.left[layer[i]])
        if (inner(u, layer[i])) bound = g.items[u].place;
      if (!bound && i + 1 < layer.size()) continue;
      const Index below = bound.value_or(static_cast<Index>(g.layers[k].size()));
      for (; start <= i; ++start)
        for (const Index u : g.left[layer[start]])
          if (!inner(u, layer[start]) && (g.items[u].place < above || g.items[u].place > below)) mark(u, layer[start]);
      above = std::max(above, below);
    }
    if (!spine) continue;
    for (const Index u : g.layers[k])
      for (const Index v : g.right[u])
        if ((g.items[u].place < spine->first && g.items[v].place > spine->second) ||
            (g.items[u].place > spine->first && g.items[v].place < spine->second) ||
            ((g.items[u].place == spine->first) != (g.items[v].place == spine->second)))
          mark(u, v);
  }
  return cut;
}

}  // namespace

std::vector<double> heights(const LayeredGraph& g, const Budget& budget) {
  const auto cut = giving_way(g);
  std::array<std::vector<double>, 4> all;
  std::array<double, 4> low{}, high{};
  std::size_t tightest = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    budget.check("the coordinates of the picture");
    all[i] = Alignment(g, cut, i >= 2, i % 2 == 1).heights();
    const auto [l, h] = std::ranges::minmax(all[i]);
    low[i] = l, high[i] = h;
    if (h - l < high[tightest] - low[tightest]) tightest = i;
  }
  std::vector<double> y(g.items.size());
  std::array<double, 4> shift{};
  for (std::size_t i = 0; i < all.size(); ++i) shift[i] = i % 2 == 0 ? low[tightest] - low[i] : high[tightest] - high[i];
  for (std::size_t k = 0; k < y.size(); ++k) {
    std::array<double, 4> of{};
    for (std::size_t i = 0; i < all.size(); ++i) of[i] = all[i][k] + shift[i];
    std::ranges::sort(of);
    y[k] = (of[1] + of[2]) / 2;
  }
  for (std::size_t k = 0; k < y.size(); ++k)
    if (g.items[k].spine) {
      const double line = y[k];
      for (double& v : y) v -= line;
      break;
    }
  return y;
}

}  // namespace sfg
