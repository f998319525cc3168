#include "sfg/graph/signal_flow_graph.hpp"

#include <ginac/operators.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sfg/graph/boost_graph.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/model/settings.hpp"

namespace sfg {

SignalFlowGraph::SignalFlowGraph() : topology_(std::make_unique<Topology>()) {}
SignalFlowGraph::SignalFlowGraph(SignalFlowGraph&&) = default;
SignalFlowGraph& SignalFlowGraph::operator=(SignalFlowGraph&&) = default;
SignalFlowGraph::~SignalFlowGraph() = default;

SignalFlowGraph::SignalFlowGraph(const SignalFlowGraph& other)
    : title(other.title),
      op(other.op),
      inputs(other.inputs),
      outputs(other.outputs),
      attributes(other.attributes),
      symbols(other.symbols),
      where(other.where),
      nodes_(other.nodes_),
      branches_(other.branches_),
      names_(other.names_),
      topology_(std::make_unique<Topology>(other.topology())) {}

SignalFlowGraph& SignalFlowGraph::operator=(const SignalFlowGraph& other) {
  SignalFlowGraph copy(other);
  return *this = std::move(copy);
}

SignalFlowGraph SignalFlowGraph::like(const SignalFlowGraph& other) {
  SignalFlowGraph result;
  result.title = other.title;
  result.op = other.op;
  result.attributes = other.attributes;
  result.symbols = other.symbols;
  result.where = other.where;
  return result;
}

SignalFlowGraph SignalFlowGraph::like_with_nodes(const SignalFlowGraph& other) {
  SignalFlowGraph result = like(other);
  for (const Node& node : other.nodes()) result.add_node(node);
  return result;
}

NodeId SignalFlowGraph::add_node(Node node) {
  if (node.name.empty()) throw std::invalid_argument("add_node: the name is empty");
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  if (!names_.emplace(node.name, id).second) throw std::invalid_argument("add_node: there is a node '" + node.name + "' already");
  nodes_.push_back(std::move(node));
  add_vertex(*topology_);
  return id;
}

NodeId SignalFlowGraph::node(std::string_view name, SourceSpan where) {
  if (const auto found = find(name)) return *found;
  return add_node({std::string(name), std::move(where), {}});
}

BranchId SignalFlowGraph::add_branch(Branch branch) {
  if (branch.from.index >= nodes_.size() || branch.to.index >= nodes_.size())
    throw std::out_of_range("add_branch: an end is not a node of this graph");
  const BranchId id{static_cast<std::uint32_t>(branches_.size())};
  add_edge(branch.from.index, branch.to.index, id, *topology_);
  (*topology_)[branch.from.index].leaving.push_back(id);
  (*topology_)[branch.to.index].entering.push_back(id);
  branches_.push_back(std::move(branch));
  return id;
}

BranchId SignalFlowGraph::add_branch(NodeId from, NodeId to, GiNaC::ex gain, SourceSpan where) {
  return add_branch(Branch{from, to, std::move(gain), std::move(where), {}});
}

std::vector<NodeId> SignalFlowGraph::node_ids() const {
  std::vector<NodeId> ids(nodes_.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = NodeId{i};
  return ids;
}

std::vector<BranchId> SignalFlowGraph::branch_ids() const {
  std::vector<BranchId> ids(branches_.size());
  for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = BranchId{i};
  return ids;
}

std::span<const BranchId> SignalFlowGraph::leaving(NodeId id) const { return (*topology_)[id.index].leaving; }

std::span<const BranchId> SignalFlowGraph::entering(NodeId id) const { return (*topology_)[id.index].entering; }

std::optional<NodeId> SignalFlowGraph::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? std::nullopt : std::optional(found->second);
}

NodeId SignalFlowGraph::at(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  std::vector<std::string> names;
  for (const Node& node : nodes_) names.push_back(node.name);
  const std::string near = nearest(name, names);
  throw Error(where, "there is no node '" + std::string(name) + "'",
              near.empty() ? "the graph lists its nodes" : "did you mean '" + near + "'?");
}

std::vector<NodeId> SignalFlowGraph::sources() const {
  std::vector<NodeId> ids = node_ids();
  std::erase_if(ids, [&](NodeId id) { return !entering(id).empty(); });
  return ids;
}

std::vector<NodeId> SignalFlowGraph::sinks() const {
  std::vector<NodeId> ids = node_ids();
  std::erase_if(ids, [&](NodeId id) { return !leaving(id).empty(); });
  return ids;
}

std::vector<NodeId> SignalFlowGraph::stated_inputs() const {
  if (!inputs.empty()) return inputs;
  std::vector<NodeId> ids = sources();
  std::erase_if(ids, [&](NodeId id) { return leaving(id).empty(); });
  return ids;
}

std::vector<NodeId> SignalFlowGraph::stated_outputs() const {
  if (!outputs.empty()) return outputs;
  std::vector<NodeId> ids = sinks();
  std::erase_if(ids, [&](NodeId id) { return entering(id).empty(); });
  return ids;
}

bool SignalFlowGraph::linear() const {
  return std::all_of(branches_.begin(), branches_.end(), [](const Branch& branch) { return branch.linear(); });
}

GiNaC::exmap SignalFlowGraph::parameter_values() const {
  GiNaC::exmap values = symbols.values();
  values.erase(op.in(symbols));
  return values;
}

SignalFlowGraph SignalFlowGraph::substituted(const GiNaC::exmap& values) const {
  SignalFlowGraph result = *this;
  for (Branch& branch : result.branches_) {
    GiNaC::ex& law = branch.linear() ? std::get<GiNaC::ex>(branch.law) : std::get<Nonlinearity>(branch.law).law;
    const GiNaC::ex before = std::exchange(law, sfg::substituted(law, values, branch.where));
    if (!branch.linear()) continue;
    const GiNaC::ex hidden = sfg::substituted(hidden_modes(branch, symbols), values, branch.where);
    keep_hidden_modes(branch, hidden * lost_modes(before, law, values, op.in(symbols)));
  }
  for (Node& node : result.nodes_) put_into_rest(node, symbols, values);
  return result;
}

}  // namespace sfg
