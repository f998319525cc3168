// The rewritings that turn branches round or rename a signal: inversion, transposition, scaling, splitting.
#include <ginac/ginac.h>

#include <algorithm>
#include <stdexcept>

#include "sfg/graph/draft.hpp"
#include "sfg/graph/inspect.hpp"
#include "sfg/graph/rewrite.hpp"

namespace sfg {

namespace {

std::string arrow(const SignalFlowGraph& graph, NodeId from, NodeId to) { return graph[from].name + " -> " + graph[to].name; }

void check_path(const SignalFlowGraph& graph, std::span<const NodeId> path) {
  if (path.size() < 2)
    throw Error(graph.where, "a path to invert needs two nodes or more", "name them in the direction of the branches");
  for (NodeId id : path)
    if (id.index >= graph.nodes().size()) throw std::out_of_range("inverted: not a node of this graph");
  const bool loop = path.front() == path.back();
  std::vector<NodeId> sorted(path.begin(), path.end() - (loop ? 1 : 0));
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw Error(graph[*twice].where, "the path to invert passes '" + graph[*twice].name + "' twice",
                "a path has every node once");
  if (!loop && !graph.entering(path.front()).empty())
    throw Error(graph[path.front()].where, "the path to invert starts at '" + graph[path.front()].name + "', which is no source",
                "start at a source, or invert a whole loop by naming its first node again at the end");
}

/// The gain of one branch of the path, refused when it cannot be turned round.
GiNaC::ex turnable_gain(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  bool any = false;
  for (BranchId id : graph.leaving(from)) {
    if (graph[id].to != to) continue;
    any = true;
    if (!graph[id].linear()) throw Error(nonlinear(graph, graph[id], " and cannot be inverted", "choose another path"));
  }
  if (!any)
    throw Error(graph[from].where, "there is no branch " + arrow(graph, from, to) + " to invert",
                "name the nodes of a path in order");
  GiNaC::ex gain = gain_between(graph, from, to);
  if (is_zero_function(gain))
    throw Error(graph[from].where, "the branch " + arrow(graph, from, to) + " has gain 0 and cannot be inverted");
  return gain;
}

/// Turns one branch from → to of the path: the equation of `to` gives `from`.
void turn(Draft& draft, const SignalFlowGraph& graph, NodeId from, NodeId to) {
  const GiNaC::ex t = turnable_gain(graph, from, to);
  const GiNaC::ex own = from == to ? GiNaC::ex(0) : gain_between(graph, to, to);
  const GainModes& modes = draft.modes();
  const GiNaC::ex cleared = modes.between(from, to) * t;  // the same equation, solved for another signal
  bool turned = false;
  for (BranchId id : graph.entering(to)) {
    const Branch& branch = graph[id];
    if (branch.from == from && !turned) {
      turned = true;
      draft.move(id, to, from);
      draft.set_gain(id, (1 - own) / t, from == to ? cleared : modes.common_multiple(cleared, modes.between(to, to) * t));
    } else if (branch.from == from || (branch.from == to && branch.linear())) {
      draft.remove(id);
    } else if (branch.linear()) {
      draft.move(id, branch.from, from);
      draft.set_gain(id, -branch.gain() / t, modes.common_multiple(cleared, modes.of(branch) * t));
    } else if (t.has(graph.op.in(graph.symbols))) {
      throw Error(nonlinear(graph, branch, " and cannot be divided by a gain that depends on " + graph.op.symbol(),
                            "choose another path"));
    } else {
      draft.move(id, branch.from, from);
      draft.set_law(id, -std::get<Nonlinearity>(branch.law).law / t);
    }
  }
}

}  // namespace

SignalFlowGraph inverted(const SignalFlowGraph& graph, std::span<const NodeId> path, const RewriteOptions& options) {
  check_path(graph, path);
  Draft draft(graph, options);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) turn(draft, graph, path[i], path[i + 1]);
  if (path.front() == path.back()) return draft.graph();
  std::replace(draft.inputs.begin(), draft.inputs.end(), path.front(), path.back());
  std::replace(draft.outputs.begin(), draft.outputs.end(), path.back(), path.front());
  return draft.graph();
}

SignalFlowGraph transposed(const SignalFlowGraph& graph) {
  Draft draft(graph, {});
  for (BranchId id : graph.branch_ids()) {
    const Branch& branch = graph[id];
    if (!branch.linear()) throw Error(nonlinear(graph, branch, ": the graph has no transpose", "transpose a linear graph"));
    draft.move(id, branch.to, branch.from);
  }
  SignalFlowGraph result = draft.graph(false);
  result.inputs = graph.outputs;
  result.outputs = graph.inputs;
  return result;
}

SignalFlowGraph scaled(const SignalFlowGraph& graph, NodeId node, const GiNaC::ex& k, const RewriteOptions& options) {
  if (is_zero_function(k))
    throw Error(graph[node].where, "the signal '" + graph[node].name + "' cannot be scaled by 0", "give another factor");
  const bool constant = !k.has(graph.op.in(graph.symbols));
  Draft draft(graph, options);
  GiNaC::exmap smaller;
  for (const char* name : {"u", "v"})
    if (const Symbol* argument = graph.symbols.find(name)) smaller[argument->expr] = argument->expr / k;
  for (BranchId id : graph.branch_ids()) {
    const Branch& branch = graph[id];
    const bool enters = branch.to == node;
    const bool leaves = branch.from == node;
    if (branch.linear()) {
      if (enters && !leaves) draft.set_gain(id, branch.gain() * k, draft.modes().of(branch));
      if (leaves && !enters) draft.set_gain(id, branch.gain() / k);  // what that loses, the branches before it have by k
    } else {
      GiNaC::exmap inside = leaves ? smaller : GiNaC::exmap();
      for (const auto& argument : std::get<Nonlinearity>(branch.law).arguments)
        if (argument.node == node)
          for (const GiNaC::ex& symbol : {argument.signal, argument.rate}) inside[symbol] = symbol / k;
      if (!enters && !leaves && inside.empty()) continue;
      if (!constant)
        throw Error(
            nonlinear(graph, branch, " and cannot take a factor that depends on " + graph.op.symbol(), "scale by a constant"));
      const GiNaC::ex law = std::get<Nonlinearity>(branch.law).law.subs(inside, GiNaC::subs_options::no_pattern);
      draft.set_law(id, enters ? law * k : law);
    }
  }
  return draft.graph();
}

SignalFlowGraph split(const SignalFlowGraph& graph, NodeId node) {
  Draft draft(graph, {});
  Node end = graph[node];
  end.name = free_name(graph, graph[node].name + "_sink");
  draft.node(node).name = free_name(graph, graph[node].name + "_source");
  const NodeId sink = draft.add_node(std::move(end));
  for (BranchId id : graph.entering(node)) draft.move(id, graph[id].from, sink);
  std::replace(draft.outputs.begin(), draft.outputs.end(), node, sink);
  return draft.graph(false);
}

SignalFlowGraph joined(const SignalFlowGraph& graph, NodeId source, NodeId sink, std::string_view name) {
  if (!graph.entering(source).empty()) throw std::invalid_argument("joined: '" + graph[source].name + "' is no source");
  if (!graph.leaving(sink).empty()) throw std::invalid_argument("joined: '" + graph[sink].name + "' is no sink");
  if (const auto known = graph.find(name); known && known != source && known != sink)
    throw std::invalid_argument("joined: there is a node '" + std::string(name) + "' already");
  Draft draft(graph, {});
  draft.node(source).name = std::string(name);
  for (BranchId id : graph.entering(sink)) draft.move(id, graph[id].from == sink ? source : graph[id].from, source);
  std::replace(draft.outputs.begin(), draft.outputs.end(), sink, source);
  draft.remove(sink);
  return draft.graph(false);
}

SignalFlowGraph with_output_sink(const SignalFlowGraph& graph, NodeId node) {
  Draft draft(graph, {});
  Node end = graph[node];
  draft.node(node).name = free_name(graph, end.name + "_inner");
  const NodeId sink = draft.add_node(std::move(end));
  draft.add_branch(node, sink, 1, graph[node].where);
  std::replace(draft.outputs.begin(), draft.outputs.end(), node, sink);
  return draft.graph();
}

}  // namespace sfg
