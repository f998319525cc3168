#include "sfg/graph/rewrite.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "sfg/graph/draft.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {

namespace {

bool contains(std::span<const NodeId> ids, NodeId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

std::string quoted(const SignalFlowGraph& graph, NodeId id) { return "'" + graph[id].name + "'"; }

void require_node(const SignalFlowGraph& graph, NodeId id, const char* function) {
  if (id.index >= graph.nodes().size()) throw std::out_of_range(std::string(function) + ": not a node of this graph");
}

/// Ports must stay: their signals are what the graph is asked for.
void require_inner(const SignalFlowGraph& graph, NodeId node, const std::string& wish, RewriteOptions::Ends ends) {
  const bool stated = ends == RewriteOptions::Ends::stated;
  if (contains(stated ? graph.inputs : graph.stated_inputs(), node))
    throw Error(graph[node].where, "the node " + quoted(graph, node) + " is an input and cannot be " + wish,
                "name an inner node");
  if (contains(stated ? graph.outputs : graph.stated_outputs(), node))
    throw Error(graph[node].where, "the node " + quoted(graph, node) + " is an output and cannot be " + wish,
                "name an inner node");
}

/// By node: a nonlinear branch that enters or leaves it, or whose law has it as a further argument.
struct NonlinearEnds {
  std::vector<const Branch*> branch, argument_of;
};
NonlinearEnds nonlinear_ends(const SignalFlowGraph& graph) {
  NonlinearEnds ends{std::vector<const Branch*>(graph.nodes().size()), std::vector<const Branch*>(graph.nodes().size())};
  for (const Branch& branch : graph.branches()) {
    if (branch.linear()) continue;
    ends.branch[branch.from.index] = ends.branch[branch.to.index] = &branch;
    for (const auto& argument : std::get<Nonlinearity>(branch.law).arguments)
      ends.branch[argument.node.index] = ends.argument_of[argument.node.index] = &branch;
  }
  return ends;
}

GiNaC::ex self_loop(const SignalFlowGraph& graph, NodeId node) { return gain_between(graph, node, node); }

[[noreturn]] void refuse_unit_loop(const SignalFlowGraph& graph, NodeId node, const std::string& wish) {
  throw NoAnswer("the self-loop of " + quoted(graph, node) +
                     " has gain 1: its own equation does not determine the signal, so it cannot be " + wish,
                 "eliminate other nodes first, or invert a loop through it", graph[node].where);
}

/// What enters the node, self-loops apart, times the factor.
/// @param own_modes  of the self-loops that stood beside it
void multiply_entering(Draft& draft, const SignalFlowGraph& graph, NodeId node, const GiNaC::ex& factor,
                       const GiNaC::ex& own_modes = 1) {
  for (BranchId id : graph.entering(node)) {
    const Branch& branch = graph[id];
    if (branch.linear()) {
      const GiNaC::ex cleared = draft.modes().common_multiple(draft.modes().of(branch), own_modes) / factor;
      if (branch.from != node) draft.set_gain(id, branch.gain() * factor, cleared);
    } else if (factor.has(graph.op.in(graph.symbols))) {
      throw Error(nonlinear(graph, branch, ": it cannot take the factor of " + quoted(graph, node),
                            "do it at a node without nonlinear branches"));
    } else {
      draft.set_law(id, std::get<Nonlinearity>(branch.law).law * factor);
    }
  }
}

/// Gains from or to each neighbour, parallel branches added, in the order of the branches.
struct Neighbour {
  NodeId node;
  GiNaC::ex gain;
  SourceSpan where;
};
std::vector<Neighbour> neighbours(const SignalFlowGraph& graph, NodeId node, bool entering) {
  std::vector<Neighbour> result;
  for (BranchId id : entering ? graph.entering(node) : graph.leaving(node)) {
    const Branch& branch = graph[id];
    const NodeId other = entering ? branch.from : branch.to;
    if (other == node || !branch.linear()) continue;
    const auto known = std::find_if(result.begin(), result.end(), [&](const Neighbour& n) { return n.node == other; });
    if (known != result.end())
      known->gain += branch.gain();
    else
      result.push_back({other, branch.gain(), branch.where});
  }
  return result;
}

/// Shortest loop inside the candidates, its first node repeated at the end; empty when there is none.
std::vector<NodeId> shortest_loop(const SignalFlowGraph& graph, std::span<const NodeId> candidates) {
  std::vector<NodeId> best;
  for (NodeId start : candidates) {
    std::map<NodeId, NodeId> previous;
    std::vector<NodeId> queue{start};
    for (std::size_t i = 0; i < queue.size() && !previous.contains(start); ++i)
      for (const Neighbour& next : neighbours(graph, queue[i], false)) {
        if (!contains(candidates, next.node) || previous.contains(next.node) || is_zero_function(next.gain)) continue;
        previous.emplace(next.node, queue[i]);
        queue.push_back(next.node);
      }
    if (!previous.contains(start)) continue;
    std::vector<NodeId> loop{start};
    for (NodeId node = previous.at(start); node != start; node = previous.at(node)) loop.push_back(node);
    loop.push_back(start);
    std::reverse(loop.begin(), loop.end());
    if (best.empty() || loop.size() < best.size()) best = std::move(loop);
  }
  return best;
}

}  // namespace

GiNaC::ex gain_between(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  GiNaC::ex sum = 0;
  for (BranchId id : graph.leaving(from))
    if (graph[id].to == to && graph[id].linear()) sum += graph[id].gain();
  return sum;
}

SignalFlowGraph without_node(const SignalFlowGraph& graph, NodeId node, const RewriteOptions& options) {
  require_node(graph, node, "without_node");
  require_inner(graph, node, "eliminated", options.ends);
  Draft draft(graph, options);
  const NonlinearEnds ends = nonlinear_ends(graph);
  if (graph.leaving(node).empty() && ends.argument_of[node.index] == nullptr) {
    draft.remove(node);
    return draft.graph();
  }
  if (const Branch* branch = ends.branch[node.index])
    throw Error(
        nonlinear(graph, *branch, ": " + quoted(graph, node) + " cannot be eliminated", "keep both ends of nonlinear branches"));
  const GiNaC::ex return_difference = 1 - self_loop(graph, node);
  if (is_zero_function(return_difference)) refuse_unit_loop(graph, node, "eliminated");
  const auto heads = neighbours(graph, node, false);
  const GainModes& modes = draft.modes();
  const GiNaC::ex own = modes.between(node, node);
  for (const Neighbour& tail : neighbours(graph, node, true)) {
    options.budget.check("the elimination of nodes");
    const GiNaC::ex row = modes.common_multiple(modes.between(tail.node, node), own) * return_difference;
    for (const Neighbour& head : heads)
      draft.add_gain(tail.node, head.node, tail.gain * head.gain / return_difference, modes.in_place_of(node, head.node, row),
                     tail.where);
  }
  draft.remove(node);
  return draft.graph();
}

SignalFlowGraph asked_for(const SignalFlowGraph& graph, std::span<const NodeId> kept) {
  SignalFlowGraph result = graph;
  result.inputs = graph.stated_inputs();
  result.outputs = graph.stated_outputs();
  std::erase_if(result.inputs, [&](NodeId id) { return !contains(kept, id); });
  std::erase_if(result.outputs, [&](NodeId id) { return !contains(kept, id); });
  if (!result.outputs.empty()) return result;
  for (NodeId id : kept)
    if (!contains(result.inputs, id)) result.outputs.push_back(id);
  return result;
}

std::vector<NodeId> next_elimination(const SignalFlowGraph& graph, std::span<const NodeId> kept) {
  std::vector<NodeId> candidates;
  const NonlinearEnds ends = nonlinear_ends(graph);
  const Branch* nonlinear = nullptr;
  for (NodeId id : graph.node_ids()) {
    if (contains(kept, id)) continue;
    if (graph.leaving(id).empty() && ends.argument_of[id.index] == nullptr) return {id};
    if (const Branch* branch = ends.branch[id.index])
      nonlinear = branch;
    else
      candidates.push_back(id);
  }
  auto new_branches = [&](NodeId id) { return neighbours(graph, id, true).size() * neighbours(graph, id, false).size(); };
  std::vector<std::pair<std::size_t, NodeId>> order;
  for (NodeId id : candidates) order.emplace_back(new_branches(id), id);
  std::sort(order.begin(), order.end());
  for (const auto& [cost, id] : order)
    if (!is_zero_function(1 - self_loop(graph, id))) return {id};
  if (auto loop = shortest_loop(graph, candidates); !loop.empty()) return loop;
  if (!candidates.empty()) {
    std::string names;
    for (NodeId id : candidates) names += (names.empty() ? "" : ", ") + quoted(graph, id);
    throw NoAnswer("the kept nodes do not determine " + names + ": the determinant of the loops among them is 0",
                   "keep one of these nodes too", graph[candidates.front()].where);
  }
  if (nonlinear != nullptr)
    throw Error(sfg::nonlinear(graph, *nonlinear, ": its ends cannot be eliminated", "keep both ends of nonlinear branches"));
  return {};
}

SignalFlowGraph without_self_loop(const SignalFlowGraph& graph, NodeId node, const RewriteOptions& options) {
  require_node(graph, node, "without_self_loop");
  const GiNaC::ex l = self_loop(graph, node);
  if (contains(graph.stated_inputs(), node))
    throw Error(graph[node].where,
                "the node " + quoted(graph, node) + " is an input: its self-loop acts on the signal added there",
                "absorb self-loops of other nodes");
  if (is_zero_function(1 - l)) refuse_unit_loop(graph, node, "absorbed");
  Draft draft(graph, options);
  const GiNaC::ex own = draft.modes().between(node, node);
  for (BranchId id : graph.entering(node))
    if (graph[id].from == node && graph[id].linear()) draft.remove(id);
  multiply_entering(draft, graph, node, 1 / (1 - l), own);
  return draft.graph();
}

SignalFlowGraph with_self_loop(const SignalFlowGraph& graph, NodeId node, const GiNaC::ex& l, const RewriteOptions& options) {
  require_node(graph, node, "with_self_loop");
  if (is_zero_function(1 - l)) refuse_unit_loop(graph, node, "given that self-loop");
  if (!self_loop(graph, node).is_zero())
    throw Error(graph[node].where, "the node " + quoted(graph, node) + " has a self-loop already", "absorb it first");
  Draft draft(graph, options);
  multiply_entering(draft, graph, node, 1 - l);
  draft.add_branch(node, node, l, graph[node].where);
  return draft.graph();
}

SignalFlowGraph merged_parallel(const SignalFlowGraph& graph, NodeId from, NodeId to, const RewriteOptions& options) {
  Draft draft(graph, options);
  std::optional<BranchId> first;
  for (BranchId id : graph.leaving(from)) {
    if (graph[id].to != to || !graph[id].linear()) continue;
    if (first)
      draft.remove(id);
    else
      first = id;
  }
  if (first) draft.set_gain(*first, gain_between(graph, from, to), draft.modes().between(from, to));
  return draft.graph();
}

std::vector<std::pair<NodeId, NodeId>> parallel_pairs(const SignalFlowGraph& graph) {
  std::map<std::pair<NodeId, NodeId>, std::size_t> count;
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (const Branch& branch : graph.branches())
    if (branch.linear() && ++count[{branch.from, branch.to}] == 2) pairs.emplace_back(branch.from, branch.to);
  return pairs;
}

std::optional<NodeId> series_node(const SignalFlowGraph& graph) {
  const auto inputs = graph.stated_inputs();
  const auto outputs = graph.stated_outputs();
  for (NodeId id : graph.node_ids()) {
    const auto entering = graph.entering(id);
    const auto leaving = graph.leaving(id);
    if (entering.size() == 1 && leaving.size() == 1 && entering.front() != leaving.front() && graph[entering.front()].linear() &&
        graph[leaving.front()].linear() && !contains(inputs, id) && !contains(outputs, id))
      return id;
  }
  return std::nullopt;
}

SignalFlowGraph with_node(const SignalFlowGraph& graph, BranchId id, std::string_view name, const GiNaC::ex& first,
                          const RewriteOptions& options) {
  const Branch& branch = graph[id];
  if (graph.find(name)) throw std::invalid_argument("with_node: there is a node '" + std::string(name) + "' already");
  if (!branch.linear()) throw Error(nonlinear(graph, branch, " and cannot be cut in two", "cut a linear one"));
  if (is_zero_function(first)) throw Error(branch.where, "a branch cannot be cut with a first gain of 0", "give another gain");
  Draft draft(graph, options);
  const NodeId middle = draft.add_node({std::string(name), branch.where, {}});
  draft.move(id, branch.from, middle);
  draft.set_gain(id, first);
  draft.add_branch(middle, branch.to, branch.gain() / first, branch.where);
  return draft.graph();
}

}  // namespace sfg
