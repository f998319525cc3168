#include "sfg/graph/inspect.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <set>

#include "sfg/expr/rational.hpp"
#include "sfg/model/noise.hpp"

namespace sfg {

namespace {

class Inspection {
 public:
  explicit Inspection(const SignalFlowGraph& graph) : graph_(graph) {}

  std::vector<Diagnostic> problems() {
    nodes();
    branches();
    inputs_and_outputs();
    parameters();
    return std::move(problems_);
  }

 private:
  void say(Severity severity, const SourceSpan& where, std::string message, Remedy hint) {
    problems_.push_back({where, std::move(message), std::move(hint), severity});
  }

  void nodes() {
    for (const NodeId node : graph_.node_ids())
      if (graph_.entering(node).empty() && graph_.leaving(node).empty())
        say(Severity::warning, graph_[node].where, "node '" + graph_[node].name + "' has no branches",
            "connect it or leave it out");
  }

  void branches() {
    for (const Branch& branch : graph_.branches()) {
      const std::string name = "branch '" + graph_[branch.from].name + "' -> '" + graph_[branch.to].name + "'";
      if (branch.linear() && branch.gain().is_zero())
        say(Severity::warning, branch.where, name + " has the gain 0", "leave it out");
      const GiNaC::ex& law = branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law;
      for (const std::string& symbol : symbol_names(law)) {
        used_.insert(symbol);
        if (branch.linear() && graph_.find(symbol) && symbol != graph_.op.symbol())
          say(Severity::warning, branch.where, name + ": its gain uses '" + symbol + "', which is a node",
              "a gain is no signal: rename the parameter if it is meant, else make a branch from the node");
      }
    }
  }

  void inputs_and_outputs() {
    for (const NodeId input : graph_.inputs)
      if (!graph_.entering(input).empty())
        say(Severity::warning, graph_[input].where, "input '" + graph_[input].name + "' has entering branches",
            Advice::ratio_or_injection);
    const std::vector<NodeId> inputs = graph_.stated_inputs();
    const std::vector<NodeId> outputs = graph_.stated_outputs();
    if (inputs.empty()) say(Severity::warning, graph_.where, "no node is a source", "state the input");
    if (outputs.empty()) say(Severity::warning, graph_.where, "no node is a sink", "state the output");
    const std::set<NodeId> reached = reached_from(inputs);
    for (const NodeId output : outputs)
      if (!inputs.empty() && !reached.contains(output))
        say(Severity::warning, graph_[output].where, "no input reaches the output '" + graph_[output].name + "'",
            "its transfer functions are 0");
  }

  /// Where the laws go that have a node beside their tail.
  std::multimap<NodeId, NodeId> heads_of_arguments() const {
    std::multimap<NodeId, NodeId> heads;
    for (const Branch& branch : graph_.branches())
      if (const auto* law = std::get_if<Nonlinearity>(&branch.law))
        for (const auto& argument : law->arguments) heads.emplace(argument.node, branch.to);
    return heads;
  }

  std::set<NodeId> reached_from(std::vector<NodeId> pending) const {
    const std::multimap<NodeId, NodeId> heads = heads_of_arguments();
    std::set<NodeId> reached(pending.begin(), pending.end());
    while (!pending.empty()) {
      const NodeId node = pending.back();
      pending.pop_back();
      for (const BranchId branch : graph_.leaving(node))
        if (reached.insert(graph_[branch].to).second) pending.push_back(graph_[branch].to);
      for (auto [head, last] = heads.equal_range(node); head != last; ++head)
        if (reached.insert(head->second).second) pending.push_back(head->second);
    }
    return reached;
  }

  /// Only where some have values: a graph all in symbols is what it is.
  void parameters() {
    const auto& symbols = graph_.symbols.all();
    if (std::none_of(symbols.begin(), symbols.end(), [](const Symbol& symbol) { return symbol.value.has_value(); })) return;
    for (const Symbol& symbol : symbols) {
      const bool of_noise = symbol.name == noise_temperature;  // stated by a temperature, which the input may need elsewhere
      const bool parameter = symbol.kind == SymbolKind::parameter && symbol.name != graph_.op.symbol();
      if (parameter && !symbol.value && used_.contains(symbol.name))
        say(Severity::note, symbol.where, "parameter '" + symbol.name + "' has no value", "numeric results need one");
      if (parameter && !of_noise && symbol.value && !used_.contains(symbol.name) && !used_in_a_value(symbol))
        say(Severity::note, symbol.where, "parameter '" + symbol.name + "' is used in no gain", "leave it out if that is right");
    }
  }

  bool used_in_a_value(const Symbol& parameter) const {
    const auto& symbols = graph_.symbols.all();
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](const Symbol& symbol) { return symbol.value && symbol.value->has(parameter.expr); });
  }

  const SignalFlowGraph& graph_;
  std::set<std::string> used_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

std::vector<Diagnostic> inspect(const SignalFlowGraph& graph) { return Inspection(graph).problems(); }

Diagnostic nonlinear(const SignalFlowGraph& graph, const Branch& branch, std::string_view consequence, Remedy remedy) {
  return {branch.where,
          "the branch " + graph[branch.from].name + " -> " + graph[branch.to].name + " is nonlinear" + std::string(consequence),
          std::move(remedy)};
}

void require_linear(const SignalFlowGraph& graph, const std::vector<bool>& nodes, std::string_view consequence,
                    const Remedy& remedy) {
  std::vector<Diagnostic> found;
  for (const Branch& branch : graph.branches()) {
    if (branch.linear()) continue;
    const auto& arguments = std::get<Nonlinearity>(branch.law).arguments;
    const bool inside =
        nodes.empty() ||
        (nodes[branch.to.index] &&
         (nodes[branch.from.index] || std::ranges::any_of(arguments, [&](const auto& a) { return bool(nodes[a.node.index]); })));
    if (inside) found.push_back(nonlinear(graph, branch, consequence, remedy));
  }
  if (!found.empty()) throw Error(std::move(found));
}

}  // namespace sfg
