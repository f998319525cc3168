#include "sfg/nonlinear/principal.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "sfg/expr/rational_arithmetic.hpp"
#include "sfg/graph/draft.hpp"

namespace sfg {

namespace {

/// Blocks of laws in the order in which they can be solved: strongly connected components (Tarjan 1972).
class Ordering {
 public:
  explicit Ordering(const PrincipalReduction& reduction) : reduction_(reduction), state_(reduction.form.laws.size()) {}

  std::vector<PrincipalReduction::Block> operator()() {
    for (std::size_t law = 0; law < state_.size(); ++law)
      if (state_[law].index == 0) visit(law);
    return std::move(blocks_);
  }

 private:
  struct State {
    std::size_t index = 0, low = 0;
    bool open = false;
  };

  bool depends(std::size_t law, std::size_t on) const {
    return std::ranges::any_of(reduction_.form.laws[law].arguments,
                               [&](std::size_t argument) { return !is_zero(reduction_.Tj(on, argument)); });
  }

  void visit(std::size_t law) {
    state_[law] = {++count_, count_, true};
    open_.push_back(law);
    for (std::size_t other = 0; other < state_.size(); ++other) {
      if (!depends(law, other)) continue;
      if (state_[other].index == 0) visit(other);
      if (state_[other].open) state_[law].low = std::min(state_[law].low, state_[other].low);
    }
    if (state_[law].low != state_[law].index) return;
    PrincipalReduction::Block block;
    do {
      block.laws.push_back(open_.back());
      state_[open_.back()].open = false;
      open_.pop_back();
    } while (block.laws.back() != law);
    std::ranges::sort(block.laws);
    block.coupled = block.laws.size() > 1 || depends(law, law);
    blocks_.push_back(std::move(block));
  }

  const PrincipalReduction& reduction_;
  std::vector<State> state_;
  std::vector<std::size_t> open_;
  std::vector<PrincipalReduction::Block> blocks_;
  std::size_t count_ = 0;
};

/// The reduced graph; its parts in the order in which they are added.
class ReducedGraph {
 public:
  explicit ReducedGraph(const PrincipalReduction& reduction) : reduction_(reduction), form_(reduction.form) {}

  SignalFlowGraph operator()() {
    graph_.title = form_.linear.title;
    graph_.op = form_.linear.op;
    graph_.symbols = form_.linear.symbols;
    for (const NodeId source : form_.sources) inputs_.push_back(node(source));
    for (const auto& argument : form_.arguments) outputs_.push_back(node(argument.node));
    for (std::size_t i = 0; i < form_.laws.size(); ++i) add_law(i);
    for (const NodeId sink : form_.sinks) outputs_.push_back(node(sink));
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      for (std::size_t j = 0; j < outputs_.size(); ++j) add_transmittance(i, j);
    for (const NodeId source : form_.sources) graph_.inputs.push_back(node(source));
    for (const NodeId sink : form_.sinks) graph_.outputs.push_back(node(sink));
    return std::move(graph_);
  }

 private:
  NodeId node(NodeId in_linear) { return graph_.node(form_.linear[in_linear].name, form_.linear[in_linear].where); }

  /// The output of a law that goes to the sink alone ends there.
  void add_law(std::size_t i) {
    const PrincipalForm::Law& law = form_.laws[i];
    const NodeId head = reduction_.at_sink(i) ? node(form_.sinks.front()) : node(law.output);
    inputs_.push_back(head);
    Nonlinearity nonlinear{law.law};
    GiNaC::exmap meaning;
    for (const std::size_t number : law.arguments) {
      const auto& argument = form_.arguments[number];
      if (number == law.arguments.front()) {
        meaning[argument.symbol] = graph_.symbols.add({.name = "u", .kind = SymbolKind::signal}).expr;
        continue;
      }
      const std::string name = free_symbol(form_.linear[argument.node].name);
      const GiNaC::ex value = graph_.symbols.add({.name = name, .kind = SymbolKind::signal}).expr;
      const GiNaC::ex rate = graph_.symbols.add({.name = graph_.op.name_of_rate(name), .kind = SymbolKind::signal}).expr;
      meaning[argument.symbol] = value;
      nonlinear.arguments.push_back({value, rate, node(argument.node)});
    }
    nonlinear.law = law.law.subs(meaning, GiNaC::subs_options::no_pattern);
    const NodeId tail = law.arguments.empty() ? inputs_.front() : node(form_.arguments[law.arguments.front()].node);
    graph_.add_branch({tail, head, std::move(nonlinear), form_.linear[law.output].where, {}});
  }

  std::string free_symbol(const std::string& name) const {
    std::string found;
    for (const char c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') found += c;
    if (found.empty() || std::isdigit(static_cast<unsigned char>(found.front())) != 0) found = "x" + found;
    while (graph_.symbols.find(found) != nullptr) found += "_";
    return found;
  }

  void add_transmittance(std::size_t input, std::size_t output) {
    const NodeId from = inputs_[input], to = outputs_[output];
    const RationalFunction& gain = reduction_.between(input, output);
    if (from == to || is_zero(gain) || !added_.insert({from, to}).second) return;
    graph_.add_branch(from, to, gain.expression());
  }

  const PrincipalReduction& reduction_;
  const PrincipalForm& form_;
  SignalFlowGraph graph_;
  std::vector<NodeId> inputs_, outputs_;  // as in between()
  std::set<std::pair<NodeId, NodeId>> added_;
};

}  // namespace

bool PrincipalReduction::at_source(std::size_t argument) const {
  const NodeId node = form.arguments[argument].node;
  return std::ranges::find(form.sources, node) != form.sources.end() && form.linear.entering(node).empty();
}

bool PrincipalReduction::at_sink(std::size_t law) const {
  for (std::size_t argument = 0; argument < form.arguments.size(); ++argument)
    if (!is_zero(Tj(law, argument))) return false;
  return form.sinks.size() == 1 && is_one(Ts(law, 0));
}

PrincipalReduction principal_reduction(const SignalFlowGraph& graph, std::span<const NodeId> sources,
                                       std::span<const NodeId> sinks, const TransferOptions& options) {
  PrincipalReduction reduction{principal_form(graph, sources, sinks), {}, {}};
  reduction.transmittances = transfer_functions(reduction.form.linear, reduction.form.questions(), options);
  reduction.blocks = Ordering(reduction)();
  return reduction;
}

SignalFlowGraph reduced_graph(const PrincipalReduction& reduction) { return ReducedGraph(reduction)(); }

}  // namespace sfg
