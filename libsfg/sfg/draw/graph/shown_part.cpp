#include "sfg/draw/graph/layout.hpp"

#include <algorithm>
#include <utility>

namespace sfg {
namespace {

constexpr std::size_t dense = 150;  // branches, from which on a picture shows rather too much

std::vector<bool> needed(const SignalFlowGraph& graph) {
  std::vector<bool> needed(graph.nodes().size());
  std::vector<NodeId> open;
  const auto need = [&](NodeId node) {
    if (!needed[node.index]) open.push_back(node);
    needed[node.index] = true;
  };
  for (const NodeId output : graph.outputs) need(output);
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const BranchId id : graph.entering(node)) {
      need(graph[id].from);
      if (graph[id].linear()) continue;
      for (const auto& argument : std::get<Nonlinearity>(graph[id].law).arguments) need(argument.node);
    }
  }
  return needed;
}

}  // namespace

std::vector<NodeId> left_out(const SignalFlowGraph& graph, Parts parts) {
  std::vector<NodeId> nodes;
  if (parts == Parts::all || graph.outputs.empty() || (parts == Parts::automatic && graph.branches().size() <= dense))
    return nodes;
  const std::vector<bool> kept = needed(graph);
  for (const NodeId node : graph.node_ids())
    if (!kept[node.index]) nodes.push_back(node);
  return nodes;
}

std::string in_words(const SignalFlowGraph& graph, const std::vector<NodeId>& left_out) {
  constexpr std::size_t most_names = 12;
  std::string text =
      std::to_string(left_out.size()) + (left_out.size() == 1 ? " node" : " nodes") + " that no output depends on: ";
  for (std::size_t i = 0; i < left_out.size() && i < most_names; ++i) text += (i == 0 ? "" : ", ") + graph[left_out[i]].name;
  return left_out.size() > most_names ? text + ", …" : text;
}

ShownPart without(const SignalFlowGraph& graph, const std::vector<NodeId>& nodes) {
  std::vector<bool> gone(graph.nodes().size());
  for (const NodeId node : nodes) gone[node.index] = true;
  ShownPart part;
  std::vector<NodeId> now(gone.size());
  part.graph.title = graph.title;
  part.graph.op = graph.op;
  part.graph.symbols = graph.symbols;
  part.graph.attributes = graph.attributes;
  part.graph.where = graph.where;
  for (const NodeId node : graph.node_ids())
    if (!gone[node.index]) {
      now[node.index] = part.graph.add_node(graph[node]);
      part.nodes.push_back(node);
    }
  for (const BranchId id : graph.branch_ids()) {
    Branch branch = graph[id];
    if (gone[branch.from.index] || gone[branch.to.index]) continue;
    branch.from = now[branch.from.index];
    branch.to = now[branch.to.index];
    if (!branch.linear())
      for (auto& argument : std::get<Nonlinearity>(branch.law).arguments) argument.node = now[argument.node.index];
    part.graph.add_branch(std::move(branch));
    part.branches.push_back(id);
  }
  for (const NodeId input : graph.inputs)
    if (!gone[input.index]) part.graph.inputs.push_back(now[input.index]);
  for (const NodeId output : graph.outputs) part.graph.outputs.push_back(now[output.index]);
  return part;
}

}  // namespace sfg
