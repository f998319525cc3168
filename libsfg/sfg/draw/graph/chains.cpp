#include "sfg/draw/graph/chains.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace sfg {
namespace {

constexpr double room_in_row = 0.7;  // between nodes of one chain, in columns

class ChainColumns {
 public:
  ChainColumns(const SignalFlowGraph& graph, const Flow& flow) : graph_(graph), flow_(flow), column_(graph.nodes().size()) {}

  std::vector<Chain> place() {
    std::vector<Chain> chains;
    std::vector<std::size_t> part = parts();
    for (std::size_t p = 0; std::ranges::count(part, p) > 0; ++p) {
      part_.assign(part.size(), false);
      for (std::size_t i = 0; i < part.size(); ++i) part_[i] = part[i] == p;
      const std::size_t first = chains.size();
      place_part(chains);
      for (std::size_t c = first; c < chains.size(); ++c) chains[c].part = p;
    }
    return chains;
  }

  std::vector<double> columns() const {
    std::vector<double> result;
    for (const auto& c : column_) result.push_back(c.value_or(0));
    return result;
  }

 private:
  /// Connected parts; the part of the first stated input comes first.
  std::vector<std::size_t> parts() const {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> part(graph_.nodes().size(), none);
    std::size_t count = 0;
    std::vector<NodeId> roots = graph_.stated_inputs();
    const auto all = graph_.node_ids();
    roots.insert(roots.end(), all.begin(), all.end());
    for (const NodeId root : roots) {
      if (part[root.index] != none) continue;
      std::vector<NodeId> reached{root};
      part[root.index] = count;
      for (std::size_t i = 0; i < reached.size(); ++i) {
        const auto reach = [&](NodeId next) {
          if (part[next.index] == none) part[next.index] = count, reached.push_back(next);
        };
        for (const BranchId b : graph_.leaving(reached[i])) reach(graph_[b].to);
        for (const BranchId b : graph_.entering(reached[i])) reach(graph_[b].from);
      }
      ++count;
    }
    return part;
  }

  bool open(NodeId node) const { return part_[node.index] && !column_[node.index]; }
  bool forward(BranchId branch) const {
    return !flow_.against[branch.index] && !flow_.returning[graph_[branch].from.index] &&
           !flow_.returning[graph_[branch].to.index];
  }

  void place_part(std::vector<Chain>& chains) {
    Chain main = longest(true);
    Chain other = longest(false);  // it may run through both ends, and on
    const auto holds = [&](NodeId node) { return std::ranges::find(other.nodes, node) != other.nodes.end(); };
    if (main.nodes.empty() || (other.nodes.size() > main.nodes.size() && holds(main.nodes.front()) && holds(main.nodes.back())))
      main = std::move(other);
    main.main = true;
    for (std::size_t i = 0; i < main.nodes.size(); ++i) column_[main.nodes[i].index] = static_cast<double>(i);
    main_end_ = static_cast<double>(main.nodes.size()) - 1;
    if (!main.nodes.empty()) chains.push_back(std::move(main));
    while (true) {
      Chain next = longest(false);
      if (next.nodes.empty()) break;
      spread(next);
      chains.push_back(std::move(next));
    }
    place_returning(chains);
    place_satellites(chains);
  }

  /// The longest forward path of nodes without a place; `stated`: from an input to an output. Among equals the one whose
  /// first node has the fewest branches, then the order of the file.
  Chain longest(bool stated) const {
    const std::size_t n = column_.size();
    std::vector<std::size_t> by_position(n);
    for (std::size_t i = 0; i < n; ++i) by_position[flow_.position[i]] = i;
    std::vector<std::size_t> length(n, 0);  // of the longest path from the node, in nodes; 0: none
    std::vector<std::optional<NodeId>> next(n);
    const auto outputs = graph_.stated_outputs();
    for (std::size_t k = n; k-- > 0;) {
      const NodeId node{static_cast<std::uint32_t>(by_position[k])};
      if (!open(node) || flow_.returning[node.index] || satellite(node)) continue;
      if (!stated || std::ranges::find(outputs, node) != outputs.end()) length[node.index] = 1;
      for (const BranchId b : graph_.leaving(node)) {
        const NodeId to = graph_[b].to;
        if (!forward(b) || length[to.index] == 0 || length[to.index] + 1 <= length[node.index]) continue;
        length[node.index] = length[to.index] + 1;
        next[node.index] = to;
      }
    }
    std::optional<NodeId> best;
    for (const NodeId node : stated ? graph_.stated_inputs() : graph_.node_ids()) {
      if (length[node.index] == 0) continue;
      const auto rank = [&](NodeId m) { return std::pair(length[m.index], -static_cast<int>(graph_.leaving(m).size())); };
      if (!best || rank(node) > rank(*best)) best = node;
    }
    Chain chain;
    for (std::optional<NodeId> node = best; node; node = next[node->index]) chain.nodes.push_back(*node);
    if (stated && chain.nodes.size() < 2) chain.nodes.clear();
    return chain;
  }

  /// A source or sink all of whose neighbours are returning nodes: it is placed beside them.
  bool satellite(NodeId node) const {
    const auto into = graph_.entering(node), out = graph_.leaving(node);
    if (into.empty() == out.empty()) return false;
    return std::ranges::all_of(into, [&](BranchId b) { return flow_.returning[graph_[b].from.index]; }) &&
           std::ranges::all_of(out, [&](BranchId b) { return flow_.returning[graph_[b].to.index]; });
  }

  using Bound = std::optional<double>;

  /// By node: its column, or the first one right of (left of) what is placed and leads to it (follows it).
  std::vector<Bound> bounds(bool left) const {
    std::vector<NodeId> order = graph_.node_ids();
    std::ranges::sort(order, [&](NodeId a, NodeId b) {
      return left ? flow_.position[a.index] < flow_.position[b.index] : flow_.position[a.index] > flow_.position[b.index];
    });
    std::vector<Bound> result(order.size());
    for (const NodeId node : order) {
      Bound& here = result[node.index];
      here = column_[node.index];
      if (here) continue;
      const auto beside = [&](NodeId other) {
        const Bound& column = result[other.index];
        if (!column) return;
        const double next = left ? *column + 1 : *column - 1;
        here = !here ? next : left ? std::max(*here, next) : std::min(*here, next);
      };
      for (const BranchId b : left ? graph_.entering(node) : graph_.leaving(node))
        if (forward(b)) beside(left ? graph_[b].from : graph_[b].to);
      for (const auto& [from, to] : flow_.joined)
        if (node == (left ? to : from)) beside(left ? from : to);
    }
    return result;
  }

  /// Evenly between what the chain hangs on; a chain that hangs on one end only stands next to it.
  void spread(const Chain& chain) {
    const std::size_t n = chain.nodes.size();
    const std::vector<Bound> lows = bounds(true), highs = bounds(false);
    std::vector<Bound> low(n), high(n);
    for (std::size_t i = 0; i < n; ++i) {
      low[i] = lows[chain.nodes[i].index];
      if (i > 0 && low[i - 1] && (!low[i] || *low[i] < *low[i - 1] + 1)) low[i] = *low[i - 1] + 1;
    }
    for (std::size_t i = n; i-- > 0;) {
      high[i] = highs[chain.nodes[i].index];
      if (i + 1 < n && high[i + 1] && (!high[i] || *high[i] > *high[i + 1] - 1)) high[i] = *high[i + 1] - 1;
    }
    const auto outputs = graph_.outputs;
    const NodeId last = chain.nodes.back();
    const bool ends_right = graph_.leaving(last).empty() && std::ranges::find(outputs, last) != outputs.end();
    if (!high.back() && low.back() && ends_right && *low.back() < main_end_) {
      for (std::size_t i = 0; i < n; ++i) high[i] = main_end_ - static_cast<double>(n - 1 - i);
      if (n == 1) low[0] = high[0];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double part = static_cast<double>(i + 1) / static_cast<double>(n + 1);
      double c = static_cast<double>(i);
      if (low[i] && high[i]) {
        c = *low[i] + (*high[i] - *low[i]) * part;
      } else if (low[i]) {
        c = *low[i];
      } else if (high[i]) {
        c = *high[i];
      }
      // What the chain hangs on may ask for one place twice: it stays a chain.
      if (const double before = i > 0 ? *column_[chain.nodes[i - 1].index] : c - 1; c < before + room_in_row) c = before + 1;
      column_[chain.nodes[i].index] = c;
    }
  }

  /// Groups of returning nodes run from right to left between what feeds them and what they feed.
  void place_returning(std::vector<Chain>& chains) {
    while (true) {
      Chain chain;
      chain.returning = true;
      const std::optional<NodeId> first = first_returning();
      if (!first) return;
      for (std::optional<NodeId> node = first; node;) {
        chain.nodes.push_back(*node);
        std::optional<NodeId> following;
        for (const BranchId b : graph_.leaving(*node)) {
          const NodeId to = graph_[b].to;
          const bool taken = std::ranges::find(chain.nodes, to) != chain.nodes.end();
          if (!following && open(to) && flow_.returning[to.index] && !taken) following = to;
        }
        node = following;
      }
      const double entry = end_of(chain, true), exit = end_of(chain, false);
      const auto n = static_cast<double>(chain.nodes.size());
      double step = (entry - exit) / (n + 1);
      if (step < 0.8) step = std::max(0.8, n > 1 ? (entry - exit) / (n - 1) : 0.0);  // its ends under what it hangs on
      const double begin = (entry + exit) / 2 + step * (n - 1) / 2;
      for (std::size_t i = 0; i < chain.nodes.size(); ++i) column_[chain.nodes[i].index] = begin - step * static_cast<double>(i);
      chains.push_back(std::move(chain));
    }
  }

  /// A returning node without a place, rather one that is fed by a placed node.
  std::optional<NodeId> first_returning() const {
    std::optional<NodeId> first;
    for (const NodeId node : graph_.node_ids()) {
      if (!open(node) || !flow_.returning[node.index]) continue;
      if (!first) first = node;
      for (const BranchId b : graph_.entering(node)) {
        const NodeId from = graph_[b].from;
        if (column_[from.index] && !graph_.entering(from).empty()) return node;
      }
    }
    return first;
  }

  /// The column of what feeds the chain (rightmost) or is fed by it (leftmost).
  double end_of(const Chain& chain, bool entry) const {
    std::optional<double> end;
    for (const NodeId node : chain.nodes)
      for (const BranchId b : entry ? graph_.entering(node) : graph_.leaving(node)) {
        const NodeId other = entry ? graph_[b].from : graph_[b].to;
        const auto& c = column_[other.index];
        if (!c || (entry && graph_.entering(other).empty())) continue;
        end = !end ? *c : entry ? std::max(*end, *c) : std::min(*end, *c);
      }
    return end.value_or(0);
  }

  void place_satellites(std::vector<Chain>& chains) {
    for (const NodeId node : graph_.node_ids()) {
      if (!open(node)) continue;
      const bool source = graph_.entering(node).empty();
      double c = 0;
      for (const BranchId b : source ? graph_.leaving(node) : graph_.entering(node))
        c = column_[(source ? graph_[b].to : graph_[b].from).index].value_or(0) + (source ? 1 : -1);
      column_[node.index] = c;
      Chain chain;
      chain.nodes = {node};
      chain.returning = true;
      chains.push_back(std::move(chain));
    }
  }

  const SignalFlowGraph& graph_;
  const Flow& flow_;
  std::vector<std::optional<double>> column_;
  std::vector<bool> part_;
  double main_end_ = 0;
};

}  // namespace

Chains chains_of(const SignalFlowGraph& graph, const Flow& flow) {
  ChainColumns columns(graph, flow);
  std::vector<Chain> chains = columns.place();
  return {std::move(chains), columns.columns()};
}

}  // namespace sfg
