// Both graphs are driven alike: random numbers at the sources, at every node that the rewriting leaves alone, and in the place
// of what nonlinear branches bring. Then every signal that stays must have the same value, one solution standing for all
// transfer functions at once (a random combination of them vanishes with a probability of degree/prime only).
#include "sfg/transfer/same_signals.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "sfg/ring/modular.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {

namespace {

using Kind = Rewriting::Kind;
using Values = std::map<std::string, std::uint64_t>;  // by node

constexpr std::size_t points_wanted = 2;
constexpr std::size_t attempts = 6;

/// What drives a graph: added at nodes, and brought by its nonlinear branches (by their order).
struct Drive {
  Values added;
  std::vector<std::uint64_t> nonlinear;
};

GiNaC::ex integer(std::uint64_t value) { return GiNaC::numeric(std::to_string(value).c_str()); }

/// The linear part of the graph with one source that brings all of the drive.
SignalFlowGraph driven(const SignalFlowGraph& graph, const Drive& drive, NodeId& source) {
  SignalFlowGraph result;
  result.op = graph.op;
  for (const Node& node : graph.nodes()) result.add_node(node);
  std::string name = "*";
  while (result.find(name)) name += '*';
  source = result.add_node({name, {}, {}});
  std::size_t nonlinear = 0;
  for (const Branch& branch : graph.branches()) {
    if (branch.linear())
      result.add_branch(branch);
    else
      result.add_branch(source, branch.to, integer(drive.nonlinear.at(nonlinear++)));
  }
  for (const auto& [node, value] : drive.added) result.add_branch(source, *graph.find(node), integer(value));
  return result;
}

/// Values of all signals; nothing when the point is unlucky or the graph singular.
std::optional<Values> signals(const SignalFlowGraph& graph, const Drive& drive, const ModularPoint& point, const Budget& budget) {
  NodeId source;
  const SignalFlowGraph linear = driven(graph, drive, source);
  try {
    ModularElimination elimination(linear, point, {}, budget);
    Values values;
    for (NodeId id : graph.node_ids()) {
      const auto value = elimination.response({source, id, Question::Mode::source, {}});
      if (!value) return std::nullopt;
      values.emplace(graph[id].name, *value);
    }
    return values;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
}

/// An upper bound of the degree of numerator and denominator of an expression.
double degree_bound(const GiNaC::ex& e, std::size_t depth = 0) {
  constexpr std::size_t deepest = 2000;
  if (GiNaC::is_a<GiNaC::numeric>(e)) return 0;
  if (e.nops() == 0 || depth > deepest) return 1;
  if (GiNaC::is_a<GiNaC::power>(e) && e.op(1).info(GiNaC::info_flags::integer))
    return degree_bound(e.op(0), depth + 1) * std::abs(GiNaC::ex_to<GiNaC::numeric>(e.op(1)).to_double());
  double sum = 0;
  for (std::size_t i = 0; i < e.nops(); ++i) sum += degree_bound(e.op(i), depth + 1);
  return std::max(sum, 1.0);
}

double degree_bound(const SignalFlowGraph& graph) {
  double sum = static_cast<double>(graph.nodes().size());
  for (const Branch& branch : graph.branches())
    if (branch.linear()) sum += degree_bound(branch.gain());
  return sum;
}

bool contains_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Drives both graphs and compares them at one point.
class Comparison {
 public:
  Comparison(const SignalFlowGraph& before, const SignalFlowGraph& after, const Rewriting& action, const ModularPoint& point,
             const Budget& budget)
      : before_(before), after_(after), action_(action), point_(point), budget_(budget), ring_(point.prime()) {}

  /// Nothing when the point does not serve.
  std::optional<bool> equal() {
    if (action_.kind == Kind::transpose) return equal_bilinear_forms();
    Drive drive{{}, {}};
    for (const Node& node : before_.nodes())
      if (!changed(node.name)) drive.added.emplace(node.name, random("added " + node.name));
    for (const Branch& branch : before_.branches())
      if (!branch.linear()) drive.nonlinear.push_back(random("nonlinear " + std::to_string(drive.nonlinear.size())));
    const auto x = signals(before_, drive, point_, budget_);
    if (!x) return std::nullopt;
    const auto moved = moved_drive(drive, *x);
    if (!moved) return std::nullopt;
    const auto y = signals(after_, *moved, point_, budget_);
    if (!y) return std::nullopt;
    return equal_values(*x, *y);
  }

 private:
  std::uint64_t random(const std::string& name) const { return point_.residue("drive of " + name); }

  /// True when the rewriting changes the node's own equation (or the node goes): nothing may be added there.
  bool changed(const std::string& name) const {
    switch (action_.kind) {
      case Kind::merge_parallel:
      case Kind::insert:
      case Kind::ask: return false;
      case Kind::invert:
        return name != action_.nodes.front() ? contains_name(action_.nodes, name) : action_.nodes.front() == action_.nodes.back();
      case Kind::join: return false;
      default: return contains_name(action_.nodes, name);
    }
  }

  /// What drives the graph after so that its signals are those of the graph before.
  std::optional<Drive> moved_drive(const Drive& drive, const Values& x) const {
    Drive moved = drive;
    const auto& nodes = action_.nodes;
    if (action_.kind == Kind::invert && nodes.front() != nodes.back()) {
      moved.added.erase(nodes.front());
      moved.added[nodes.back()] = x.at(nodes.back());
    }
    if (action_.kind == Kind::split) moved.added[nodes[1]] = x.at(nodes[0]);
    if (action_.kind == Kind::join) {
      // The loop is closed: what the source brought beyond the sink's signal is now added at the node.
      moved.added.erase(nodes[0]);
      moved.added.erase(nodes[1]);
      const std::uint64_t sink_part = ring_.subtract(x.at(nodes[1]), drive.added.at(nodes[1]));
      moved.added[nodes[2]] = ring_.subtract(x.at(nodes[0]), sink_part);
    }
    return scale_nonlinear(moved) ? std::optional(moved) : std::nullopt;
  }

  /// A nonlinear branch into a node whose equation was multiplied brings that multiple.
  bool scale_nonlinear(Drive& moved) const {
    const std::vector<std::uint64_t> brought = std::exchange(moved.nonlinear, {});
    std::size_t k = 0;
    for (const Branch& branch : before_.branches()) {
      if (branch.linear()) continue;
      const std::string& head = before_[branch.to].name;
      const auto factor = factor_of(head);
      if (!factor) return false;
      const std::uint64_t value = ring_.multiply(brought[k++], *factor);
      if (action_.kind != Kind::eliminate || head != action_.nodes[0]) moved.nonlinear.push_back(value);
    }
    return true;
  }

  std::optional<std::uint64_t> factor_of(const std::string& node) const {
    const auto& nodes = action_.nodes;
    GiNaC::ex factor = 1;
    if (action_.kind == Kind::scale && node == nodes[0]) factor = action_.value;
    if (action_.kind == Kind::self_loop && node == nodes[0]) factor = 1 - action_.value;
    if (action_.kind == Kind::absorb && node == nodes[0]) {
      const NodeId id = *before_.find(node);
      factor = 1 / (1 - gain_between(before_, id, id));
    }
    if (action_.kind == Kind::invert)
      for (std::size_t i = 1; i < nodes.size(); ++i)
        if (nodes[i] == node) factor = -1 / gain_between(before_, *before_.find(nodes[i - 1]), *before_.find(node));
    return point_(factor);
  }

  bool equal_values(const Values& x, const Values& y) const {
    for (const auto& [name, value] : x) {
      auto other = y.find(name);
      if (action_.kind == Kind::split && name == action_.nodes[0]) other = y.find(action_.nodes[2]);
      if (action_.kind == Kind::join && name == action_.nodes[0]) other = y.find(action_.nodes[2]);
      if (action_.kind == Kind::join && name == action_.nodes[1]) continue;
      if (other == y.end()) continue;
      std::uint64_t expected = value;
      if (action_.kind == Kind::scale && name == action_.nodes[0]) {
        const auto k = point_(action_.value);
        expected = ring_.multiply(value, k.value_or(0));
      }
      if (other->second != expected) return false;
    }
    return true;
  }

  /// cᵀ M⁻¹ b = bᵀ M⁻ᵀ c for random b and c.
  std::optional<bool> equal_bilinear_forms() {
    Drive b, c;
    for (const Node& node : before_.nodes()) {
      b.added.emplace(node.name, random("b " + node.name));
      c.added.emplace(node.name, random("c " + node.name));
    }
    const auto x = signals(before_, b, point_, budget_);
    const auto y = signals(after_, c, point_, budget_);
    if (!x || !y) return std::nullopt;
    std::uint64_t forward = 0, backward = 0;
    for (const Node& node : before_.nodes()) {
      forward = ring_.add(forward, ring_.multiply(c.added.at(node.name), x->at(node.name)));
      backward = ring_.add(backward, ring_.multiply(b.added.at(node.name), y->at(node.name)));
    }
    return forward == backward;
  }

  const SignalFlowGraph& before_;
  const SignalFlowGraph& after_;
  const Rewriting& action_;
  const ModularPoint& point_;
  const Budget& budget_;
  ring::ModularRing ring_;
};

RandomPoints points_of(const SignalFlowGraph& before, const SignalFlowGraph& after) {
  std::vector<GiNaC::ex> gains;
  for (const SignalFlowGraph* graph : {&before, &after})
    for (const Branch& branch : graph->branches())
      if (branch.linear()) gains.push_back(branch.gain());
  return RandomPoints(gains);
}

}  // namespace

Verification same_signals(const SignalFlowGraph& before, const SignalFlowGraph& after, const Rewriting& action,
                          std::uint64_t seed, const Budget& budget) {
  Verification result;
  const RandomPoints random = points_of(before, after);
  for (std::size_t attempt = 0; attempt < attempts && result.points < points_wanted; ++attempt) {
    const ModularPoint point = random(seed * 7919 + attempt, budget);
    const auto equal = Comparison(before, after, action, point, budget).equal();
    if (!equal) continue;
    if (!*equal) throw std::logic_error("reduce: the step '" + to_string(action.kind) + "' changed signals that should stay");
    ++result.points;
  }
  if (result.points == 0) {
    result.method = "not verified: the graph is singular";
    result.error_bound = 1;
    return result;
  }
  const double chance = std::min(1.0, random.chance_factor() * (degree_bound(before) + degree_bound(after)) / 0x1p60);
  result.method = "all signals by sparse LU modulo " + std::to_string(result.points) +
                  (result.points == 1 ? " prime" : " primes") + " of 61 bits";
  result.error_bound = std::pow(chance, static_cast<double>(result.points));
  return result;
}

}  // namespace sfg
