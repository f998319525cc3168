#include "sfg/draw/graph/layers.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "sfg/draw/graph/wishes.hpp"

namespace sfg {
namespace {

using Index = LayeredGraph::Index;

/// The order from left to right. Nodes that only carry signals back stand between what they take from and what they give to.
std::vector<double> keys(const SignalFlowGraph& graph, const Flow& flow) {
  std::vector<double> key(flow.position.begin(), flow.position.end());
  constexpr int rounds = 30;
  for (int round = 0; round < rounds; ++round)
    for (const NodeId node : graph.node_ids()) {
      if (!flow.returning[node.index]) continue;
      double sum = 0, count = 0;
      for (const BranchId b : graph.entering(node)) sum += key[graph[b].from.index], ++count;
      for (const BranchId b : graph.leaving(node)) sum += key[graph[b].to.index], ++count;
      if (count > 0) key[node.index] = sum / count;
    }
  return key;
}

struct Orientation {
  std::vector<std::size_t> order;  ///< nodes from left to right
  std::vector<std::size_t> at;     ///< by node: its place there
};

Orientation orientation(const SignalFlowGraph& graph, const Flow& flow) {
  const std::vector<double> key = keys(graph, flow);
  Orientation o;
  o.order.resize(key.size());
  std::iota(o.order.begin(), o.order.end(), std::size_t{0});
  std::ranges::stable_sort(o.order, [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  o.at.resize(key.size());
  for (std::size_t i = 0; i < o.order.size(); ++i) o.at[o.order[i]] = i;
  return o;
}

/// The branches of the longest forward path from a stated input to a stated output, else of the longest of all.
std::vector<BranchId> spine(const SignalFlowGraph& graph, const Orientation& o) {
  const std::size_t n = o.order.size();
  std::vector<NodeId> inputs = graph.stated_inputs(), outputs = graph.stated_outputs();
  for (const bool stated : {true, false}) {
    constexpr std::size_t unreached = static_cast<std::size_t>(-1);
    std::vector<std::size_t> length(n, stated ? unreached : 0);
    std::vector<std::optional<BranchId>> before(n);
    if (stated)
      for (const NodeId input : inputs) length[input.index] = 0;
    for (const std::size_t node : o.order)
      for (const BranchId b : graph.leaving(NodeId{static_cast<std::uint32_t>(node)})) {
        const std::size_t to = graph[b].to.index;
        if (o.at[to] <= o.at[node] || length[node] == unreached) continue;
        if (length[to] != unreached && length[to] >= length[node] + 1) continue;
        length[to] = length[node] + 1;
        before[to] = b;
      }
    std::optional<std::size_t> end;
    const auto consider = [&](std::size_t node) {
      if (length[node] != unreached && length[node] > 0 && (!end || length[node] > length[*end])) end = node;
    };
    if (stated)
      for (const NodeId output : outputs) consider(output.index);
    else
      for (const std::size_t node : o.order) consider(node);
    if (!end) continue;
    std::vector<BranchId> path;
    for (auto b = before[*end]; b; b = before[graph[*b].from.index]) path.push_back(*b);
    std::ranges::reverse(path);
    return path;
  }
  return {};
}

/// Layers of nodes: as far left as what precedes them allows, then moved while that shortens the branches.
class Layering {
 public:
  Layering(const SignalFlowGraph& graph, const Orientation& o) : graph_(graph), o_(o), layer_(o.order.size()) {
    for (const std::size_t node : o_.order) layer_[node] = lowest(node);
    for (const std::size_t node : o_.order) last_ = std::max(last_, layer_[node]);
    outputs_rightmost();
    constexpr int rounds = 12;
    for (int round = 0; round < rounds; ++round) {
      bool moved = false;
      for (auto it = o_.order.rbegin(); it != o_.order.rend(); ++it) moved = tighten(*it) || moved;
      for (const std::size_t node : o_.order) moved = tighten(node) || moved;
      if (!moved) break;
    }
    keep_ranks();
  }
  const std::vector<Index>& layers() const { return layer_; }

 private:
  template <class Visit>
  void neighbours(std::size_t node, Visit visit) const {
    const NodeId id{static_cast<std::uint32_t>(node)};
    for (const BranchId b : graph_.entering(id)) visit(graph_[b].from.index);
    for (const BranchId b : graph_.leaving(id)) visit(graph_[b].to.index);
  }
  Index lowest(std::size_t node) const {
    Index least = 0;
    neighbours(node, [&](std::size_t other) {
      if (o_.at[other] < o_.at[node]) least = std::max(least, layer_[other] + 1);
    });
    return least;
  }
  Index highest(std::size_t node) const {
    Index most = last_;
    neighbours(node, [&](std::size_t other) {
      if (o_.at[other] > o_.at[node]) most = std::min(most, layer_[other] - 1);
    });
    return most;
  }
  void outputs_rightmost() {
    constexpr std::size_t few = 6;
    const std::vector<NodeId> outputs = graph_.stated_outputs();
    fixed_.assign(layer_.size(), false);
    if (outputs.size() > few) return;
    for (const NodeId output : outputs)
      if (ends_all(output)) {
        layer_[output.index] = last_;
        fixed_[output.index] = true;
      }
  }
  bool ends_all(NodeId output) const {
    const auto entering = graph_.entering(output);
    return graph_.leaving(output).empty() && !entering.empty() &&
           std::ranges::all_of(entering, [&](BranchId b) { return o_.at[graph_[b].from.index] < o_.at[output.index]; });
  }
  /// Nodes of a rank on one layer, right of those of lower ranks; what follows them moves on where it can.
  void keep_ranks() {
    constexpr int rounds = 4;
    std::map<int, std::vector<std::size_t>> ranked;
    const auto ranks = stated_ranks(graph_);
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (ranks[i]) ranked[*ranks[i]].push_back(i);
    for (int round = 0; round < rounds && !ranked.empty(); ++round) {
      Index least = 0;
      for (const auto& [rank, nodes] : ranked) {
        for (const std::size_t node : nodes) least = std::max(least, layer_[node]);
        for (const std::size_t node : nodes) layer_[node] = least;
        ++least;
      }
      if (round + 1 < rounds)
        for (const std::size_t node : o_.order) layer_[node] = std::max(layer_[node], lowest(node));
    }
  }
  bool tighten(std::size_t node) {
    if (fixed_[node]) return false;
    int pull = 0;  // to the right
    neighbours(node, [&](std::size_t other) { pull += o_.at[other] > o_.at[node] ? 1 : o_.at[other] < o_.at[node] ? -1 : 0; });
    const Index to = pull > 0 ? highest(node) : pull < 0 ? lowest(node) : layer_[node];
    const bool moved = to != layer_[node];
    layer_[node] = to;
    return moved;
  }

  const SignalFlowGraph& graph_;
  const Orientation& o_;
  std::vector<Index> layer_;
  std::vector<bool> fixed_;
  Index last_ = 0;
};

/// The layers without those that hold no node.
std::vector<Index> compacted(std::vector<Index> layers) {
  std::vector<Index> used = layers;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (Index& layer : layers) layer = static_cast<Index>(std::ranges::lower_bound(used, layer) - used.begin());
  return layers;
}

void add_chain(LayeredGraph& made, const Branch& branch, bool spine) {
  Index from = branch.from.index, to = branch.to.index;
  made.reversed.push_back(made.items[from].layer > made.items[to].layer);
  if (made.items[from].layer == made.items[to].layer) return made.chains.emplace_back(), void();
  if (made.reversed.back()) std::swap(from, to);
  std::vector<Index> chain{from};
  for (Index layer = made.items[from].layer + 1; layer < made.items[to].layer; ++layer) {
    chain.push_back(static_cast<Index>(made.items.size()));
    made.items.push_back({LayeredGraph::Kind::pass, layer, 0, spine});
  }
  chain.push_back(to);
  made.left.resize(made.items.size());
  made.right.resize(made.items.size());
  for (std::size_t i = 1; i < chain.size(); ++i) {
    made.right[chain[i - 1]].push_back(chain[i]);
    made.left[chain[i]].push_back(chain[i - 1]);
  }
  made.chains.push_back(std::move(chain));
}

}  // namespace

void LayeredGraph::renumber() {
  for (const auto& layer : layers)
    for (std::size_t i = 0; i < layer.size(); ++i) items[layer[i]].place = static_cast<Index>(i);
}

LayeredGraph layered_graph(const SignalFlowGraph& graph, const Flow& flow) {
  const Orientation o = orientation(graph, flow);
  const Layering layering(graph, o);
  LayeredGraph made;
  made.on_spine.resize(graph.branches().size());
  for (const Index layer : compacted(layering.layers())) made.items.push_back({LayeredGraph::Kind::node, layer});
  made.left.resize(made.items.size());
  made.right.resize(made.items.size());
  for (const BranchId b : spine(graph, o)) {
    made.on_spine[b.index] = true;
    made.items[graph[b].from.index].spine = made.items[graph[b].to.index].spine = true;
  }
  for (const BranchId id : graph.branch_ids()) {
    add_chain(made, graph[id], made.on_spine[id.index]);
  }
  Index last = 0;
  for (const auto& item : made.items) last = std::max(last, item.layer);
  made.layers.resize(made.items.empty() ? 0 : last + 1);
  for (const std::size_t node : o.order) made.layers[made.items[node].layer].push_back(static_cast<Index>(node));
  for (std::size_t i = o.order.size(); i < made.items.size(); ++i)
    made.layers[made.items[i].layer].push_back(static_cast<Index>(i));
  made.renumber();
  return made;
}

void order_sources(LayeredGraph& g, const SignalFlowGraph& graph) {
  for (const std::vector<NodeId>& group : columns_of_sources(graph)) {
    std::vector<std::vector<Index>> own;  // by source: it, and what its chains pass, target by target
    bool alike = true;
    for (const NodeId source : group) {
      std::vector<BranchId> leaving(graph.leaving(source).begin(), graph.leaving(source).end());
      std::ranges::stable_sort(leaving, {}, [&](BranchId b) { return graph[b].to; });
      own.push_back({source.index});
      for (const BranchId b : leaving) {
        const auto& chain = g.chains[b.index];
        if (chain.empty()) continue;
        own.back().insert(own.back().end(), chain.begin() + 1, chain.end() - 1);
      }
      alike = alike && own.back().size() == own.front().size();
      for (std::size_t i = 0; alike && i < own.back().size(); ++i)
        alike = g.items[own.back()[i]].layer == g.items[own.front()[i]].layer;
    }
    if (!alike) continue;
    std::vector<std::size_t> found(group.size());
    std::iota(found.begin(), found.end(), std::size_t{0});
    std::ranges::stable_sort(found, {}, [&](std::size_t k) { return g.items[own[k].front()].place; });
    const std::vector<LayeredGraph::Item> before = g.items;
    for (std::size_t k = 0; k < group.size(); ++k)
      for (std::size_t i = 0; i < own[k].size(); ++i) {
        const LayeredGraph::Item& from = before[own[found[k]][i]];
        g.items[own[k][i]].place = from.place;
        g.items[own[k][i]].spine = from.spine;
        g.layers[from.layer][from.place] = own[k][i];
      }
  }
}

void add_label_layers(LayeredGraph& g, const std::vector<bool>& breaks) {
  std::vector<Index> moved(g.layers.size());  // old layer -> new layer
  std::vector<std::vector<Index>> layers;
  for (std::size_t k = 0; k < g.layers.size(); ++k) {
    moved[k] = static_cast<Index>(layers.size());
    layers.push_back(g.layers[k]);
    if (k + 1 < g.layers.size()) layers.resize(layers.size() + (breaks[k] ? 2 : 1));
  }
  struct Passage {
    double mean;
    std::vector<Index> items;
  };
  std::vector<std::vector<Passage>> passages(g.layers.size());
  for (std::size_t branch = 0; branch < g.chains.size(); ++branch) {
    auto& chain = g.chains[branch];
    std::vector<Index> longer;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      longer.push_back(chain[i]);
      if (i + 1 == chain.size()) break;
      const auto a = g.items[chain[i]], b = g.items[chain[i + 1]];
      Passage passage{(a.place + 0.5) / static_cast<double>(g.layers[a.layer].size()) +
                          (b.place + 0.5) / static_cast<double>(g.layers[b.layer].size()),
                      {}};
      for (Index k = 0; k < (breaks[a.layer] ? 2U : 1U); ++k) {
        passage.items.push_back(static_cast<Index>(g.items.size()));
        g.items.push_back({LayeredGraph::Kind::label, moved[a.layer] + 1 + k, 0, g.on_spine[branch]});
        longer.push_back(passage.items.back());
      }
      passages[a.layer].push_back(std::move(passage));
    }
    chain = std::move(longer);
  }
  for (std::size_t k = 0; k < passages.size(); ++k) {
    std::ranges::stable_sort(passages[k], {}, &Passage::mean);
    for (const Passage& passage : passages[k])
      for (std::size_t i = 0; i < passage.items.size(); ++i) layers[moved[k] + 1 + i].push_back(passage.items[i]);
  }
  for (std::size_t k = 0; k < g.layers.size(); ++k)
    for (const Index i : g.layers[k]) g.items[i].layer = moved[k];
  g.layers = std::move(layers);
  g.left.assign(g.items.size(), {});
  g.right.assign(g.items.size(), {});
  for (const auto& chain : g.chains)
    for (std::size_t i = 1; i < chain.size(); ++i) {
      g.right[chain[i - 1]].push_back(chain[i]);
      g.left[chain[i]].push_back(chain[i - 1]);
    }
  g.renumber();
}

}  // namespace sfg
