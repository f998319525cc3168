// Sweeps over the layers by barycentres, then exchanges of neighbours as long as they help (Gansner et al., "A technique
// for drawing directed graphs", 1993), from several starts; crossings are counted by a Fenwick tree (Barth, Jünger and
// Mutzel 2004).
#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>

#include "sfg/draw/graph/layers.hpp"

namespace sfg {
namespace {

using Index = LayeredGraph::Index;

class Ordering {
 public:
  Ordering(LayeredGraph& graph, const Budget& budget) : g_(graph), budget_(budget) { best_ = g_.layers; }

  std::size_t run(double effort) {
    best_crossings_ = crossings();
    const double start_cost = static_cast<double>(g_.items.size()) * sweeps * 4;
    const int starts = std::clamp(static_cast<int>(effort / std::max(start_cost, 1.0)), 1, most_starts);
    const auto first = g_.layers;
    for (int start = 0; start < starts && best_crossings_ > 0; ++start) {
      g_.layers = first;
      if (start > 0) shuffle();
      g_.renumber();
      descend(start % 2 == 0);
    }
    g_.layers = best_;
    g_.renumber();
    return best_crossings_;
  }

 private:
  static constexpr int sweeps = 24;
  static constexpr int most_starts = 60;
  static constexpr int patience = 6;  // sweeps without a gain

  void shuffle() {
    for (auto& layer : g_.layers)
      for (std::size_t i = layer.size(); i > 1; --i) std::swap(layer[i - 1], layer[random_() % i]);
  }

  void descend(bool rightwards) {
    std::size_t least = crossings();
    keep(least);
    int without = 0;
    for (int sweep = 0; sweep < sweeps && without < patience; ++sweep) {
      budget_.check("the order of the picture's layers");
      const bool right = rightwards == (sweep % 2 == 0);
      for (std::size_t k = 0; k < g_.layers.size(); ++k) {
        const std::size_t layer = right ? k : g_.layers.size() - 1 - k;
        sort(layer, right ? g_.left : g_.right, sweep % 4 >= 2);
      }
      exchange();
      const std::size_t now = crossings();
      without = now < least ? 0 : without + 1;
      least = std::min(least, now);
      keep(now);
    }
  }

  void keep(std::size_t crossings) {
    if (crossings >= best_crossings_) return;
    best_crossings_ = crossings;
    best_ = g_.layers;
  }

  /// By the mean place of the neighbours on one side; what has none stays where it is.
  void sort(std::size_t k, const std::vector<std::vector<Index>>& side, bool equals_turn) {
    auto& layer = g_.layers[k];
    std::vector<std::pair<double, Index>> keyed;
    std::vector<bool> fixed(layer.size());
    for (std::size_t i = 0; i < layer.size(); ++i) {
      const auto& near = side[layer[i]];
      if (near.empty()) {
        fixed[i] = true;
        continue;
      }
      double sum = 0;
      for (const Index n : near) sum += g_.items[n].place;
      keyed.emplace_back(sum / static_cast<double>(near.size()), layer[i]);
    }
    if (equals_turn) std::ranges::reverse(keyed);
    std::ranges::stable_sort(keyed, {}, &std::pair<double, Index>::first);
    auto next = keyed.begin();
    for (std::size_t i = 0; i < layer.size(); ++i)
      if (!fixed[i]) layer[i] = next++->second;
    for (std::size_t i = 0; i < layer.size(); ++i) g_.items[layer[i]].place = static_cast<Index>(i);
  }

  /// The places of these items, in order.
  void places(const std::vector<Index>& items, std::vector<Index>& at) const {
    at.clear();
    for (const Index i : items) at.push_back(g_.items[i].place);
    if (at.size() > 1) std::ranges::sort(at);
  }

  /// Crossings of u's branches with v's on one side less those with u below v.
  static std::int64_t difference(const std::vector<Index>& u, const std::vector<Index>& v) {
    std::int64_t sum = 0;
    std::size_t below = 0, upto = 0;
    for (const Index a : u) {
      while (below < v.size() && v[below] < a) ++below;
      upto = std::max(upto, below);
      while (upto < v.size() && v[upto] == a) ++upto;
      sum += static_cast<std::int64_t>(below) - static_cast<std::int64_t>(v.size() - upto);
    }
    return sum;
  }

  void exchange() {
    constexpr int rounds = 12;
    bool moved = true;
    for (int round = 0; round < rounds && moved; ++round) {
      moved = false;
      for (auto& layer : g_.layers) moved = exchange(layer) || moved;
    }
  }

  bool exchange(std::vector<Index>& layer) {
    bool moved = false;
    std::vector<Index> left, right, next_left, next_right;
    if (!layer.empty()) places(g_.left[layer[0]], left), places(g_.right[layer[0]], right);
    for (std::size_t i = 1; i < layer.size(); ++i) {
      places(g_.left[layer[i]], next_left), places(g_.right[layer[i]], next_right);
      if (difference(left, next_left) + difference(right, next_right) > 0) {
        std::swap(layer[i - 1], layer[i]);
        std::swap(g_.items[layer[i - 1]].place, g_.items[layer[i]].place);
        moved = true;
      } else {
        left.swap(next_left);
        right.swap(next_right);
      }
    }
    return moved;
  }

  std::size_t crossings() const {
    std::size_t count = 0;
    std::vector<std::size_t> tree;
    std::vector<Index> ends;
    for (std::size_t k = 0; k + 1 < g_.layers.size(); ++k) {
      tree.assign(g_.layers[k + 1].size() + 1, 0);
      std::size_t added = 0;
      for (const Index u : g_.layers[k]) {
        places(g_.right[u], ends);
        for (const Index end : ends) {
          std::size_t not_below = 0;
          for (std::size_t i = end + 1; i > 0; i &= i - 1) not_below += tree[i];
          count += added - not_below;
        }
        for (const Index end : ends)
          for (std::size_t i = end + 1; i < tree.size(); i += i & (~i + 1)) ++tree[i];
        added += ends.size();
      }
    }
    return count;
  }

  LayeredGraph& g_;
  const Budget& budget_;
  std::vector<std::vector<Index>> best_;
  std::size_t best_crossings_ = 0;
  std::mt19937 random_{1};  // the same picture on every run
};

}  // namespace

std::size_t reduce_crossings(LayeredGraph& graph, double effort, const Budget& budget) {
  return Ordering(graph, budget).run(effort);
}

}  // namespace sfg
