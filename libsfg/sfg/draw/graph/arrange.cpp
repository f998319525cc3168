// A search over the tracks (draw/graph/tracks) by small changes, worse ones accepted less and less often.
#include "sfg/draw/graph/arrange.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "sfg/draw/graph/chains.hpp"
#include "sfg/draw/graph/tracks.hpp"
#include "sfg/draw/graph/wishes.hpp"

namespace sfg {
namespace {

constexpr std::size_t least_steps = 4000;
constexpr std::size_t steps_per_thing = 2500;
constexpr std::size_t most_steps = 150'000;
constexpr int search_starts = 4;
constexpr double hot = 170;       // the cost that a change may add at first
constexpr double downhill = 0.2;  // of the steps, the last: only what is better

using Columns = std::vector<std::optional<int>>;

/// By node: the column that ranks, or sources that lead to the same nodes, give it.
Columns given_columns(const SignalFlowGraph& graph, const Chains& chains) {
  Columns given(graph.nodes().size());
  const auto at = [&](NodeId node) { return static_cast<int>(std::lround(chains.column[node.index])); };
  for (const std::vector<NodeId>& group : columns_of_sources(graph)) {
    int column = at(group.front());
    for (const NodeId node : group) column = std::min(column, at(node));
    for (const NodeId node : group) given[node.index] = column;
  }
  std::map<int, std::vector<NodeId>> ranked;
  const auto ranks = stated_ranks(graph);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i]) ranked[*ranks[i]].push_back(NodeId{static_cast<std::uint32_t>(i)});
  int least = std::numeric_limits<int>::min();
  for (auto& [rank, nodes] : ranked) {
    std::ranges::stable_sort(nodes, {}, at);
    const int column = std::max(least, at(nodes[nodes.size() / 2]));
    for (const NodeId node : nodes) given[node.index] = column;
    least = column + 1;
  }
  return given;
}

/// One connected part of the graph.
class ArrangementSearch {
 public:
  ArrangementSearch(const SignalFlowGraph& graph, const Flow& flow, const Chains& chains, const Columns& given,
                    std::size_t part) {
    place_of_.assign(graph.nodes().size(), none);
    for (const Chain& chain : chains.chains)
      if (chain.part == part) add(chain, chains.column, given, flow);
    const std::vector<int> sides = stated_sides(graph);
    for (const BranchId id : graph.branch_ids()) {
      const Branch& branch = graph[id];
      if (branch.from == branch.to || place_of_[branch.from.index] == none) continue;
      add(id, place_of_[branch.from.index], place_of_[branch.to.index], flow.feedback(graph, id), sides[id.index]);
    }
    for (auto& node : now_.nodes)
      node.source = std::ranges::all_of(node.links, [&](std::size_t k) { return &now_.nodes[now_.links[k].from] == &node; });
    fix_main_line(graph);
    put_disturbances_beside();
    for (const std::vector<NodeId>& group : columns_of_sources(graph))
      if (place_of_[group.front().index] != none && given[group.front().index]) groups_.push_back(group);
    if (!stated_ranks(graph).empty()) groups_.clear();  // what else shares their column is not alike
  }

  void run(std::uint64_t seed, const Budget& budget) {
    random_.seed(seed);
    if (movable_nodes_.empty() && movable_links_.empty()) return;
    const std::size_t things = movable_nodes_.size() + movable_links_.size();
    const std::size_t steps = std::min(least_steps + steps_per_thing * things, most_steps);
    Tracks best = now_;
    Tracks::Cost cost = now_.total(), least = cost;
    for (std::size_t i = 0; i < steps; ++i) {
      if (i % 512 == 0) budget.check("the layout of the picture");
      const double ahead = 1 - static_cast<double>(i) / static_cast<double>(steps), heat = hot * ahead * ahead * ahead,
                   r = fraction();
      cost += step(static_cast<Tracks::Cost>(ahead < downhill ? 0.0 : heat * r * r));
      if (cost < least) least = cost, best = now_;
    }
    now_ = std::move(best);
    close_levels();
    for (const std::vector<NodeId>& group : groups_) order(group);
  }

  Tracks::Cost cost() const { return now_.total(); }

  /// Puts the part into the arrangement, its rows from `top` on; returns the first level below it.
  int write(Arrangement& made, int top) const {
    const auto [low, high] = levels();
    const int shift = top - low;
    made.main_row.push_back(shift);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      made.column[nodes_[i].index] = now_.nodes[i].column;
      made.row[nodes_[i].index] = now_.nodes[i].row + shift;
      made.part[nodes_[i].index] = made.main_row.size() - 1;
    }
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      made.track[branches_[i].index] = now_.links[i].track + shift;
      made.straight[branches_[i].index] = now_.straight(now_.links[i]);
    }
    return high + shift + 1;
  }
  int top() const { return levels().first; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void add(const Chain& chain, const std::vector<double>& column, const Columns& given, const Flow& flow) {
    std::vector<std::size_t> members;
    std::optional<int> on_main;  // the column of the last node on the main line
    for (const NodeId node : chain.nodes) {
      int at = static_cast<int>(std::lround(column[node.index]));
      if (given[node.index]) {
        at = *given[node.index];
      } else if (!members.empty()) {
        const int before = now_.nodes[members.back()].column;
        at = chain.returning ? std::min(at, before - 1) : std::max(at, before + 1);
      }
      const bool main = chain.main && (!on_main || at > *on_main);
      if (main) on_main = at;
      place_of_[node.index] = nodes_.size();
      members.push_back(nodes_.size());
      nodes_.push_back(node);
      const int level = static_cast<int>(chains_.size() + 1) / 2 * (chain.returning ? 1 : -1);
      now_.nodes.push_back({at,
                            main         ? 0
                            : chain.main ? -1
                                         : level,
                            main,
                            flow.returning[node.index],
                            false,
                            given[node.index].has_value(),
                            false,
                            {}});
      if (!main) movable_nodes_.push_back(nodes_.size() - 1);
      if (main) now_.last_column = at;
    }
    if (chain.main)
      main_ = members;
    else
      chains_.push_back(std::move(members));
  }

  void add(BranchId id, std::size_t from, std::size_t to, bool feedback, int side) {
    now_.nodes[from].links.push_back(branches_.size());
    now_.nodes[to].links.push_back(branches_.size());
    const int span = std::abs(now_.nodes[from].column - now_.nodes[to].column);
    const bool below = side == 0 ? feedback : side > 0;
    now_.links.push_back({from, to, feedback, below ? span : -span, side != 0, false, false, false, side});
    branches_.push_back(id);
  }

  void fix_main_line(const SignalFlowGraph& graph) {
    for (std::size_t i = 0; i + 1 < main_.size(); ++i)
      for (const std::size_t k : now_.nodes[main_[i]].links)
        if (auto& link = now_.links[k]; link.from == main_[i] && link.to == main_[i + 1] && link.side == 0 &&
                                        now_.nodes[link.from].fixed && now_.nodes[link.to].fixed) {
          link.fixed = true;
          break;
        }
    for (const std::vector<std::size_t>& chain : chains_)
      for (std::size_t i = 0; i + 1 < chain.size(); ++i)
        for (const std::size_t k : now_.nodes[chain[i]].links)
          if (auto& link = now_.links[k]; link.from == chain[i] && link.to == chain[i + 1]) {
            link.chain = true;
            link.series = graph.leaving(nodes_[link.from]).size() == 1 && graph.entering(nodes_[link.to]).size() == 1;
          }
    for (std::size_t k = 0; k < now_.links.size(); ++k)
      if (!now_.links[k].fixed) movable_links_.push_back(k);
    now_.changed();
  }

  /// A source that leads to one node of the main line, which sums it up with others, stands above or below that.
  void put_disturbances_beside() {
    for (const std::size_t n : movable_nodes_) {
      auto& node = now_.nodes[n];
      if (!node.source || node.pinned || node.links.size() != 1) continue;
      const auto& link = now_.links[node.links.front()];
      const auto& sum = now_.nodes[link.to];
      const auto enters = [&](std::size_t k) { return now_.links[k].to == link.to; };
      if (!sum.fixed || link.side != 0 || std::ranges::count_if(sum.links, enters) < 2) continue;
      node.beside = true;
      node.column = sum.column;
      node.row = -1;
    }
    now_.changed();
  }

  /// Sources that lead to the same nodes change places, and their branches with them, until they stand in order.
  void order(const std::vector<NodeId>& group) {
    std::vector<std::size_t> wanted, found;
    for (const NodeId node : group) wanted.push_back(place_of_[node.index]);
    found = wanted;
    std::ranges::stable_sort(found, {}, [&](std::size_t n) { return now_.nodes[n].row; });
    const Tracks before = now_;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      auto& node = now_.nodes[wanted[i]];
      node.row = before.nodes[found[i]].row;
      node.fixed = before.nodes[found[i]].fixed;
      std::vector<std::size_t> own = node.links, from = before.nodes[found[i]].links;
      for (auto* links : {&own, &from}) std::ranges::stable_sort(*links, {}, [&](std::size_t k) { return before.links[k].to; });
      for (std::size_t k = 0; k < own.size(); ++k) {
        const auto& old = before.links[from[k]];
        auto& link = now_.links[own[k]];
        link.track = old.track, link.bowed = old.bowed, link.fixed = old.fixed, link.chain = old.chain, link.series = old.series;
      }
    }
    now_.changed();
  }

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  int between(int low, int high) { return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1))); }
  double fraction() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  std::pair<int, int> levels() const { return now_.levels(); }

  /// Tries one change and keeps it when it adds at most `allowed`; returns what it added.
  Tracks::Cost step(Tracks::Cost allowed) {
    touched_nodes_.clear();
    touched_links_.clear();
    old_.clear();
    old_links_.clear();
    const auto kind = below(100);
    if (!propose(kind)) return 0;
    return settle(allowed);
  }

  struct NodePlace {
    std::size_t node;
    int column, row;
  };
  struct LinkPlace {
    std::size_t link;
    int track;
    bool bowed;
  };

  void put(std::size_t node, int column, int row) {
    if (now_.nodes[node].pinned) column = now_.nodes[node].column;
    wanted_.push_back({node, column, row});
    touched_nodes_.push_back(node);
    for (const std::size_t k : now_.nodes[node].links) touch(k);
  }
  void put_link(std::size_t link, int track, bool bowed) {
    wanted_links_.push_back({link, track, bowed});
    touch(link);
  }
  void touch(std::size_t link) {
    if (std::ranges::find(touched_links_, link) == touched_links_.end()) touched_links_.push_back(link);
  }

  bool propose(std::size_t kind) {
    wanted_.clear();
    wanted_links_.clear();
    if (movable_nodes_.empty() || kind < 38) return propose_track();
    if (kind < 60) return propose_row();
    if (kind < 72) return propose_column();
    if (kind < 84) return propose_neighbourhood();
    if (kind < 91) return propose_chain();
    if (kind < 95) return propose_swap();
    return propose_level();
  }

  bool propose_track() {
    if (movable_links_.empty()) return false;
    const std::size_t k = one_of(movable_links_);
    const auto& link = now_.links[k];
    if (now_.vertical(link)) return false;
    const int a = now_.nodes[link.from].row, b = now_.nodes[link.to].row;
    if (now_.span(link) == 1 && link.bowed && below(2) == 0) {
      put_link(k, link.track, false);
      return true;
    }
    const auto [low, high] = levels();
    int track = 0;
    switch (below(5)) {
      case 0: track = a; break;
      case 1: track = b; break;
      case 2: track = link.track + (below(2) == 0 ? 1 : -1); break;
      case 3: track = below(2) == 0 ? std::max(a, b) + 1 : std::min(a, b) - 1; break;
      default: track = between(low - 1, high + 1);
    }
    put_link(k, track, true);
    return true;
  }

  void move(std::size_t node, int column, int row) {
    const int old = now_.nodes[node].row;
    put(node, column, row);
    for (const std::size_t k : now_.nodes[node].links)
      if (now_.links[k].track == old && row != old && !now_.links[k].fixed) put_link(k, row, now_.links[k].bowed);
  }

  bool propose_row() {
    const std::size_t n = one_of(movable_nodes_);
    const auto [low, high] = levels();
    int row = between(low - 1, high + 1);
    if (below(2) == 0) row = now_.nodes[n].row + (below(2) == 0 ? 1 : -1);
    move(n, now_.nodes[n].column, row);
    return true;
  }

  bool propose_column() {
    const std::size_t n = one_of(movable_nodes_);
    move(n, now_.nodes[n].column + (below(2) == 0 ? 1 : -1), now_.nodes[n].row);
    return true;
  }

  bool propose_neighbourhood() {
    const std::size_t n = one_of(movable_nodes_);
    if (now_.nodes[n].links.empty()) return false;
    const auto& link = now_.links[one_of(now_.nodes[n].links)];
    const auto& other = now_.nodes[link.from == n ? link.to : link.from];
    const int side = link.from == n ? -1 : 1, column = other.column + (below(4) == 0 ? 0 : link.feedback ? -side : side);
    move(n, column, other.row + between(-2, 2));
    return true;
  }

  bool propose_chain() {
    const std::vector<std::size_t>& chain = one_of(chains_);
    const auto [low, high] = levels();
    const int first = now_.nodes[chain.front()].row;
    int by = between(low - 1, high + 1) - first, along = 0;
    if (below(4) == 0) by = -2 * first;
    if (below(4) == 0) by = 0, along = below(2) == 0 ? 1 : -1;
    const bool level = below(2) == 0;
    if (level && below(2) == 0) {  // in a line
      const std::size_t anchor = below(chain.size());
      const int step = now_.nodes[chain.front()].returning ? -1 : 1;
      for (std::size_t i = 0; i < chain.size(); ++i)
        move(chain[i], now_.nodes[chain[anchor]].column + step * (static_cast<int>(i) - static_cast<int>(anchor)), first + by);
      return true;
    }
    for (const std::size_t n : chain) move(n, now_.nodes[n].column + along, level ? first + by : now_.nodes[n].row + by);
    return true;
  }

  bool propose_swap() {
    if (movable_links_.size() < 2) return false;
    const std::size_t a = one_of(movable_links_), b = one_of(movable_links_);
    if (a == b || now_.vertical(now_.links[a]) || now_.vertical(now_.links[b])) return false;
    put_link(a, now_.links[b].track, true);
    put_link(b, now_.links[a].track, true);
    return true;
  }

  /// Opens a level and puts something on it.
  bool propose_level() {
    const auto [low, high] = levels();
    const int level = between(low, high);
    if (level == 0) return false;
    const auto shifted = [&](int l) { return level > 0 ? (l >= level ? l + 1 : l) : (l <= level ? l - 1 : l); };
    for (const std::size_t n : movable_nodes_)
      if (shifted(now_.nodes[n].row) != now_.nodes[n].row) put(n, now_.nodes[n].column, shifted(now_.nodes[n].row));
    for (const std::size_t k : movable_links_)
      if (shifted(now_.links[k].track) != now_.links[k].track) put_link(k, shifted(now_.links[k].track), now_.links[k].bowed);
    if (below(2) == 0 || movable_links_.empty()) {
      const std::size_t n = one_of(movable_nodes_);
      std::erase_if(wanted_, [&](const NodePlace& p) { return p.node == n; });
      std::erase(touched_nodes_, n);
      move(n, now_.nodes[n].column, level);
    } else {
      const std::size_t k = one_of(movable_links_);
      put_link(k, level, true);
    }
    return true;
  }

  Tracks::Cost settle(Tracks::Cost allowed) {
    const Tracks::Cost before = now_.of(touched_nodes_, touched_links_);
    for (const auto& w : wanted_) {
      auto& n = now_.nodes[w.node];
      old_.push_back({w.node, n.column, n.row});
      n.column = w.column;
      n.row = w.row;
    }
    for (const auto& w : wanted_links_) {
      auto& k = now_.links[w.link];
      old_links_.push_back({w.link, k.track, k.bowed});
      k.track = w.track;
      k.bowed = w.bowed;
    }
    now_.changed(touched_nodes_, touched_links_);
    const Tracks::Cost added = now_.of(touched_nodes_, touched_links_, before + allowed) - before;
    if (added <= allowed) return added;
    for (std::size_t i = old_links_.size(); i-- > 0;) {
      now_.links[old_links_[i].link].track = old_links_[i].track;
      now_.links[old_links_[i].link].bowed = old_links_[i].bowed;
    }
    for (std::size_t i = old_.size(); i-- > 0;) {
      now_.nodes[old_[i].node].column = old_[i].column;
      now_.nodes[old_[i].node].row = old_[i].row;
    }
    now_.changed(touched_nodes_, touched_links_);
    return 0;
  }

  /// Leaves out levels that nothing uses.
  void close_levels() {
    std::vector<int> used{0};
    for (const auto& n : now_.nodes) used.push_back(n.row);
    for (const auto& k : now_.links)
      if (!now_.straight(k)) used.push_back(k.track);
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    const auto rank = [&](int level) { return static_cast<int>(std::ranges::lower_bound(used, level) - used.begin()); };
    const int zero = rank(0);
    for (auto& n : now_.nodes) n.row = rank(n.row) - zero;
    for (auto& k : now_.links) k.track = rank(k.track) - zero;
    now_.changed();
  }

  Tracks now_;
  std::vector<NodeId> nodes_;
  std::vector<BranchId> branches_;
  std::vector<std::size_t> place_of_;
  std::vector<std::size_t> main_;
  std::vector<std::vector<std::size_t>> chains_;
  std::vector<std::vector<NodeId>> groups_;  ///< sources that share a column
  std::vector<std::size_t> movable_nodes_, movable_links_;
  std::mt19937_64 random_;
  // of the change being tried
  std::vector<std::size_t> touched_nodes_, touched_links_;
  std::vector<NodePlace> wanted_, old_;
  std::vector<LinkPlace> wanted_links_, old_links_;
};

}  // namespace

Arrangement arrange(const SignalFlowGraph& graph, const Flow& flow, const Budget& budget) {
  const Chains chains = chains_of(graph, flow);
  const Columns given = given_columns(graph, chains);
  Arrangement made;
  made.column.assign(graph.nodes().size(), 0);
  made.row.assign(graph.nodes().size(), 0);
  made.track.assign(graph.branches().size(), 0);
  made.straight.assign(graph.branches().size(), true);
  made.part.assign(graph.nodes().size(), 0);
  int next = 0;
  const std::size_t parts = chains.chains.empty() ? 0 : chains.chains.back().part + 1;
  for (std::size_t part = 0; part < parts; ++part) {
    const ArrangementSearch start(graph, flow, chains, given, part);
    std::optional<ArrangementSearch> best;
    for (int i = 0; i < search_starts; ++i) {
      ArrangementSearch search = start;
      search.run(static_cast<std::uint64_t>(i) + 1, budget);
      if (!best || search.cost() < best->cost()) best = std::move(search);
    }
    next = best->write(made, part == 0 ? best->top() : next);
  }
  return made;
}

}  // namespace sfg
