#include "sfg/nonlinear/principal.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/graph/draft.hpp"

namespace sfg {

namespace {

using Law = PrincipalForm::Law;

const Nonlinearity* law_of(const Branch& branch) { return std::get_if<Nonlinearity>(&branch.law); }

/// Nodes that reach one of the sinks; the further arguments of a law reach what it reaches.
std::vector<bool> reaching(const SignalFlowGraph& graph, std::span<const NodeId> sinks) {
  std::vector<bool> seen(graph.nodes().size(), false);
  std::vector<NodeId> open(sinks.begin(), sinks.end());
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (seen[node.index]) continue;
    seen[node.index] = true;
    for (const BranchId id : graph.entering(node)) {
      open.push_back(graph[id].from);
      if (const Nonlinearity* law = law_of(graph[id]))
        for (const auto& argument : law->arguments) open.push_back(argument.node);
    }
  }
  return seen;
}

/// The linear graph and its laws; its parts in the order in which they are added.
class Cutting {
 public:
  explicit Cutting(const SignalFlowGraph& graph) : graph_(graph) {
    SignalFlowGraph& linear = form_.linear;
    linear.title = graph.title;
    linear.op = graph.op;
    linear.symbols = graph.symbols;
    linear.where = graph.where;
    for (const Node& node : graph.nodes()) linear.add_node(node);
    const Symbol* time = graph.symbols.find("t");
    form_.time = time != nullptr ? time->expr : linear.symbols.add({.name = "t", .kind = SymbolKind::time}).expr;
  }

  PrincipalForm operator()(std::span<const NodeId> sources, std::span<const NodeId> sinks) {
    form_.sources.assign(sources.begin(), sources.end());
    form_.sinks.assign(sinks.begin(), sinks.end());
    const std::vector<bool> matters = reaching(graph_, sinks);
    for (const BranchId id : graph_.branch_ids()) {
      if (!matters[graph_[id].to.index]) continue;
      if (law_of(graph_[id]) != nullptr)
        add_law(id);
      else
        form_.linear.add_branch(graph_[id]);
    }
    state_ends();
    return std::move(form_);
  }

 private:
  void add_law(BranchId id) {
    const Branch& branch = graph_[id];
    const Nonlinearity& nonlinear = *law_of(branch);
    Law law{id, nonlinear.law, nonlinear.law, {}, branch.to, branch.to};
    GiNaC::exmap meaning;
    const auto take = [&](const GiNaC::ex& symbol, NodeId node, bool rate) {
      if (!nonlinear.law.has(symbol)) return;
      const std::size_t number = argument(node, rate, branch.where);
      meaning[symbol] = form_.arguments[number].symbol;
      if (std::ranges::find(law.arguments, number) == law.arguments.end()) law.arguments.push_back(number);
    };
    if (const Symbol* u = graph_.symbols.find("u"); u && u->kind == SymbolKind::signal) take(u->expr, branch.from, false);
    if (const Symbol* v = graph_.symbols.find("v"); v && v->kind == SymbolKind::signal) take(v->expr, branch.from, true);
    for (const auto& further : nonlinear.arguments) {
      take(further.signal, further.node, false);
      take(further.rate, further.node, true);
    }
    law.law = nonlinear.law.subs(meaning, GiNaC::subs_options::no_pattern);
    if (graph_.entering(branch.to).size() > 1) {
      law.output = form_.linear.add_node({free_name(form_.linear, "f_" + graph_[branch.to].name), branch.where, {}});
      form_.linear.add_branch(law.output, branch.to, 1, branch.where);
    }
    form_.laws.push_back(std::move(law));
  }

  /// The number of that argument, added where it is new.
  std::size_t argument(NodeId node, bool rate, const SourceSpan& where) {
    const auto [known, is_new] = numbers_.emplace(std::pair(node, rate), form_.arguments.size());
    if (!is_new) return known->second;
    const std::string& name = graph_[node].name;
    NodeId at = node;
    if (rate) {
      if (graph_.op.discrete())
        throw Error(where, "a signal of samples has no rate, so that v means nothing in this law",
                    "write the difference as a branch with 1/z, and its law in u");
      at = form_.linear.add_node({free_name(form_.linear, graph_.op.name_of_rate(name)), where, {}});
      form_.linear.add_branch(node, at, form_.linear.op.declare(form_.linear.symbols), where);
    }
    form_.arguments.push_back({name, rate, GiNaC::symbol(form_.linear[at].name), at});
    return known->second;
  }

  void state_ends() {
    SignalFlowGraph& linear = form_.linear;
    linear.inputs = form_.inputs();
    for (const NodeId node : form_.outputs())
      if (std::ranges::find(linear.outputs, node) == linear.outputs.end()) linear.outputs.push_back(node);
  }

  const SignalFlowGraph& graph_;
  PrincipalForm form_;
  std::map<std::pair<NodeId, bool>, std::size_t> numbers_;
};

}  // namespace

PrincipalForm principal_form(const SignalFlowGraph& graph, std::span<const NodeId> sources, std::span<const NodeId> sinks) {
  const std::vector<NodeId> from = sources.empty() ? graph.stated_inputs() : std::vector(sources.begin(), sources.end());
  const std::vector<NodeId> to = sinks.empty() ? graph.stated_outputs() : std::vector(sinks.begin(), sinks.end());
  return Cutting(graph)(from, to);
}

std::vector<NodeId> PrincipalForm::inputs() const {
  std::vector<NodeId> nodes = sources;
  for (const Law& law : laws) nodes.push_back(law.output);
  return nodes;
}

std::vector<NodeId> PrincipalForm::outputs() const {
  std::vector<NodeId> nodes;
  for (const Argument& argument : arguments) nodes.push_back(argument.node);
  nodes.insert(nodes.end(), sinks.begin(), sinks.end());
  return nodes;
}

std::vector<Question> PrincipalForm::questions() const {
  std::vector<Question> all;
  const std::vector<NodeId> ends = outputs();
  for (const NodeId input : inputs()) {
    const auto mode = linear.entering(input).empty() ? Question::Mode::source : Question::Mode::inject;
    for (const NodeId output : ends) all.push_back({input, output, mode, {}});
  }
  return all;
}

}  // namespace sfg
