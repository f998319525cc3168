// A minimum feedback arc set alone would not do: in R -> a -> b -> C with C -> a and C -> b it turns the one branch
// a -> b and breaks the forward line. So branches are weighted by the forward paths through them first, and the order
// with the least weight against it is searched by moving single nodes.
#include "sfg/draw/graph/flow.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "sfg/draw/graph/wishes.hpp"
#include "sfg/draw/sifting.hpp"
#include "sfg/graph/components.hpp"

namespace sfg {
namespace {

using Weights = std::vector<std::vector<std::int64_t>>;

constexpr std::size_t path_step_limit = 20'000;  // of the search for forward paths: enough for any graph one can read
constexpr std::int64_t on_a_path = 1000;         // between a stated input and a stated output
constexpr std::int64_t on_another_path = 20;     // between any source and any sink
constexpr std::int64_t most_by_others = 400;
constexpr std::size_t most_from_file = 200;   // nodes: of more than one sees at once the order of the file is not tried
constexpr std::int64_t along_the_file = 30;   // from a node to one that the file names later
constexpr std::int64_t series_element = 500;  // from where signals are summed to where they are handed on

std::vector<NodeId> flow_starts(const SignalFlowGraph& graph) {
  std::vector<NodeId> inputs = graph.stated_inputs();
  if (inputs.empty() && !graph.nodes().empty()) inputs.push_back(NodeId{0});
  return inputs;
}

/// How many forward paths from these inputs to these outputs use each branch (parallel ones alike).
std::vector<std::int64_t> path_counts(const SignalFlowGraph& graph, const std::vector<NodeId>& inputs,
                                      const std::vector<NodeId>& outputs) {
  std::vector<std::int64_t> counts(graph.branches().size());
  std::vector<bool> on_path(graph.nodes().size()), is_output(graph.nodes().size());
  for (const NodeId output : outputs) is_output[output.index] = true;
  std::vector<BranchId> path;
  std::size_t steps = 0;
  const std::function<void(NodeId)> walk = [&](NodeId node) {
    if (++steps > path_step_limit) return;
    if (is_output[node.index]) {
      for (const BranchId branch : path) ++counts[branch.index];
      if (outputs.size() == 1) return;
    }
    on_path[node.index] = true;
    for (const BranchId branch : graph.leaving(node)) {
      const NodeId next = graph[branch].to;
      if (on_path[next.index]) continue;
      path.push_back(branch);
      walk(next);
      path.pop_back();
    }
    on_path[node.index] = false;
  };
  for (const NodeId input : inputs) walk(input);
  return counts;
}

bool in_series(const SignalFlowGraph& graph, const Branch& branch) {
  return graph.leaving(branch.from).size() == 1 && graph.entering(branch.to).size() == 1;
}

/// By node: the number of its strongly connected component.
std::vector<std::size_t> strong_parts(const SignalFlowGraph& graph) {
  std::vector<std::size_t> part(graph.nodes().size());
  const std::vector<std::vector<NodeId>> components = strong_components(graph);
  for (std::size_t p = 0; p < components.size(); ++p)
    for (const NodeId node : components[p]) part[node.index] = p;
  return part;
}

/// The branches that couple three or more equations nearly all with all, each solved by an element e_i -> x_i and with
/// sources as many: there is no order among the equations, so all couplings are feedback and the elements stand side by side.
std::vector<bool> couplings(const SignalFlowGraph& graph) {
  constexpr std::size_t fewest_equations = 3;
  constexpr double dense = 0.75;  // of all possible couplings; a chain of four has a half
  const std::vector<std::size_t> part = strong_parts(graph);
  std::vector<bool> result(graph.branches().size());
  for (std::size_t p = 0; p < part.size(); ++p) {
    std::vector<bool> tail(part.size()), head(part.size());
    std::set<std::pair<NodeId, NodeId>> coupled;
    std::set<NodeId> sources;
    std::size_t elements = 0;
    const auto inside = [&](const Branch& b) { return part[b.from.index] == p && part[b.to.index] == p; };
    for (const Branch& b : graph.branches())
      if (inside(b) && in_series(graph, b)) ++elements, tail[b.from.index] = head[b.to.index] = true;
    bool equations = elements >= fewest_equations;
    for (const Branch& b : graph.branches()) {
      if (part[b.to.index] == p && graph.entering(b.from).empty()) sources.insert(b.from);
      if (!inside(b) || in_series(graph, b)) continue;
      equations = equations && head[b.from.index] && tail[b.to.index];
      coupled.insert({b.from, b.to});
    }
    const double possible = static_cast<double>(elements) * static_cast<double>(elements - 1);
    if (!equations || sources.size() < elements || static_cast<double>(coupled.size()) < dense * possible) continue;
    for (const BranchId id : graph.branch_ids())
      if (inside(graph[id]) && !in_series(graph, graph[id])) result[id.index] = true;
  }
  return result;
}

Weights weights(const SignalFlowGraph& graph, const std::vector<std::int64_t>& counts, const std::vector<bool>& inverting,
                const std::vector<bool>& coupling) {
  const std::vector<std::int64_t> others = path_counts(graph, graph.sources(), graph.sinks());
  Weights w(graph.nodes().size(), std::vector<std::int64_t>(graph.nodes().size()));
  for (const BranchId id : graph.branch_ids()) {
    const Branch& branch = graph[id];
    if (branch.from != branch.to && !coupling[id.index])
      w[branch.from.index][branch.to.index] += (in_series(graph, branch) ? series_element : 0) + on_a_path * counts[id.index] +
                                               std::min(on_another_path * others[id.index], most_by_others) +
                                               (branch.from < branch.to ? along_the_file : 0) + (inverting[id.index] ? 9 : 10);
  }
  if (graph.sources().empty() && !graph.nodes().empty())  // a driven input is still drawn leftmost
    for (std::int64_t& leaving : w[flow_starts(graph).front().index]) leaving += on_a_path;
  return w;
}

/// Nodes as a depth-first search along the forward paths leaves them, then the others: a first order.
std::vector<std::size_t> first_order(const SignalFlowGraph& graph, const std::vector<std::int64_t>& counts) {
  std::vector<bool> seen(graph.nodes().size());
  std::vector<std::size_t> order, result;
  const std::function<void(NodeId, bool)> visit = [&](NodeId node, bool along_paths) {
    if (seen[node.index]) return;
    seen[node.index] = true;
    const auto leaving = graph.leaving(node);
    for (const BranchId branch : std::vector(leaving.rbegin(), leaving.rend()))
      if (!along_paths || counts[branch.index] > 0) visit(graph[branch].to, along_paths);
    order.push_back(node.index);
  };
  const auto from = [&](const std::vector<NodeId>& roots, bool along_paths) {
    for (const NodeId root : roots) {
      order.clear();
      visit(root, along_paths);
      result.insert(result.end(), order.rbegin(), order.rend());
    }
  };
  from(flow_starts(graph), true);
  from(graph.sources(), false);
  from(graph.node_ids(), false);
  return result;
}

/// The weights, and of orders that are as good the one in which the file names its nodes: an edit elsewhere then turns none.
Weights with_order_of_file(Weights w) {
  const auto pairs = static_cast<std::int64_t>(w.size() * w.size());
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t k = 0; k < w.size(); ++k) w[i][k] = w[i][k] * pairs + (i < k ? 1 : 0);
  return w;
}

/// The weight against an order.
std::int64_t against(const std::vector<std::size_t>& order, const Weights& w) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) sum += w[order[i]][order[k]];
  return sum;
}

/// w[i][k] − w[k][i], a tile at a time: of thousands of nodes a column of the weights is a cache miss an entry.
Weights differences(const Weights& w) {
  constexpr std::size_t tile = 32;
  Weights made = w;
  for (std::size_t top = 0; top < w.size(); top += tile)
    for (std::size_t left = 0; left < w.size(); left += tile)
      for (std::size_t i = top; i < std::min(top + tile, w.size()); ++i)
        for (std::size_t k = left; k < std::min(left + tile, w.size()); ++k) made[i][k] -= w[k][i];
  return made;
}

/// Moves single nodes as long as that lessens the weight against the order.
void improve(std::vector<std::size_t>& order, const Weights& w) {
  const Weights before = differences(w);  // what is lost when a node that stands before another comes behind it
  sift(order,
       [&](std::size_t node) { return [&before_others = before[node]](std::size_t other) { return before_others[other]; }; });
}

/// The same search with nodes in series as one: e_i and x_i move together.
void improve_by_elements(std::vector<std::size_t>& order, const SignalFlowGraph& graph, const Weights& w) {
  std::vector<std::optional<std::size_t>> next(order.size());
  std::vector<bool> starts(order.size(), true);
  for (const Branch& branch : graph.branches())
    if (branch.from != branch.to && in_series(graph, branch)) {
      next[branch.from.index] = branch.to.index;
      starts[branch.to.index] = false;
    }
  std::vector<std::vector<std::size_t>> elements;
  std::vector<bool> taken(order.size());
  for (const bool ring : {false, true})  // a ring of nodes in series has no first one
    for (const std::size_t node : order) {
      if (taken[node] || (!ring && !starts[node])) continue;
      elements.emplace_back();
      for (std::optional<std::size_t> n = node; n && !taken[*n]; n = next[*n]) {
        elements.back().push_back(*n);
        taken[*n] = true;
      }
    }
  Weights joined(elements.size(), std::vector<std::int64_t>(elements.size()));
  for (std::size_t a = 0; a < elements.size(); ++a)
    for (std::size_t b = 0; b < elements.size(); ++b)
      if (a != b)
        for (const std::size_t i : elements[a])
          for (const std::size_t k : elements[b]) joined[a][b] += w[i][k];
  std::vector<std::size_t> places(elements.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  improve(places, joined);
  order.clear();
  for (const std::size_t place : places) order.insert(order.end(), elements[place].begin(), elements[place].end());
}

/// The same order with no branch between two loops' parts against it: part after part, of those that may come next always
/// the one that stood first.
std::vector<std::size_t> by_parts(const std::vector<std::size_t>& order, const SignalFlowGraph& graph) {
  const std::vector<std::size_t> part = strong_parts(graph);
  std::vector<std::size_t> waiting(part.size());  // by part: branches from parts that are not placed yet
  for (const Branch& b : graph.branches())
    if (part[b.from.index] != part[b.to.index]) ++waiting[part[b.to.index]];
  std::vector<std::size_t> result;
  std::vector<bool> placed(part.size());
  while (result.size() < order.size()) {
    const auto next = std::ranges::find_if(order, [&](std::size_t n) { return !placed[part[n]] && waiting[part[n]] == 0; });
    const std::size_t p = part[*next];
    placed[p] = true;
    for (const std::size_t n : order) {
      if (part[n] != p) continue;
      result.push_back(n);
      for (const BranchId b : graph.leaving(NodeId{static_cast<std::uint32_t>(n)}))
        if (const std::size_t to = part[graph[b].to.index]; to != p) --waiting[to];
    }
  }
  return result;
}

/// A connected group of nodes off the forward paths, and what it hangs on.
struct Group {
  std::vector<std::size_t> nodes;
  std::size_t sources = 0;                 ///< that feed it alone
  bool ends_here = false;                  ///< it has a sink of its own
  std::optional<std::size_t> entry, exit;  ///< rightmost place it takes from, leftmost it gives to
  std::set<std::size_t> fed;               ///< nodes of forward paths it gives to

  /// It takes a signal from the right and gives it to the left. A group with several sources, or one source and several
  /// things to feed, is a part of the system like the main line.
  bool returns() const {
    return entry && exit && *exit <= *entry && !ends_here && (sources == 0 || (sources == 1 && fed.size() == 1));
  }
};

class Groups {
 public:
  Groups(const SignalFlowGraph& graph, const std::vector<std::int64_t>& counts, const std::vector<std::size_t>& position)
      : graph_(graph), position_(position), on_path_(graph.nodes().size()), off_(graph.nodes().size(), true) {
    for (const auto& nodes : {graph.stated_inputs(), graph.stated_outputs(), graph.sources(), graph.sinks()})
      for (const NodeId node : nodes) off_[node.index] = false;
    for (const BranchId id : graph.branch_ids()) {
      if (counts[id.index] == 0) continue;
      for (const NodeId end : {graph[id].from, graph[id].to}) {
        on_path_[end.index] = true;
        off_[end.index] = false;
      }
    }
  }

  std::vector<bool> returning() {
    std::vector<bool> result(off_.size());
    std::vector<bool> seen(off_.size());
    for (std::size_t first = 0; first < off_.size(); ++first) {
      if (!off_[first] || seen[first]) continue;
      const Group group = collect(first, seen);
      if (group.returns())
        for (const std::size_t node : group.nodes) result[node] = true;
    }
    return result;
  }

 private:
  Group collect(std::size_t first, std::vector<bool>& seen) const {
    Group group{.nodes = {first}, .entry = {}, .exit = {}, .fed = {}};
    std::set<std::size_t> sources;
    seen[first] = true;
    const auto meet = [&](std::size_t other) {
      if (off_[other] && !seen[other]) group.nodes.push_back(other), seen[other] = true;
      return on_path_[other];
    };
    for (std::size_t i = 0; i < group.nodes.size(); ++i) {
      const NodeId node{static_cast<std::uint32_t>(group.nodes[i])};
      for (const BranchId id : graph_.entering(node)) {
        const NodeId from = graph_[id].from;
        if (meet(from.index)) group.entry = std::max(group.entry.value_or(0), position_[from.index]);
        if (graph_.entering(from).empty()) sources.insert(from.index);
      }
      for (const BranchId id : graph_.leaving(node)) {
        const NodeId to = graph_[id].to;
        if (meet(to.index)) {
          group.exit = std::min(group.exit.value_or(position_[to.index]), position_[to.index]);
          group.fed.insert(to.index);
        }
        if (graph_.leaving(to).empty() && !on_path_[to.index]) group.ends_here = true;
      }
    }
    group.sources = sources.size();
    return group;
  }

  const SignalFlowGraph& graph_;
  const std::vector<std::size_t>& position_;
  std::vector<bool> on_path_;
  std::vector<bool> off_;
};

}  // namespace

bool Flow::feedback(const SignalFlowGraph& graph, BranchId branch) const {
  const Branch& b = graph[branch];
  const auto returns = [&](NodeId node, NodeId other) { return returning[node.index] && !graph.entering(other).empty(); };
  return against[branch.index] || returns(b.from, b.to) || returns(b.to, b.from);
}

namespace {

/// The nodes that state a rank change places among themselves until lower ranks come first.
std::vector<std::size_t> by_ranks(std::vector<std::size_t> order, const std::vector<std::optional<int>>& ranks) {
  if (ranks.empty()) return order;
  std::vector<std::size_t> ranked;
  for (const std::size_t node : order)
    if (ranks[node]) ranked.push_back(node);
  std::ranges::stable_sort(ranked, {}, [&](std::size_t node) { return *ranks[node]; });
  auto next = ranked.begin();
  for (std::size_t& node : order)
    if (ranks[node]) node = *next++;
  return order;
}

/// The nodes that these lead to, or that lead to these.
std::vector<bool> joined_to(const SignalFlowGraph& graph, std::vector<NodeId> nodes, bool forward) {
  std::vector<bool> joined(graph.nodes().size());
  for (const NodeId node : nodes) joined[node.index] = true;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const BranchId id : forward ? graph.leaving(nodes[i]) : graph.entering(nodes[i]))
      if (const NodeId next = forward ? graph[id].to : graph[id].from; !joined[next.index])
        joined[next.index] = true, nodes.push_back(next);
  return joined;
}

/// The flow where these branches lie on that many forward paths.
Flow flow_along(const SignalFlowGraph& graph, std::vector<std::int64_t> counts, const std::vector<bool>& inverting) {
  const std::vector<bool> coupling = couplings(graph);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (coupling[i]) counts[i] = 0;
  const bool side_by_side = std::ranges::find(coupling, true) != coupling.end();
  Weights w = weights(graph, counts, inverting, coupling);
  if (!side_by_side) w = with_order_of_file(std::move(w));
  std::vector<std::size_t> order, of_file(graph.nodes().size());
  std::iota(of_file.begin(), of_file.end(), std::size_t{0});
  for (std::vector<std::size_t> start : {first_order(graph, counts), of_file}) {
    if (!order.empty() && (side_by_side || order.size() > most_from_file)) break;
    improve_by_elements(start, graph, w);
    improve(start, w);
    if (order.empty() || against(start, w) < against(order, w)) order = std::move(start);
  }
  order = by_ranks(by_parts(order, graph), stated_ranks(graph));
  Flow result;
  result.position.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result.position[order[i]] = i;
  for (const Branch& branch : graph.branches())
    result.against.push_back(result.position[branch.from.index] >= result.position[branch.to.index]);
  for (std::size_t i = 0; i < coupling.size(); ++i)
    if (coupling[i]) result.against[i] = true;
  result.side_by_side = side_by_side;
  result.returning = Groups(graph, counts, result.position).returning();
  for (const BranchId id : graph.branch_ids())
    if (coupling[id.index]) result.returning[graph[id].from.index] = result.returning[graph[id].to.index] = false;
  return result;
}

/// Loops that no input leads to, or that lead to no output, as in the midst of an edit, with one branch more from the node before
/// them in the file, or to the next one behind them: they keep their place in the order.
SignalFlowGraph with_loops_joined(SignalFlowGraph graph) {
  const std::vector<bool> reached = joined_to(graph, graph.inputs, true), leading = joined_to(graph, graph.outputs, false);
  for (const std::vector<NodeId>& part : strong_components(graph)) {
    const bool fed = reached[part.front().index], led = leading[part.front().index];
    if (part.size() < 2 || fed == led) continue;
    std::optional<NodeId> before, behind;
    for (const NodeId node : graph.node_ids()) {
      if (node < part.front() && reached[node.index]) before = node;
      if (part.back() < node && leading[node.index] && !behind) behind = node;
    }
    if (!fed && before) graph.add_branch(*before, part.front(), 1);
    if (!led && behind) graph.add_branch(part.back(), *behind, 1);
  }
  return graph;
}

}  // namespace

Flow flow(const SignalFlowGraph& stated, std::vector<bool> inverting) {
  const SignalFlowGraph graph = with_loops_joined(stated);
  inverting.resize(graph.branches().size());
  Flow result = flow_along(graph, path_counts(graph, flow_starts(graph), graph.stated_outputs()), inverting);
  // An output in the midst of a long line: most of the graph would be a way back.
  if (2 * std::ranges::count(result.returning, true) > std::ssize(result.returning))
    result = flow_along(graph, std::vector<std::int64_t>(graph.branches().size()), inverting);
  for (std::size_t i = stated.branches().size(); i < graph.branches().size(); ++i)
    if (!result.against[i]) result.joined.emplace_back(graph.branches()[i].from, graph.branches()[i].to);
  result.against.resize(stated.branches().size());
  return result;
}

SignalFlowGraph bridged(const SignalFlowGraph& graph) {
  SignalFlowGraph made = graph;
  if (graph.inputs.empty() || graph.outputs.empty()) return made;
  const std::vector<bool> reached = joined_to(graph, graph.inputs, true), leading = joined_to(graph, graph.outputs, false);
  std::optional<NodeId> last, first;
  for (const NodeId node : graph.node_ids()) {
    if (reached[node.index] && leading[node.index]) return made;
    if (reached[node.index]) last = node;
    const bool output = std::ranges::find(graph.outputs, node) != graph.outputs.end();
    if (leading[node.index] && !output && !first) first = node;
  }
  made.add_branch(*last, first.value_or(graph.outputs.front()), 1);
  return made;
}

}  // namespace sfg
