#include "sfg/study/fit/slope_graph.hpp"

#include <ginac/ginac.h>

#include <set>

#include "sfg/error.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/graph/draft.hpp"

namespace sfg {

namespace {

/// A law whose value jumps, or that depends on what has been: its slope has impulses, or is none.
void refuse_jumps(const Branch& branch, const GiNaC::ex& law) {
  static const std::set<std::string> rough{"sign", "step", "floor", "backlash", "hysteresis"};
  for (auto part = law.preorder_begin(); part != law.preorder_end(); ++part)
    if (rough.contains(function_name(*part)))
      throw NoAnswer("the law has '" + function_name(*part) + "', which jumps or remembers", {}, branch.where);
}

/// The slopes by one parameter.
class ParameterSlopes {
 public:
  ParameterSlopes(const SignalFlowGraph& graph, SlopeGraph& into, const GiNaC::ex& by) : graph_(graph), into_(into), by_(by) {}

  std::vector<std::optional<NodeId>> operator()(std::span<const NodeId> moved) {
    at_.resize(graph_.nodes().size());
    std::vector<NodeId> open(moved.begin(), moved.end());
    for (const Branch& branch : graph_.branches())
      if (own(branch).has(by_)) open.push_back(branch.to);
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      if (at_[node.index]) continue;
      const std::string name =
          free_name(into_.graph, "d(" + graph_[node].name + ")/d" + GiNaC::ex_to<GiNaC::symbol>(by_).get_name());
      at_[node.index] = into_.graph.add_node({name, graph_[node].where, {}});
      for (const BranchId id : graph_.leaving(node)) open.push_back(graph_[id].to);
      for (const Branch& branch : graph_.branches())
        if (const auto* law = std::get_if<Nonlinearity>(&branch.law))
          for (const auto& argument : law->arguments)
            if (argument.node == node) open.push_back(branch.to);
    }
    for (const Branch& branch : graph_.branches()) add(branch);
    return at_;
  }

 private:
  static const GiNaC::ex& own(const Branch& branch) {
    return branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law;
  }

  void add(const Branch& branch) {
    if (!at_[branch.to.index]) return;
    const NodeId to = *at_[branch.to.index];
    if (!branch.linear()) return add_law(branch, to);
    if (at_[branch.from.index]) into_.graph.add_branch(*at_[branch.from.index], to, branch.gain(), branch.where);
    const GiNaC::ex slope = derivative(branch.gain(), by_);
    if (!slope.is_zero()) into_.graph.add_branch(branch.from, to, slope.normal(), branch.where);
  }

  /// ∂f/∂k and Σ ∂f/∂x · ∂x/∂k as a law of the signals and of their slopes.
  void add_law(const Branch& branch, NodeId to) {
    Nonlinearity law = std::get<Nonlinearity>(branch.law);
    refuse_jumps(branch, law.law);
    GiNaC::ex sum = derivative(law.law, by_);
    std::vector<Nonlinearity::Argument> slopes;
    const auto move = [&](const GiNaC::ex& symbol, const GiNaC::ex& rate, NodeId node) {
      const bool signal = law.law.has(symbol), rates = law.law.has(rate);
      if (!at_[node.index] || (!signal && !rates)) return;
      slopes.push_back({GiNaC::symbol("slope"), GiNaC::symbol("rate_of_slope"), *at_[node.index]});
      if (signal) sum += derivative(law.law, symbol) * slopes.back().signal;
      if (rates) sum += derivative(law.law, rate) * slopes.back().rate;
    };
    const Symbol* u = graph_.symbols.find("u");
    const Symbol* v = graph_.symbols.find("v");
    const GiNaC::ex none = GiNaC::symbol("none");
    const auto is_signal = [](const Symbol* symbol) { return symbol != nullptr && symbol->kind == SymbolKind::signal; };
    move(is_signal(u) ? u->expr : none, is_signal(v) ? v->expr : none, branch.from);
    for (const auto& argument : law.arguments) move(argument.signal, argument.rate, argument.node);
    if (sum.is_zero()) return;
    law.law = sum;
    law.arguments.insert(law.arguments.end(), slopes.begin(), slopes.end());
    into_.graph.add_branch({branch.from, to, law, branch.where, {}});
  }

  const SignalFlowGraph& graph_;
  SlopeGraph& into_;
  GiNaC::ex by_;
  std::vector<std::optional<NodeId>> at_;
};

}  // namespace

SlopeGraph with_slopes(const SignalFlowGraph& graph, std::span<const GiNaC::ex> by, std::span<const NodeId> moved) {
  SlopeGraph result{graph, {}};
  for (const GiNaC::ex& parameter : by) result.slopes.push_back(ParameterSlopes(graph, result, parameter)(moved));
  return result;
}

}  // namespace sfg
