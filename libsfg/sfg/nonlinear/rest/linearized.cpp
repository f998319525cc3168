#include "sfg/nonlinear/rest/operating_points.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/model/named_slope.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/nonlinear/rest/summed_signals.hpp"

namespace sfg {

namespace {

/// min, max, step, sign and abs as what they are at the point, where that is clear: next to it their laws are smooth.
struct Settled : GiNaC::map_function {
  explicit Settled(const GiNaC::exmap& values) : numbers(values) {}
  const GiNaC::exmap& numbers;

  /// The sign of what decides; 0 where it is not known or nearly 0.
  int side(const GiNaC::ex& value) const {
    constexpr double near = 1e-9;
    const auto number = double_value(value.subs(numbers, GiNaC::subs_options::no_pattern));
    return !number || std::abs(*number) < near ? 0 : *number > 0 ? 1 : -1;
  }

  GiNaC::ex operator()(const GiNaC::ex& e) override {
    const GiNaC::ex inside = e.map(*this);
    if (!GiNaC::is_exactly_a<GiNaC::function>(inside)) return inside;
    const std::string name = GiNaC::ex_to<GiNaC::function>(inside).get_name();
    if ((name == "min" || name == "max") && inside.nops() == 2) {
      const int above = side(inside.op(0) - inside.op(1));
      return above == 0 ? inside : inside.op((above > 0) == (name == "max") ? 0 : 1);
    }
    if (name != "step" && name != "sign" && name != "abs") return inside;
    const int above = side(inside.op(0));
    if (above == 0) return inside;
    return name == "abs" ? above * inside.op(0) : name == "sign" ? GiNaC::ex(above) : GiNaC::ex(above > 0 ? 1 : 0);
  }
};

/// The laws of one graph at a point.
class Slopes {
 public:
  Slopes(const SignalFlowGraph& graph, const LinearizationPoint& point) : graph_(graph), point_(point) {}

  /// Adds the branches that stand for one with a law.
  void operator()(const Branch& branch, SignalFlowGraph& linear) const {
    const auto& nonlinear = std::get<Nonlinearity>(branch.law);
    if (const Symbol* t = graph_.symbols.find("t"); t && t->kind == SymbolKind::time && nonlinear.law.has(t->expr))
      throw NoAnswer("the law of " + name(branch) + " depends on time, so that there is no point to linearise it at", {},
                     branch.where);
    std::vector<Nonlinearity::Argument> signals = nonlinear.arguments;
    signals.insert(signals.begin(), {symbol("u"), symbol("v"), branch.from});
    GiNaC::exmap at;
    for (const auto& signal : signals) {
      if (uses(nonlinear.law, signal.signal)) at[signal.signal] = value(graph_[signal.node].name, branch);
      if (uses(nonlinear.law, signal.rate)) at[signal.rate] = rate(graph_[signal.node].name);
    }
    const GiNaC::ex s = linear.op.declare(linear.symbols);
    for (const auto& signal : signals) {
      GiNaC::ex gain = 0;
      if (uses(nonlinear.law, signal.signal)) gain += slope(nonlinear.law, signal.signal, at, branch);
      if (uses(nonlinear.law, signal.rate)) gain += slope(nonlinear.law, signal.rate, at, branch) * s;
      if (!vanishes(gain))
        linear.add_branch({signal.node, branch.to, named(gain, branch.to, signal.node, linear), branch.where, branch.attributes});
    }
  }

 private:
  std::string name(const Branch& branch) const { return graph_[branch.from].name + " -> " + graph_[branch.to].name; }

  /// The gain by the parameter that the model names it by, which has it as its value then.
  GiNaC::ex named(const GiNaC::ex& gain, NodeId law, NodeId by, SignalFlowGraph& linear) const {
    if (symbol_names(gain).empty()) return gain;
    const std::string slope = meaning_of_slope(graph_[law].name, graph_[by].name),
                      resistance = meaning_of_resistance(graph_[law].name, graph_[by].name);
    for (const Symbol& known : linear.symbols.all())
      if (!known.value && (known.text == slope || known.text == resistance)) {
        const bool inverse = known.text == resistance;
        Symbol& symbol = *linear.symbols.find(known.name);
        symbol.value = inverse ? 1 / gain : gain;
        return inverse ? 1 / symbol.expr : symbol.expr;
      }
    return gain;
  }

  GiNaC::ex symbol(const char* name) const {
    const Symbol* found = graph_.symbols.find(name);
    return found && found->kind == SymbolKind::signal ? found->expr : GiNaC::ex(GiNaC::symbol(name));
  }

  static bool uses(const GiNaC::ex& law, const GiNaC::ex& symbol) {
    return GiNaC::is_a<GiNaC::symbol>(symbol) && law.has(symbol);
  }

  GiNaC::ex value(const std::string& signal, const Branch& branch) const {
    const auto found = point_.find(signal);
    if (found == point_.end())
      throw Error(branch.where, "the operating point does not say what '" + signal + "' is, on which this law depends",
                  "state it, or let the point be found");
    return numeric_value(found->second);
  }

  GiNaC::ex rate(const std::string& signal) const {
    const auto found = point_.find(graph_.op.name_of_rate(signal));
    return found == point_.end() ? GiNaC::ex(0) : GiNaC::ex(numeric_value(found->second));
  }

  /// At a corner the slopes on both sides differ, at a jump what lies between them is no slope.
  void refuse_corner(const GiNaC::ex& law, const GiNaC::ex& slope, const GiNaC::ex& by, const GiNaC::exmap& at,
                     const Branch& branch) const {
    GiNaC::exmap numbers = graph_.parameter_values();
    for (const auto& [symbol, value] : at) numbers[symbol] = value;
    const double here = double_value(numbers.at(by)).value_or(0), step = 1e-7 * std::max(1.0, std::abs(here));
    const auto beside = [&](const GiNaC::ex& e, double distance) {
      numbers[by] = numeric_value(exact::Rational::of(here + distance));
      return double_value(e.subs(numbers, GiNaC::subs_options::no_pattern));
    };
    const auto left = beside(slope, -step), right = beside(slope, step), below = beside(law, -step), above = beside(law, step);
    if (!left || !right || !below || !above) return;  // parameters without values
    const double size = std::max({std::abs(*left), std::abs(*right), 1e-9});
    if (std::abs(*left - *right) > 1e-3 * size && size > 1e-5)
      refuse("has a corner at the operating point, with slopes " + print(*left) + " and " + print(*right), branch);
    if (std::abs(*above - *below) > 10 * step * size + 1e-5 * std::max(1.0, std::abs(*above)))
      refuse("jumps at the operating point", branch);
  }

  [[noreturn]] void refuse(const std::string& why, const Branch& branch) const {
    throw NoAnswer("the law of " + name(branch) + " " + why, "choose another point, or smooth the law", branch.where);
  }

  GiNaC::ex slope(const GiNaC::ex& law, const GiNaC::ex& by, const GiNaC::exmap& at, const Branch& branch) const {
    try {
      const GiNaC::ex slope = law.diff(GiNaC::ex_to<GiNaC::symbol>(by));
      refuse_corner(law, slope, by, at, branch);
      const GiNaC::exmap numbers = graph_.parameter_values();
      Settled settled(numbers);
      const GiNaC::ex there = settled(substituted(slope, at, branch.where));
      constexpr std::size_t digits = 20;  // more than the point has
      const auto number = symbol_names(there).empty() ? rational_value(there, digits) : std::nullopt;
      return number ? GiNaC::ex(numeric_value(*number)) : there;
    } catch (const Error&) {
      refuse("has no slope at the operating point: " + print(law), branch);
    }
  }

  const SignalFlowGraph& graph_;
  const LinearizationPoint& point_;
};

}  // namespace

SignalFlowGraph linearized(const SignalFlowGraph& graph, const LinearizationPoint& point) {
  SignalFlowGraph linear = SignalFlowGraph::like(graph);
  linear.inputs = graph.stated_inputs();
  linear.outputs = graph.stated_outputs();
  for (Node node : graph.nodes()) {
    drop_rest(node);
    linear.add_node(std::move(node));
  }
  const LinearizationPoint whole = with_sums(graph, point);
  const Slopes slopes(graph, whole);
  for (const Branch& branch : graph.branches())
    if (branch.linear())
      linear.add_branch(branch);
    else
      slopes(branch, linear);
  return linear;
}

}  // namespace sfg
