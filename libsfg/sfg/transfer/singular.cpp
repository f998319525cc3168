#include "sfg/transfer/singular.hpp"

#include <ginac/operators.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/components.hpp"
#include "sfg/graph/independent_gains.hpp"
#include "sfg/graph/loops.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

namespace {

constexpr std::size_t points = 2;
constexpr std::uint64_t first_seed = 7001;
constexpr std::size_t most_loops = 16;  ///< subsets of so many loops are searched for a culprit

/// Calls `zero` at points where all gains have a value, until it says false or it was true at `points` of them.
template <class ZeroAt>
bool vanishes_at_random(const RandomPoints& random, const Budget& budget, ZeroAt zero) {
  std::size_t seen = 0;
  for (std::uint64_t seed = first_seed; seen < points && seed < first_seed + 20; ++seed) {
    try {
      if (!zero(random(seed, budget))) return false;
      ++seen;
    } catch (const std::domain_error&) {
    }
  }
  return seen == points;
}

bool vanishes_in_letters(const SignalFlowGraph& graph, const std::vector<bool>& nodes, const Budget& budget) {
  return vanishes_at_random(random_points(graph, nodes), budget, [&](const ModularPoint& point) {
    return ModularElimination(graph, point, nodes, budget).determinant() == 0;
  });
}

/// Identities of functions count: a loop of gain sin² + cos² is one of gain 1. Roots are those of positive letters.
bool determinant_vanishes(const SignalFlowGraph& graph, const std::vector<bool>& nodes, const Budget& budget) {
  IndependentFunctions functions(gains_between(graph, nodes), graph.op.in(graph.symbols));
  if (!functions.needed()) return vanishes_in_letters(graph, nodes, budget);
  return vanishes_in_letters(with_independent_gains(graph, functions, nodes), nodes, budget);
}

/// Of negative letters, too: √(K²)/K is 1 for positive ones alone.
bool vanishes_for_negative(const SignalFlowGraph& graph, const std::vector<bool>& nodes, const Budget& budget) {
  GiNaC::exmap negative;
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.name != graph.op.symbol()) negative[symbol.expr] = -symbol.expr;
  return determinant_vanishes(graph.substituted(negative), nodes, budget);
}

bool touch(const Path& a, const Path& b) {
  return std::any_of(a.nodes.begin(), a.nodes.end(),
                     [&](NodeId id) { return std::find(b.nodes.begin(), b.nodes.end(), id) != b.nodes.end(); });
}

/// Δ of a set of loops alone: the sum over its subsets of pairwise non-touching ones.
GiNaC::ex determinant_of_loops(const std::vector<Path>& loops, const std::vector<GiNaC::ex>& gains,
                               std::vector<std::size_t> set) {
  if (set.empty()) return 1;
  const std::size_t last = set.back();
  set.pop_back();
  const GiNaC::ex without = determinant_of_loops(loops, gains, set);
  std::erase_if(set, [&](std::size_t i) { return touch(loops[i], loops[last]); });
  return without - gains[last] * determinant_of_loops(loops, gains, set);
}

/// Loops of a singular component that cannot be spared: taken out one by one, the longest first, as long as Δ of the rest is 0.
std::vector<std::vector<NodeId>> culprits(const SignalFlowGraph& graph, const std::vector<bool>& component,
                                          const Budget& budget) {
  std::vector<Path> loops;
  bool too_many = false;
  for_each_loop(
      graph,
      [&](const Path& loop) {
        if (component[loop.nodes.front().index]) loops.push_back(loop);
        too_many = loops.size() > most_loops;
        return !too_many;
      },
      budget);
  if (too_many) return {};
  std::stable_sort(loops.begin(), loops.end(), [](const Path& a, const Path& b) { return a.nodes.size() < b.nodes.size(); });
  std::vector<GiNaC::ex> gains;
  std::vector<std::size_t> needed;
  for (const Path& loop : loops) {
    needed.push_back(gains.size());
    gains.push_back(loop_gain(graph, loop));
  }
  for (std::size_t i = loops.size(); i-- > 0;) {
    std::vector<std::size_t> fewer = needed;
    std::erase(fewer, i);
    if (vanishes(determinant_of_loops(loops, gains, fewer))) needed = std::move(fewer);
  }
  std::vector<std::vector<NodeId>> found;
  for (const std::size_t i : needed) found.push_back(loops[i].nodes);
  return found;
}

std::string loop_text(const SignalFlowGraph& graph, const std::vector<NodeId>& nodes) {
  std::string text;
  for (const NodeId id : nodes) text += graph[id].name + " -> ";
  return text + graph[nodes.front()].name + " with gain " + print(loop_gain(graph, Path{nodes}));
}

std::string part_text(const SignalFlowGraph& graph, const SingularPart& part) {
  std::string text = part.loops.size() == 1 ? "loop " : "loops ";
  for (std::size_t i = 0; i < part.loops.size(); ++i) text += (i == 0 ? "" : ", ") + loop_text(graph, part.loops[i]);
  if (!part.loops.empty()) return text;
  text = "the loops through ";
  for (std::size_t i = 0; i < part.nodes.size() && i < 8; ++i) text += (i == 0 ? "" : ", ") + graph[part.nodes[i]].name;
  return part.nodes.size() > 8 ? text + ", …" : text;
}

bool linear_within(const SignalFlowGraph& graph, const std::vector<bool>& nodes) {
  return std::all_of(graph.branches().begin(), graph.branches().end(), [&](const Branch& branch) {
    return branch.linear() || !nodes[branch.from.index] || !nodes[branch.to.index];
  });
}

}  // namespace

std::vector<SingularPart> singular_parts(const SignalFlowGraph& graph, const Budget& budget) {
  const std::vector<bool> all(graph.nodes().size(), true);
  if (linear_within(graph, all) && !determinant_vanishes(graph, all, budget)) return {};
  std::vector<SingularPart> parts;
  for (const auto& component : strong_components(graph)) {
    std::vector<bool> nodes(graph.nodes().size(), false);
    for (const NodeId id : component) nodes[id.index] = true;
    if (linear_within(graph, nodes) && determinant_vanishes(graph, nodes, budget))
      parts.push_back({component, culprits(graph, nodes, budget)});
  }
  return parts;
}

void require_regular(const SignalFlowGraph& graph, const Budget& budget) {
  const std::vector<SingularPart> parts = singular_parts(graph, budget);
  if (parts.empty()) return;
  std::string text;
  bool identically = true;
  for (const SingularPart& part : parts) {
    text += (text.empty() ? "" : "; ") + part_text(graph, part);
    std::vector<bool> nodes(graph.nodes().size(), false);
    for (const NodeId id : part.nodes) nodes[id.index] = true;
    identically = identically && vanishes_for_negative(graph, nodes, budget);
  }
  throw NoAnswer(std::string("the graph is singular, its determinant vanishes ") +
                     (identically ? "identically: " : "where the parameters under roots are positive: ") + text,
                 "a loop, or several together, feed back exactly what they receive; change a gain of them",
                 graph[parts.front().nodes.front()].where);
}

bool singular_with_values(const SignalFlowGraph& graph, const Budget& budget) {
  const GiNaC::exmap values = graph.parameter_values();
  const std::vector<bool> all(graph.nodes().size(), true);
  if (values.empty() || !linear_within(graph, all)) return false;
  const Symbol* variable = graph.symbols.find(graph.op.symbol());
  for (const Branch& branch : graph.branches())
    for (const std::string& name : symbol_names(branch.gain())) {
      const Symbol* symbol = graph.symbols.find(name);
      if (symbol != variable && !(symbol && values.contains(symbol->expr))) return false;
    }
  try {
    if (!determinant_vanishes(graph.substituted(values), all, budget)) return false;
  } catch (const Error&) {  // a gain that divides by zero
  }
  return !determinant_vanishes(graph, all, budget);
}

void require_driven(const SignalFlowGraph& graph, const Question& question, const Budget& budget) {
  if (question.mode != Question::Mode::ratio) return;
  const Question to_input{driver(question), question.input, Question::Mode::inject, {}};
  const std::vector<bool> nodes = relevant_nodes(graph, to_input);
  IndependentFunctions functions(gains_between(graph, nodes), graph.op.in(graph.symbols));
  const SignalFlowGraph own = functions.needed() ? with_independent_gains(graph, functions, nodes) : graph;
  const bool silent = vanishes_at_random(random_points(own, nodes), budget, [&](const ModularPoint& point) {
    return ModularElimination(own, point, nodes, budget).response(to_input) == 0u;
  });
  if (silent)
    throw NoAnswer("signal '" + graph[question.input].name + "' is 0 whatever '" + graph[driver(question)].name +
                       "' does, so that the ratio to it has no meaning",
                   Advice::change_reference, graph[question.input].where);
}

void require_answers(const SignalFlowGraph& graph, std::span<const Question> questions, const Budget& budget) {
  for (const Question& question : questions) {
    check_question(graph, question);
    require_linear(graph, relevant_nodes(graph, question));
  }
  require_regular(graph, budget);
  for (const Question& question : questions) require_driven(graph, question, budget);
}

}  // namespace sfg
