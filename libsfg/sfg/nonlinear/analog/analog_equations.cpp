#include "sfg/nonlinear/analog/analog_program.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>
#include <set>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/nonlinear/analog/law_elements.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/transfer/state_space.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Kind = AnalogEquations::Kind;
using Signal = AnalogEquations::Signal;
using Term = AnalogEquations::Term;

/// Why the branches themselves give no program: the exact state space may.
struct NoProgram {
  std::string reason;
  SourceSpan where;
};

std::string branch_name(const SignalFlowGraph& graph, const Branch& branch) {
  return "branch " + graph[branch.from].name + " -> " + graph[branch.to].name;
}

/// A gain as k_0 + k_1 s + … + N/D, with D monic and N of lower degree.
struct Gain {
  std::vector<double> polynomial;   ///< k_0, k_1, …
  std::vector<double> numerator;    ///< of s^(n−1), …, s^0
  std::vector<double> denominator;  ///< a_1 … a_n
};

double stated_number(const ex& e, const SignalFlowGraph& graph, const Branch& branch) {
  if (const auto value = double_value(e)) return *value;
  if (!symbol_names(e).empty()) throw missing_values(e, graph.symbols);
  throw Error(branch.where, branch_name(graph, branch) + ": the gain is not real", "an analog computer has real coefficients");
}

Gain gain_of(const SignalFlowGraph& graph, const Branch& branch) {
  const ex s = graph.op.in(graph.symbols);
  const auto [above, below] = fraction(branch.gain(), s);
  auto top = polynomial_coefficients(above, s);
  const auto bottom = polynomial_coefficients(below, s);
  if (!top || !bottom)
    throw Error(branch.where,
                branch_name(graph, branch) + ": the gain " + print(branch.gain()) + " is not rational in " + graph.op.symbol() +
                    ", and no analog element makes it",
                "replace it by a rational approximation (Padé)");
  Gain gain;
  const std::size_t n = bottom->size() - 1;
  std::vector<ex>& rest = *top;
  while (rest.size() > n) {  // polynomial division, exactly
    const ex quotient = normal_form(rest[0] / (*bottom)[0]);
    gain.polynomial.insert(gain.polynomial.begin(), stated_number(quotient, graph, branch));
    for (std::size_t i = 1; i <= n; ++i) rest[i] = rest[i] - quotient * (*bottom)[i];
    rest.erase(rest.begin());
  }
  for (std::size_t i = 1; i <= n; ++i)
    gain.denominator.push_back(stated_number(normal_form((*bottom)[i] / (*bottom)[0]), graph, branch));
  for (const ex& c : rest) gain.numerator.push_back(stated_number(normal_form(c / (*bottom)[0]), graph, branch));
  gain.numerator.insert(gain.numerator.begin(), n - gain.numerator.size(), 0.0);
  while (!gain.polynomial.empty() && gain.polynomial.back() == 0) gain.polynomial.pop_back();
  return gain;
}

/// What both ways to the equations share: inputs, laws and their arguments, outputs.
class Building {
 public:
  Building(const PrincipalForm& form, const SignalFlowGraph& graph)
      : form_(form), graph_(graph), laws_(equations_), law_values_(form.laws.size()) {
    equations_.argument = GiNaC::symbol("x");
    equations_.time = form.time;
    equations_.signals.push_back({.name = "1", .kind = Kind::unit});
    laws_.define(form.time, {}, "t");
    for (const NodeId source : form.sources) {
      const std::string& name = form.linear[source].name;
      const bool driven = !form.linear.entering(source).empty();
      equations_.inputs.push_back(add_signal({.name = driven ? name + "_in" : name, .kind = Kind::source}));
    }
  }
  virtual ~Building() = default;

 protected:
  /// What an argument or sink of the form is made of.
  virtual SignalSum at(NodeId) = 0;

  std::size_t add_signal(Signal signal) {
    const std::string wanted = signal.name;
    const auto taken = [&] {
      return std::ranges::find(equations_.signals, signal.name, &Signal::name) != equations_.signals.end();
    };
    for (int n = 2; taken(); ++n) signal.name = wanted + "_" + std::to_string(n);
    equations_.signals.push_back(std::move(signal));
    return equations_.signals.size() - 1;
  }

  std::size_t named_sum(const SignalSum& value, const std::string& name) {
    std::vector<Term> terms;
    for (const auto& [signal, factor] : value) terms.push_back({signal, factor});
    return add_signal({.name = name, .kind = Kind::sum, .terms = std::move(terms)});
  }

  SignalSum law(std::size_t index) {
    auto& [value, begun] = law_values_[index];
    if (value) return *value;
    const PrincipalForm::Law& law = form_.laws[index];
    const std::string& head = form_.linear[law.head].name;
    if (begun)
      throw NoAnswer("branch " + form_.arguments[law.arguments.at(0)].signal + " -> " + head +
                         ": its law is part of a loop without integrator, which no analog program has",
                     "put a dynamic gain into the loop: 1/(T*s + 1) with a small T", graph_[law.branch].where);
    begun = true;
    for (const std::size_t argument : law.arguments) define(argument);
    value = laws_(with_time(law.law), head, graph_[law.branch].where);
    return *value;
  }

  void take_outputs() {
    for (const NodeId sink : form_.sinks) {
      const SignalSum value = at(sink);
      const bool alone = value.size() == 1 && value.begin()->second == 1;
      equations_.outputs.push_back(alone ? value.begin()->first : named_sum(value, form_.linear[sink].name));
    }
  }

  const PrincipalForm& form_;
  const SignalFlowGraph& graph_;  ///< as given
  AnalogEquations equations_;

 private:
  void define(std::size_t index) {
    const auto& argument = form_.arguments[index];
    if (!defined_.insert(index).second) return;
    SignalSum value = at(argument.node);
    if (value.size() > 1) value = {{named_sum(value, form_.linear[argument.node].name), 1.0}};
    laws_.define(argument.symbol, std::move(value), form_.linear[argument.node].name);
  }

  /// A law with t beside signals needs the time as a signal.
  ex with_time(const ex& law) {
    if (law.has(form_.time) && !clock_) {
      clock_ = add_signal({.name = "t", .kind = Kind::source, .law = form_.time});
      laws_.define(form_.time, {{*clock_, 1.0}}, "t");
    }
    return law;
  }

  LawElements laws_;
  std::vector<std::pair<std::optional<SignalSum>, bool>> law_values_;
  std::set<std::size_t> defined_;
  std::optional<std::size_t> clock_;
};

/// The program of the branches themselves.
class FromBranches : public Building {
 public:
  FromBranches(const PrincipalForm& form, const SignalFlowGraph& graph, const Budget& budget)
      : Building(form, graph), budget_(budget), nodes_(form.linear.nodes().size()) {}

  AnalogEquations operator()() {
    for (const NodeId node : form_.linear.node_ids()) split(node);
    take_outputs();
    while (open_ < integrals_.size()) rate(integrals_[open_++]);
    return std::move(equations_);
  }

 private:
  struct Part {
    NodeId from;
    std::vector<double> coefficients;
    BranchId branch;
  };
  /// Integrators of branches with one denominator into one node.
  struct Block {
    std::vector<double> a;
    std::vector<Part> parts;
    std::vector<std::size_t> states;
  };
  struct NodeParts {
    std::vector<Part> polynomials;
    std::vector<Block> blocks;
    std::optional<SignalSum> value;
    bool begun = false;
  };
  struct Integral {
    NodeId node;
    std::size_t block, place;
    std::optional<SignalSum> rate = {};
    bool begun = false;
  };

  void split(NodeId node) {
    budget_.check("splitting gains into integrators");
    NodeParts& parts = nodes_[node.index];
    for (const BranchId id : form_.linear.entering(node)) {
      const Branch& branch = form_.linear[id];
      const Gain gain = gain_of(form_.linear, branch);
      if (!gain.polynomial.empty()) parts.polynomials.push_back({branch.from, gain.polynomial, id});
      if (std::ranges::all_of(gain.numerator, [](double c) { return c == 0; })) continue;
      auto block = std::ranges::find(parts.blocks, gain.denominator, &Block::a);
      if (block == parts.blocks.end()) block = parts.blocks.insert(block, {gain.denominator, {}, {}});
      block->parts.push_back({branch.from, gain.numerator, id});
    }
    for (std::size_t block = 0; block < parts.blocks.size(); ++block) add_states(node, block);
  }

  void add_states(NodeId node, std::size_t number) {
    NodeParts& parts = nodes_[node.index];
    Block& block = parts.blocks[number];
    const bool alone = parts.polynomials.empty() && parts.blocks.size() == 1 && !is_source(node);
    const std::string& head = form_.linear[node].name;
    const std::string name = alone ? head : free_name(form_.linear, head + "_" + form_.linear[block.parts[0].from].name);
    AnalogEquations::Chain chain{{name}, {}, block.a};
    bool rates = alone;  // whether z_2 is the rate of x itself
    for (std::size_t j = 0; j < block.a.size(); ++j) {
      if (j > 0) chain.names.push_back(form_.linear.op.name_of_rate(chain.names.back()));
      const bool plain = rates || j == 0;
      block.states.push_back(
          add_signal({.name = plain ? chain.names.back() : name + "_" + std::to_string(j + 1), .kind = Kind::integral}));
      rates = rates && block.a[j] == 0 && std::ranges::all_of(block.parts, [&](const Part& p) { return p.coefficients[j] == 0; });
      integral_of_.emplace(block.states.back(), Integral{node, number, j});
      integrals_.push_back(block.states.back());
    }
    chain.states = block.states;
    equations_.chains.push_back(std::move(chain));
  }

  bool is_source(NodeId node) const { return std::ranges::find(form_.sources, node) != form_.sources.end(); }

  SignalSum at(NodeId node) override {
    NodeParts& parts = nodes_[node.index];
    if (parts.value) return *parts.value;
    if (parts.begun)
      throw NoProgram{"the loop through " + form_.linear[node].name + " has no integrator", form_.linear[node].where};
    parts.begun = true;
    SignalSum value;
    for (std::size_t i = 0; i < form_.sources.size(); ++i)
      if (form_.sources[i] == node) add(value, {{equations_.inputs[i], 1.0}});
    for (std::size_t i = 0; i < form_.laws.size(); ++i)
      if (form_.laws[i].output == node) add(value, law(i));
    for (const Block& block : parts.blocks) add(value, {{block.states[0], 1.0}});
    for (const Part& part : parts.polynomials)
      for (std::size_t order = 0; order < part.coefficients.size(); ++order)
        if (part.coefficients[order] != 0) add(value, derivative(part, order), part.coefficients[order]);
    if (value.size() > 1 && form_.linear.leaving(node).size() > 1) value = {{named_sum(value, form_.linear[node].name), 1.0}};
    parts.value = value;
    return value;
  }

  SignalSum derivative(const Part& part, std::size_t order) {
    SignalSum value = at(part.from);
    try {
      for (; order > 0; --order) value = rate(value);
    } catch (NoProgram& problem) {
      const Branch& branch = form_.linear[part.branch];
      throw NoProgram{branch_name(form_.linear, branch) + " asks for a rate: " + problem.reason, branch.where};
    }
    return value;
  }

  SignalSum rate(const SignalSum& value) {
    SignalSum result;
    for (const auto& [signal, factor] : value) add(result, rate(signal), factor);
    return result;
  }

  SignalSum rate(std::size_t signal) {
    const Kind kind = equations_.signals[signal].kind;
    if (kind == Kind::integral) return integrand(signal);
    if (kind == Kind::unit) return {};
    if (kind != Kind::sum) throw NoProgram{equations_.signals[signal].name + " has no integrator", {}};
    SignalSum result;
    for (const Term& term : std::vector(equations_.signals[signal].terms)) add(result, rate(term.signal), term.factor);
    return result;
  }

  /// z_j' = z_{j+1} − a_j z_1 + Σ b_j u
  SignalSum integrand(std::size_t signal) {
    Integral& integral = integral_of_.at(signal);
    if (integral.rate) return *integral.rate;
    if (integral.begun) throw NoProgram{"the rate of " + equations_.signals[signal].name + " depends on itself", {}};
    integral.begun = true;
    const Block& block = nodes_[integral.node.index].blocks[integral.block];
    SignalSum rate;
    if (integral.place + 1 < block.states.size()) add(rate, {{block.states[integral.place + 1], 1.0}});
    if (block.a[integral.place] != 0) add(rate, {{block.states[0], 1.0}}, -block.a[integral.place]);
    for (const Part& part : block.parts)
      if (const double b = part.coefficients[integral.place]; b != 0) add(rate, at(part.from), b);
    integral.rate = rate;
    for (const auto& [of, factor] : rate) equations_.signals[signal].terms.push_back({of, factor});
    return rate;
  }

  const Budget& budget_;
  std::vector<NodeParts> nodes_;
  std::map<std::size_t, Integral> integral_of_;
  std::vector<std::size_t> integrals_;
  std::size_t open_ = 0;
};

/// The program of the exact state space of the linear part.
class FromStates : public Building {
 public:
  FromStates(const PrincipalForm& form, const SignalFlowGraph& graph, StateSpace space)
      : Building(form, graph), space_(std::move(space)) {}

  AnalogEquations operator()() {
    for (const std::string& name : space_.states) {
      states_.push_back(add_signal({.name = name, .kind = Kind::integral}));
      equations_.chains.push_back({{name}, {states_.back()}, {0.0}});
    }
    take_outputs();
    for (std::size_t i = 0; i < states_.size(); ++i)
      for (const auto& [signal, factor] : row(space_.A[i], space_.B[i]))
        equations_.signals[states_[i]].terms.push_back({signal, factor});
    return std::move(equations_);
  }

 private:
  SignalSum at(NodeId node) override {
    const auto& outputs = form_.linear.outputs;
    const auto place = static_cast<std::size_t>(std::ranges::find(outputs, node) - outputs.begin());
    return row(space_.C.at(place), space_.D.at(place));
  }

  SignalSum row(const std::vector<ex>& of_states, const std::vector<ex>& of_inputs) {
    SignalSum result;
    for (std::size_t j = 0; j < of_states.size(); ++j)
      if (const double k = value(of_states[j]); k != 0) add(result, {{states_[j], k}});
    for (std::size_t j = 0; j < of_inputs.size(); ++j) {
      const double k = value(of_inputs[j]);
      if (k == 0) continue;
      const std::size_t sources = form_.sources.size();
      add(result, j < sources ? SignalSum{{equations_.inputs[j], 1.0}} : law(j - sources), k);
    }
    return result;
  }

  double value(const ex& e) const {
    if (const auto found = double_value(e)) return *found;
    throw missing_values(e, form_.linear.symbols);
  }

  StateSpace space_;
  std::vector<std::size_t> states_;
};

/// Signals that no output depends on are left out.
AnalogEquations needed(const AnalogEquations& all) {
  std::vector<bool> matters(all.signals.size(), false);
  std::vector<std::size_t> open = all.outputs;
  for (open.insert(open.end(), all.inputs.begin(), all.inputs.end()); !open.empty();) {
    const std::size_t signal = open.back();
    open.pop_back();
    if (matters[signal]) continue;
    matters[signal] = true;
    for (const Term& term : all.signals[signal].terms) open.push_back(term.signal);
  }
  matters[0] = true;
  AnalogEquations result = all;
  std::vector<std::size_t> place(all.signals.size(), 0);
  result.signals.clear();
  for (std::size_t i = 0; i < all.signals.size(); ++i)
    if (matters[i]) {
      place[i] = result.signals.size();
      result.signals.push_back(all.signals[i]);
    }
  for (Signal& signal : result.signals)
    for (Term& term : signal.terms) term.signal = place[term.signal];
  for (auto* list : {&result.inputs, &result.outputs})
    for (std::size_t& signal : *list) signal = place[signal];
  std::erase_if(result.chains,
                [&](const auto& chain) { return std::ranges::any_of(chain.states, [&](std::size_t s) { return !matters[s]; }); });
  for (auto& chain : result.chains)
    for (std::size_t& state : chain.states) state = place[state];
  return result;
}

StateSpace stated_linear_part(const PrincipalForm& form, const NoProgram& problem, const Budget& budget) {
  try {
    return state_space(form.linear, {.inputs = form.linear.inputs, .outputs = form.linear.outputs, .budget = budget});
  } catch (const NoAnswer& none) {
    throw NoAnswer("there is no analog program: " + problem.reason + "; " + none.what(),
                   "an analog computer does not differentiate: let the rate be the input and integrate it, or add a lag 1/(T*s + "
                   "1) with a small T",
                   problem.where);
  }
}

void check_values(const SignalFlowGraph& graph, const PrincipalForm& form) {
  std::set<std::string> missing;
  const auto look = [&](const ex& e, const std::set<std::string>& known) {
    for (const std::string& name : symbol_names(e))
      if (!known.contains(name)) missing.insert(name);
  };
  for (const Branch& branch : form.linear.branches()) look(branch.gain(), {graph.op.symbol()});
  for (const auto& law : form.laws) {
    std::set<std::string> known{print(form.time)};
    for (const std::size_t argument : law.arguments) known.insert(print(form.arguments[argument].symbol));
    look(law.law, known);
  }
  if (!missing.empty()) throw missing_values(missing, graph.symbols);
}

}  // namespace

AnalogEquations analog_equations(const SignalFlowGraph& stated, const AnalogEnds& ends, const Budget& budget) {
  if (stated.op.discrete())
    throw Error(stated.where, "an analog computer integrates: a graph in " + stated.op.symbol() + " has samples instead",
                "state the continuous graph in s");
  const SignalFlowGraph graph = stated.substituted(stated.parameter_values());
  const PrincipalForm form = principal_form(graph, ends.inputs, ends.outputs);
  check_values(graph, form);
  try {
    return needed(FromBranches(form, graph, budget)());
  } catch (const NoProgram& problem) {
    AnalogEquations equations = needed(FromStates(form, graph, stated_linear_part(form, problem, budget))());
    equations.eliminated = true;
    equations.reason = problem.reason;
    return equations;
  }
}

std::vector<std::size_t> AnalogEquations::order() const {
  std::vector<std::size_t> result;
  std::vector<bool> seen(signals.size(), false);
  for (std::size_t root = 0; root < signals.size(); ++root) {
    std::vector<std::pair<std::size_t, std::size_t>> path{{root, 0}};
    if (seen[root]) continue;
    seen[root] = true;
    while (!path.empty()) {
      auto& [signal, next] = path.back();
      if (is_state(signal) || next == signals[signal].terms.size()) {
        if (!is_state(signal)) result.push_back(signal);
        path.pop_back();
      } else if (const std::size_t input = signals[signal].terms[next++].signal; !seen[input] && !is_state(input)) {
        seen[input] = true;
        path.emplace_back(input, 0);
      }
    }
  }
  return result;
}

void set_initial_values(AnalogEquations& equations, const std::map<std::string, double>& values) {
  std::set<std::string> known;
  for (const auto& chain : equations.chains) known.insert(chain.names.begin(), chain.names.end());
  for (const auto& [name, value] : values)
    if (!known.contains(name)) {
      std::string states;
      for (const std::string& each : known) states += " " + each;
      throw Error({}, "'" + name + "' is no state of the program", "the states are" + states);
    }
  for (const auto& chain : equations.chains) {
    std::vector<double> x;  // x, x', …
    for (const std::string& name : chain.names) x.push_back(values.contains(name) ? values.at(name) : 0.0);
    for (std::size_t j = 0; j < chain.states.size(); ++j) {
      double z = x[j];
      for (std::size_t i = 1; i <= j; ++i) z += chain.a[i - 1] * x[j - i];
      equations.signals[chain.states[j]].initial = z;
    }
  }
}

}  // namespace sfg
