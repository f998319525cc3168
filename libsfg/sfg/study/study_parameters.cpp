#include "sfg/study/study_parameters.hpp"

#include <ginac/ginac.h>

#include <functional>
#include <optional>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {

namespace {

using Role = StudyParameter::Role;

bool is_parameter(const Symbol& symbol, const SignalFlowGraph& graph) {
  return symbol.kind == SymbolKind::parameter && symbol.name != graph.op.symbol();
}

/// The two ends of "FROM,TO"; names of nodes may have commas themselves.
std::optional<std::pair<NodeId, NodeId>> ends_of(const SignalFlowGraph& graph, const std::string& name) {
  for (std::size_t comma = name.find(','); comma != std::string::npos; comma = name.find(',', comma + 1)) {
    const auto from = graph.find(name.substr(0, comma)), to = graph.find(name.substr(comma + 1));
    if (from && to) return std::pair(*from, *to);
  }
  return {};
}

/// The same graph with other gains, in the order of its branches.
SignalFlowGraph with_gains(const SignalFlowGraph& graph, const std::function<GiNaC::ex(const Branch&)>& gain) {
  SignalFlowGraph result = SignalFlowGraph::like_with_nodes(graph);
  for (Branch branch : graph.branches()) {
    if (branch.linear()) branch.law = gain(branch);
    result.add_branch(std::move(branch));
  }
  result.inputs = graph.inputs;
  result.outputs = graph.outputs;
  return result;
}

/// A symbol of value 0 that the names of a model do not have.
GiNaC::ex offset_of(SignalFlowGraph& graph, const std::string& name) {
  return graph.symbols.add({.name = name, .value = GiNaC::ex(0)}).expr;
}

void require_linear(const SignalFlowGraph& graph, const Branch& branch) {
  if (!branch.linear()) throw Error(nonlinear(graph, branch, " and has no gain", "linearise it first, or name another branch"));
}

StudyParameter branch_parameter(SignalFlowGraph& graph, const std::string& name, NodeId from, NodeId to, Role role) {
  GiNaC::ex total = 0;
  const Branch* first = nullptr;
  for (const Branch& branch : graph.branches()) {
    if (branch.from != from || branch.to != to) continue;
    require_linear(graph, branch);
    total += branch.gain();
    if (!first) first = &branch;
  }
  if (!first)
    throw Error(graph.where, "there is no branch '" + graph[from].name + "' -> '" + graph[to].name + "'",
                "name one by its two ends, FROM,TO");
  const GiNaC::ex offset = offset_of(graph, name);
  if (is_zero_function(total.subs(graph.symbols.values(), GiNaC::subs_options::no_pattern))) role = Role::added;
  bool pending = true;  // only one of parallel branches gets what is added
  graph = with_gains(graph, [&](const Branch& branch) -> GiNaC::ex {
    if (branch.from != from || branch.to != to) return branch.gain();
    if (role == Role::factor) return branch.gain() * (1 + offset);
    return std::exchange(pending, false) ? branch.gain() + offset : branch.gain();
  });
  return {name, offset, total, role};
}

StudyParameter node_parameter(SignalFlowGraph& graph, const std::string& name, NodeId node) {
  bool enters = false;
  for (const Branch& branch : graph.branches()) {
    if (branch.to != node) continue;
    require_linear(graph, branch);
    enters = true;
  }
  if (!enters)
    throw Error(graph[node].where, "nothing enters the node '" + name + "': it has no gain", "name a node behind a branch");
  const GiNaC::ex offset = offset_of(graph, name + ",");
  graph = with_gains(
      graph, [&](const Branch& branch) -> GiNaC::ex { return branch.to == node ? branch.gain() * (1 + offset) : branch.gain(); });
  return {name, offset, 1, Role::factor};
}

StudyParameter named(SignalFlowGraph& graph, const std::string& name, Role gains) {
  if (const Symbol* symbol = graph.symbols.find(name); symbol && is_parameter(*symbol, graph))
    return {name, symbol->expr, symbol->expr};
  if (const auto node = graph.find(name)) return node_parameter(graph, name, *node);
  if (const auto ends = ends_of(graph, name)) return branch_parameter(graph, name, ends->first, ends->second, gains);
  std::vector<std::string> known;
  for (const Symbol& symbol : graph.symbols.all())
    if (is_parameter(symbol, graph)) known.push_back(symbol.name);
  for (const Node& node : graph.nodes()) known.push_back(node.name);
  const std::string near = nearest(name, known);
  throw Error(graph.where, "'" + name + "' is no parameter, no node and no branch FROM,TO",
              near.empty() ? "" : "did you mean '" + near + "'?");
}

}  // namespace

StudiedGraph studied(const SignalFlowGraph& graph, std::span<const std::string> names, Role gains) {
  StudiedGraph result{graph, {}};
  for (const std::string& name : names) {
    bool repeated = false;
    for (const StudyParameter& known : result.parameters) repeated = repeated || known.name == name;
    if (!repeated) result.parameters.push_back(named(result.graph, name, gains));
  }
  if (!names.empty()) return result;
  for (const Symbol& symbol : graph.symbols.all())
    if (is_parameter(symbol, graph) && !is_derived(symbol)) result.parameters.push_back({symbol.name, symbol.expr, symbol.expr});
  return result;
}

}  // namespace sfg
