// Loops and forward paths by Johnson's algorithm. A search for circuits through one start node blocks the nodes from
// which the start was not reached and unblocks them only when that may have changed, so that no dead end is searched
// twice for one circuit. Loops: the start runs over the nodes; each search is confined to the strongly connected
// component of the start among the nodes not yet done. Forward paths are the circuits through the source of the graph
// in which the sink has one branch, back to the source, and nothing else enters the source.
// The depth of a path is bounded by the number of nodes only, hence explicit stacks everywhere.
#include "sfg/graph/loops.hpp"

#include <ginac/mul.h>
#include <ginac/operators.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "sfg/graph/components.hpp"

namespace sfg {

namespace {

using Adjacency = std::vector<std::vector<std::uint32_t>>;  ///< successors, ascending, each once

Adjacency successors(const SignalFlowGraph& graph) {
  Adjacency next(graph.nodes().size());
  for (const Branch& branch : graph.branches()) next[branch.from.index].push_back(branch.to.index);
  for (auto& list : next) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return next;
}

/// Tarjan's algorithm on the nodes whose `region` is the given one; components come sinks first.
class Components {
 public:
  Components(const Adjacency& next, const std::vector<std::uint32_t>& region)
      : next_(next), region_(region), number_(next.size(), 0), low_(next.size(), 0), open_(next.size(), false) {}

  std::vector<std::vector<std::uint32_t>> of(std::span<const std::uint32_t> nodes) {
    found_.clear();
    count_ = 0;
    for (const std::uint32_t v : nodes) number_[v] = 0;
    for (const std::uint32_t v : nodes)
      if (number_[v] == 0) search(v);
    return std::move(found_);
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t branch;
  };

  void enter(std::uint32_t v) {
    number_[v] = low_[v] = ++count_;
    open_[v] = true;
    members_.push_back(v);
    frames_.push_back({v, 0});
  }

  void search(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t v = frame.node;
      if (frame.branch < next_[v].size()) {
        const std::uint32_t w = next_[v][frame.branch++];
        if (region_[w] != region_[v]) continue;
        if (number_[w] == 0)
          enter(w);
        else if (open_[w])
          low_[v] = std::min(low_[v], number_[w]);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[v]);
      if (low_[v] == number_[v]) close(v);
    }
  }

  void close(std::uint32_t root) {
    std::vector<std::uint32_t> component;
    std::uint32_t w = root;
    do {
      w = members_.back();
      members_.pop_back();
      open_[w] = false;
      component.push_back(w);
    } while (w != root);
    std::sort(component.begin(), component.end());
    found_.push_back(std::move(component));
  }

  const Adjacency& next_;
  const std::vector<std::uint32_t>& region_;
  std::vector<std::uint32_t> number_, low_;
  std::vector<bool> open_;
  std::vector<std::uint32_t> members_;
  std::vector<Frame> frames_;
  std::vector<std::vector<std::uint32_t>> found_;
  std::uint32_t count_ = 0;
};

/// Johnson's search for the circuits through a start node.
class CircuitSearch {
 public:
  CircuitSearch(const Adjacency& next, const std::function<bool(const Path&)>& visit, const Budget& budget)
      : next_(next), visit_(visit), budget_(budget), blocked_(next.size(), false), waiting_(next.size()) {}

  /// Visits the circuits through `start` on nodes of its region; false when the visitor stopped.
  bool through(std::uint32_t start, const std::vector<std::uint32_t>& region, std::span<const std::uint32_t> nodes) {
    for (const std::uint32_t v : nodes) {
      blocked_[v] = false;
      waiting_[v].clear();
    }
    enter(start);
    while (!frames_.empty()) {
      if ((++steps_ & 0xfff) == 0) budget_.check("the search for loops and paths");
      Frame& frame = frames_.back();
      const std::uint32_t v = frame.node;
      if (frame.branch == next_[v].size()) {
        leave(region);
        continue;
      }
      const std::uint32_t w = next_[v][frame.branch++];
      if (region[w] != region[start]) continue;
      if (w == start) {
        frame.closed = true;
        if (!visit_(path_)) return false;
      } else if (!blocked_[w]) {
        enter(w);
      }
    }
    return true;
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t branch;
    bool closed;
  };

  void enter(std::uint32_t v) {
    blocked_[v] = true;
    path_.nodes.push_back(NodeId{v});
    frames_.push_back({v, 0, false});
  }

  void leave(const std::vector<std::uint32_t>& region) {
    const Frame frame = frames_.back();
    frames_.pop_back();
    path_.nodes.pop_back();
    if (frame.closed) {
      unblock(frame.node);
      if (!frames_.empty()) frames_.back().closed = true;
      return;
    }
    for (const std::uint32_t w : next_[frame.node]) {
      auto& list = waiting_[w];
      if (region[w] == region[frame.node] && std::find(list.begin(), list.end(), frame.node) == list.end())
        list.push_back(frame.node);
    }
  }

  void unblock(std::uint32_t start) {
    released_.assign(1, start);
    while (!released_.empty()) {
      const std::uint32_t v = released_.back();
      released_.pop_back();
      if (!blocked_[v]) continue;
      blocked_[v] = false;
      released_.insert(released_.end(), waiting_[v].begin(), waiting_[v].end());
      waiting_[v].clear();
    }
  }

  const Adjacency& next_;
  const std::function<bool(const Path&)>& visit_;
  const Budget& budget_;
  std::vector<bool> blocked_;
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< nodes to unblock with this one
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> released_;
  Path path_;
  std::uint64_t steps_ = 0;
};

std::vector<std::uint32_t> all_nodes(std::size_t count) {
  std::vector<std::uint32_t> nodes(count);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes[i] = i;
  return nodes;
}

bool has_loop(const Adjacency& next, std::span<const std::uint32_t> component) {
  return component.size() > 1 || std::binary_search(next[component[0]].begin(), next[component[0]].end(), component[0]);
}

}  // namespace

void for_each_loop(const SignalFlowGraph& graph, const std::function<bool(const Path&)>& visit, const Budget& budget) {
  const Adjacency next = successors(graph);
  std::vector<std::uint32_t> region(next.size(), 0);
  Components components(next, region);
  CircuitSearch search(next, visit, budget);
  constexpr std::uint32_t done = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t regions = 0;

  // Components that still have loops, by their earliest node: a component is taken apart by removing that node.
  const auto later = [](const auto& a, const auto& b) { return a.front() > b.front(); };
  std::vector<std::vector<std::uint32_t>> open;
  const auto add_components_of = [&](std::span<const std::uint32_t> nodes) {
    for (auto& component : components.of(nodes)) {
      ++regions;
      for (const std::uint32_t v : component) region[v] = regions;
      if (!has_loop(next, component)) continue;
      open.push_back(std::move(component));
      std::push_heap(open.begin(), open.end(), later);
    }
  };
  add_components_of(all_nodes(next.size()));
  while (!open.empty()) {
    budget.check("the search for loops");
    std::pop_heap(open.begin(), open.end(), later);
    const std::vector<std::uint32_t> component = std::move(open.back());
    open.pop_back();
    if (!search.through(component.front(), region, component)) return;
    region[component.front()] = done;
    add_components_of(std::span(component).subspan(1));
  }
}

void for_each_path(const SignalFlowGraph& graph, NodeId source, NodeId sink, const std::function<bool(const Path&)>& visit,
                   const Budget& budget) {
  if (source == sink) {
    visit(Path{{source}});
    return;
  }
  Adjacency next = successors(graph);
  for (auto& list : next) std::erase(list, source.index);
  next.at(sink.index) = {source.index};
  const std::vector<bool> useful = reaching(graph, sink);
  std::vector<std::uint32_t> region(next.size());
  for (std::size_t v = 0; v < region.size(); ++v) region[v] = useful[v] ? 1 : 0;
  if (!useful.at(source.index)) return;
  CircuitSearch(next, visit, budget).through(source.index, region, all_nodes(next.size()));
}

std::vector<Path> loops(const SignalFlowGraph& graph, const Budget& budget) {
  std::vector<Path> found;
  const auto collect = [&](const Path& loop) {
    if (found.size() == budget.limits().terms)
      throw LimitReached("the graph has more than " + std::to_string(budget.limits().terms) + " loops",
                         Advice::raise_term_limit | Advice::list_some | Advice::ask_unlisted);
    found.push_back(loop);
    return true;
  };
  for_each_loop(graph, collect, budget);
  return found;
}

GiNaC::ex path_gain(const SignalFlowGraph& graph, const Path& path) {
  GiNaC::exvector factors;
  for (std::size_t i = 0; i + 1 < path.nodes.size(); ++i) {
    GiNaC::ex sum = 0;
    for (const BranchId id : graph.leaving(path.nodes[i]))
      if (graph[id].to == path.nodes[i + 1]) sum += graph[id].gain();
    factors.push_back(sum);
  }
  return GiNaC::mul(factors);
}

GiNaC::ex loop_gain(const SignalFlowGraph& graph, const Path& loop) {
  Path closed = loop;
  if (!loop.nodes.empty()) closed.nodes.push_back(loop.nodes.front());
  return path_gain(graph, closed);
}

GiNaC::ex BranchBundle::gain(const SignalFlowGraph& graph) const {
  GiNaC::ex sum = 0;
  for (const BranchId id : branches) sum += graph[id].gain();
  return sum;
}

std::vector<BranchBundle> bundles(const SignalFlowGraph& graph) {
  std::vector<BranchId> order = graph.branch_ids();
  const auto ends = [&](BranchId id) { return std::pair(graph[id].from, graph[id].to); };
  std::stable_sort(order.begin(), order.end(), [&](BranchId a, BranchId b) { return ends(a) < ends(b); });
  std::vector<BranchBundle> found;
  for (const BranchId id : order) {
    if (found.empty() || std::pair(found.back().from, found.back().to) != ends(id))
      found.push_back({graph[id].from, graph[id].to, {}});
    found.back().branches.push_back(id);
  }
  return found;
}

}  // namespace sfg
