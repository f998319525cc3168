#include "sfg/control/open_loop.hpp"

#include <ginac/ginac.h>

#include <set>

#include "sfg/error.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {

namespace {

/// What was between two nodes.
struct Cut {
  GiNaC::ex gain = 0;
  SourceSpan where = {};
  GiNaC::ex hidden = 1;

  Branch branch(NodeId from, NodeId to, int sign) const {
    Branch made{from, to, GiNaC::ex(sign * gain), where, {}};
    keep_hidden_modes(made, hidden);
    return made;
  }
};

/// The branches of the graph added to `open`, which has its nodes, without those that are cut.
Cut add_all_but(SignalFlowGraph& open, const SignalFlowGraph& graph, LoopPlace place) {
  Cut cut;
  bool found = false;
  for (const Branch& branch : graph.branches()) {
    if (branch.from != place.from || branch.to != place.to) {
      open.add_branch(branch);
      continue;
    }
    if (!branch.linear()) throw Error(nonlinear(graph, branch, " and cannot be cut", "cut the loop at a branch with a gain"));
    cut.gain += branch.gain();
    cut.hidden *= hidden_modes(branch, graph.symbols);
    cut.where = branch.where;
    found = true;
  }
  if (!found)
    throw Error(graph.where, "there is no branch '" + graph[place.from].name + "' -> '" + graph[place.to].name + "'",
                Advice::list_loops);
  return cut;
}

/// The nodes of the graph, those called otherwise that have one of these names.
SignalFlowGraph with_names_free(const SignalFlowGraph& graph, const std::set<std::string>& free) {
  SignalFlowGraph result = SignalFlowGraph::like(graph);
  std::set<std::string> taken = free;
  for (const Node& node : graph.nodes()) taken.insert(node.name);
  for (Node node : graph.nodes()) {
    if (free.contains(node.name)) {
      while (taken.contains(node.name)) node.name += '_';
      taken.insert(node.name);
    }
    result.add_node(std::move(node));
  }
  return result;
}

}  // namespace

OpenLoop open_loop(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  OpenLoop result;
  SignalFlowGraph& open = result.graph = SignalFlowGraph::like_with_nodes(graph);
  const Cut cut = add_all_but(open, graph, {from, to});
  std::string name = "loop at " + graph[to].name;
  while (open.find(name)) name += "_";
  const NodeId source = open.add_node({name, cut.where, {}});
  open.add_branch(cut.branch(source, to, -1));
  open.inputs = {source};
  open.outputs = {from};
  result.question = {source, from, Question::Mode::source, {}};
  return result;
}

OpenLoop open_loop(const SignalFlowGraph& graph, NodeId at) {
  const LoopPlace place = loop_place(graph, at);
  return open_loop(graph, place.from, place.to);
}

LoopPlace loop_place(const SignalFlowGraph& graph, NodeId at) {
  const auto entering = graph.entering(at), leaving = graph.leaving(at);
  if (entering.size() == 1) return {graph[entering.front()].from, at};
  if (leaving.size() == 1) return {at, graph[leaving.front()].to};
  const std::string& name = graph[at].name;
  throw Error(graph[at].where,
              "node '" + name + "' has " + std::to_string(entering.size()) + " entering and " + std::to_string(leaving.size()) +
                  " leaving branches: where the loop is opened is not clear",
              Remedy("name a branch by its two ends") | Advice::list_loops);
}

std::string name_of(LoopAnswer answer) {
  switch (answer) {
    case LoopAnswer::loop: return "loop";
    case LoopAnswer::sensitivity: return "sensitivity";
    case LoopAnswer::complementary: break;
  }
  return "complementary";
}

std::optional<LoopAnswer> loop_answer(std::string_view name) {
  for (const LoopAnswer answer : {LoopAnswer::loop, LoopAnswer::sensitivity, LoopAnswer::complementary})
    if (name == name_of(answer)) return answer;
  return {};
}

SignalFlowGraph opened(const SignalFlowGraph& graph, LoopPlace place) {
  SignalFlowGraph open = SignalFlowGraph::like_with_nodes(graph);
  open.inputs = graph.inputs;
  open.outputs = graph.outputs;
  add_all_but(open, graph, place);
  return open;
}

namespace {

/// Nodes that are reached from one along branches, or against them.
std::vector<bool> reached(const SignalFlowGraph& graph, NodeId start, bool forward) {
  std::vector<bool> seen(graph.nodes().size());
  std::vector<NodeId> open{start};
  seen[start.index] = true;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const BranchId id : forward ? graph.leaving(node) : graph.entering(node)) {
      const NodeId next = forward ? graph[id].to : graph[id].from;
      if (!seen[next.index]) open.push_back(next);
      seen[next.index] = true;
    }
  }
  return seen;
}

}  // namespace

bool passes_through_loop(const SignalFlowGraph& graph, const Question& question) {
  const std::vector<bool> after = reached(graph, question.input, true), before = reached(graph, question.output, false);
  const auto between = [&](NodeId node) { return after[node.index] && before[node.index]; };
  std::vector<std::size_t> entering(graph.nodes().size());  // branches between nodes on the way; what can be taken away from
  std::size_t left = 0;                                     // the front, node by node, is free of loops
  std::vector<NodeId> front;
  for (const Branch& branch : graph.branches())
    if (between(branch.from) && between(branch.to)) ++entering[branch.to.index];
  for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId node{i};
    if (!between(node)) continue;
    ++left;
    if (entering[i] == 0) front.push_back(node);
  }
  while (!front.empty()) {
    const NodeId node = front.back();
    front.pop_back();
    --left;
    for (const BranchId id : graph.leaving(node))
      if (between(graph[id].to) && --entering[graph[id].to.index] == 0) front.push_back(graph[id].to);
  }
  return left > 0;
}

void require_loop(const SignalFlowGraph& graph, LoopPlace place) {
  if (reached(graph, place.to, true)[place.from.index]) return;
  SourceSpan where = graph.where;
  for (const BranchId id : graph.leaving(place.from))
    if (graph[id].to == place.to) where = graph[id].where;
  throw Error(where,
              "the branch '" + graph[place.from].name + "' -> '" + graph[place.to].name +
                  "' closes no loop: no way leads back from '" + graph[place.to].name + "' to '" + graph[place.from].name + "'",
              Advice::list_loops);
}

SignalFlowGraph loop_graph(const SignalFlowGraph& graph, LoopPlace place, LoopAnswer of, const std::string& where) {
  std::string word = name_of(of);
  while (word == where) word += '_';
  SignalFlowGraph result = with_names_free(graph, {where, word});
  const Cut cut = add_all_but(result, graph, place);
  require_loop(graph, place);
  const NodeId input = result.add_node({where, cut.where, {}}), output = result.add_node({word, cut.where, {}});
  if (of == LoopAnswer::sensitivity) {  // e = r − y drives what the branch drove, so that y = L e
    result.add_branch(input, output, 1, cut.where);
    result.add_branch(place.from, output, -1, cut.where);
    result.add_branch(cut.branch(output, place.to, -1));
  } else {
    if (of == LoopAnswer::complementary) result.add_branch(cut.branch(place.from, place.to, 1));
    result.add_branch(cut.branch(input, place.to, -1));
    result.add_branch(place.from, output, 1, cut.where);
  }
  result.inputs = {input};
  result.outputs = {output};
  return result;
}

}  // namespace sfg
