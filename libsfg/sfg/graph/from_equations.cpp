#include "sfg/graph/from_equations.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/rest_inputs.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// The graph of one system; its parts in the order in which they are added.
class Construction {
 public:
  Construction(const EquationSystem& system, const FromEquationsOptions& options)
      : system_(system), options_(options), result_{{}, assignment(system)} {
    result_.graph.title = system.title;
    result_.graph.op = system.op;
    result_.graph.symbols = system.symbols;
    p_ = system.op.declare(result_.graph.symbols);
  }

  GraphFromEquations operator()() {
    add_signals();
    for (std::size_t i = 0; i < system_.equations.size(); ++i) add_equation(i);
    for (const EquationSystem::Law& law : system_.laws) add_law(law);
    result_.graph.inputs = stated(system_.inputs, free_sources());
    if (system_.outputs.empty()) result_.graph.outputs = unknowns_;
    for (const std::string& output : system_.outputs) result_.graph.outputs.push_back(this->output(output));
    return std::move(result_);
  }

 private:
  SignalFlowGraph& graph() { return result_.graph; }

  void add_signals() {
    std::set<std::string> taken;
    const auto add = [&](const std::string& name, const SourceSpan& where) {
      if (!taken.insert(name).second)
        throw Error(where, "name '" + name + "' is the name of two signals", "give each unknown and each input its own name");
      Node node{name, where, {}};
      if (const auto rest = stated_rest(system_.symbols, name)) keep_rest(node, *rest);
      return graph().add_node(std::move(node));
    };
    for (const EquationSystem::Source& source : system_.sources) sources_.push_back(add(source.name, source.where));
    for (const EquationSystem::Unknown& unknown : system_.unknowns) unknowns_.push_back(add(unknown.name, unknown.where));
  }

  /// e_x, or e_x_ where there is a signal of that name.
  NodeId summing_node(std::size_t unknown, const SourceSpan& where) {
    std::string name = "e_" + system_.unknowns[unknown].name;
    while (graph().find(name)) name += '_';
    return graph().add_node({name, where, {}});
  }

  void add_equation(std::size_t row) {
    const EquationSystem::Equation& equation = system_.equations[row];
    const std::size_t own = result_.assignment.unknown_of[row];
    const ex inverse = GiNaC::power(collected(equation.left.at(own), 1), -1);
    const bool merged = options_.layout == GraphLayout::merged || equation.sum;
    const NodeId into = merged ? unknowns_[own] : summing_node(own, equation.where);
    const auto add = [&](NodeId from, const ex& coefficient, int sign) {
      const ex gain = collected(coefficient, sign);
      const bool cleared = equation.sum && !inverse.is_equal(1);  // of denominators that the others have
      if (!gain.is_zero())
        graph().add_branch(from, into,
                           cleared  ? normal_form(gain * inverse, p_)
                           : merged ? gain * inverse
                                    : gain,
                           equation.where);
    };
    if (!merged) graph().add_branch(into, unknowns_[own], inverse, equation.where);
    for (const auto& [unknown, coefficient] : equation.left)
      if (unknown != own) add(unknowns_[unknown], coefficient, -1);
    for (const auto& [source, coefficient] : equation.right) add(sources_[source], coefficient, 1);
  }

  void add_law(const EquationSystem::Law& law) {
    std::vector<NodeId> tails;
    for (const auto& argument : law.arguments)
      tails.push_back(output_signal(graph(), argument.signal, system_.definitions, law.where));
    Nonlinearity branch{law.law};
    for (std::size_t i = 1; i < tails.size(); ++i)
      branch.arguments.push_back({law.arguments[i].value, law.arguments[i].rate, tails[i]});
    graph().add_branch({tails.front(), sources_.at(law.source), std::move(branch), law.where, {}});
  }

  std::vector<NodeId> free_sources() const {
    std::vector<NodeId> free;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (system_.sources[i].kind != SourceKind::law) free.push_back(sources_[i]);
    return free;
  }

  /// ±d by descending powers of p; 0 when it vanishes.
  ex collected(const ex& d, int sign) const {
    if (vanishes(d)) return 0;
    const auto coefficients = polynomial_coefficients(d, p_);
    if (!coefficients) return sign * d;
    ex result = 0;
    auto power = static_cast<long>(coefficients->size());
    for (const ex& coefficient : *coefficients) result += sign * coefficient * GiNaC::power(p_, --power);
    return result;
  }

  std::vector<NodeId> stated(const std::vector<std::string>& names, const std::vector<NodeId>& otherwise) {
    if (names.empty()) return otherwise;
    std::vector<NodeId> result;
    for (const std::string& name : names) {
      const auto found = graph().find(name);
      if (!found) refuse(name);
      result.push_back(*found);
    }
    return result;
  }

  NodeId output(const std::string& text) {
    if (is_name(text) && !graph().find(text) && !follows(text)) refuse(text);
    return output_signal(graph(), text, system_.definitions, place());
  }

  /// Whether a name that is no signal of its own may follow from those that are: a definition, or a rate.
  bool follows(const std::string& name) const {
    const auto same = [&](const EquationSystem::Definition& definition) { return definition.name == name; };
    return name.starts_with('D') || std::ranges::any_of(system_.definitions, same);
  }

  SourceSpan place() const { return system_.equations.empty() ? SourceSpan{} : system_.equations.front().where; }

  [[noreturn]] void refuse(const std::string& name) {
    std::vector<std::string> known;
    for (const Node& node : graph().nodes()) known.push_back(node.name);
    const std::string near = nearest(name, known);
    throw Error(place(), "there is no signal '" + name + "' in the model",
                near.empty() ? "name an input or an unknown" : "did you mean '" + near + "'?");
  }

  const EquationSystem& system_;
  FromEquationsOptions options_;
  GraphFromEquations result_;
  ex p_;
  std::vector<NodeId> sources_, unknowns_;
};

}  // namespace

GraphFromEquations from_equations(const EquationSystem& system, const FromEquationsOptions& options) {
  return Construction(system, options)();
}

}  // namespace sfg
