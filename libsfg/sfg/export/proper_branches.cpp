#include "sfg/export/proper_branches.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <set>

#include "sfg/error.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/components.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

/// Joins improper branches with their neighbours, one after the other.
class Joining {
 public:
  explicit Joining(const ExportSubject& subject) : graph_(subject.graph) {
    for (const Question& question : subject.questions) {
      kept_.insert(question.output);
      driven_.insert(driver(question));
    }
    for (const NodeId source : graph_.sources()) driven_.insert(source);
    for (const Branch& branch : graph_.branches())
      add(branch.from, branch.to, branch.gain(), graph_[branch.from].name + " to " + graph_[branch.to].name);
    most_coefficients_ = std::max<std::size_t>(9, 2 * longest_);
  }

  std::optional<std::vector<ProperBranch>> operator()(const Budget& budget) {
    const std::size_t most = 4 * branches_.size() + 100;
    for (std::size_t steps = 0; steps < most && branches_.size() < most; ++steps) {
      const auto improper = std::ranges::find_if(excess_, [](int excess) { return excess > 0; });
      if (improper == excess_.end()) return std::move(branches_);
      budget.check("the blocks");
      if (!join(static_cast<std::size_t>(improper - excess_.begin()))) return {};
    }
    return {};
  }

 private:
  using Indices = std::vector<std::size_t>;

  void add(NodeId from, NodeId to, const GiNaC::ex& gain, std::string name) {
    const OperatorFraction fraction = operator_fraction(gain, graph_);
    longest_ = std::max(longest_, fraction.denominator.size());
    branches_.push_back({from, to, gain, std::move(name)});
    excess_.push_back(fraction.numerator[0].is_zero() ? 0 : fraction.excess());
  }

  Indices those(NodeId ProperBranch::*end, NodeId node) const {
    Indices found;
    for (std::size_t k = 0; k < branches_.size(); ++k)
      if (branches_[k].*end == node) found.push_back(k);
    return found;
  }

  /// The greatest excess after a joining. Where there are no neighbours the branch is lost: it brings nothing, or to no one.
  int worst(std::size_t improper, const Indices& neighbours) const {
    int worst = -1;
    for (const std::size_t k : neighbours) worst = std::max(worst, excess_[k] + excess_[improper]);
    return worst;
  }

  bool join(std::size_t improper) {
    const ProperBranch branch = branches_[improper];
    const Indices before = those(&ProperBranch::to, branch.from), behind = those(&ProperBranch::from, branch.to);
    const bool loop = branch.from == branch.to;
    const bool backward = !loop && !driven_.contains(branch.from);
    const bool forward = !loop && !kept_.contains(branch.to);
    const int back = backward ? worst(improper, before) : 1000, front = forward ? worst(improper, behind) : 1000;
    if (std::min(back, front) > excess_[improper]) return false;
    if (back <= front)
      for (const std::size_t k : before) put_together(branches_[k], branch, graph_[branch.from].name);
    else
      for (const std::size_t k : behind) put_together(branch, branches_[k], graph_[branch.to].name);
    if (longest_ > most_coefficients_) return false;
    branches_.erase(branches_.begin() + static_cast<std::ptrdiff_t>(improper));
    excess_.erase(excess_.begin() + static_cast<std::ptrdiff_t>(improper));
    return true;
  }

  void put_together(ProperBranch first, ProperBranch second, const std::string& middle) {
    const GiNaC::ex s = graph_.op.in(graph_.symbols);
    add(first.from, second.to, normal_form(first.gain * second.gain, s),
        graph_[first.from].name + " to " + graph_[second.to].name + " by " + middle);
  }

  const SignalFlowGraph& graph_;
  std::set<NodeId> kept_, driven_;
  std::vector<ProperBranch> branches_;
  std::vector<int> excess_;
  std::size_t longest_ = 0, most_coefficients_ = 0;  // of a gain
};

bool rational_in(const GiNaC::ex& gain, const GiNaC::ex& s) {
  const PolynomialSpace space(std::span(&gain, 1), s);
  for (std::size_t k = 0; k < space.size(); ++k)
    if (space.generator(k) != s && space.generator(k).has(s)) return false;
  return true;
}

bool improper_in(const GiNaC::ex& gain, const GiNaC::ex& s) {
  if (!rational_in(gain, s)) return false;
  const auto [above, below] = fraction(gain, s);
  return above.degree(s) > below.degree(s);
}

}  // namespace

OperatorFraction operator_fraction(const GiNaC::ex& gain, const SignalFlowGraph& graph) {
  const RationalTransfer transfer = rational_transfer(gain, graph.op, graph.symbols);
  OperatorFraction result{transfer.numerator, transfer.denominator};
  if (result.numerator.empty()) result = {{0}, {1}};
  return result;
}

std::optional<std::vector<ProperBranch>> proper_branches(const ExportSubject& subject, const Budget& budget) {
  return Joining(subject)(budget);
}

SignalFlowGraph at_infinity(const SignalFlowGraph& graph) {
  SignalFlowGraph direct;
  direct.symbols = graph.symbols;
  for (const Node& node : graph.nodes()) direct.node(node.name);
  for (const Branch& branch : graph.branches()) {
    const OperatorFraction gain = operator_fraction(branch.gain(), graph);
    if (gain.excess() == 0 && !gain.numerator[0].is_zero())
      direct.add_branch(branch.from, branch.to, gain.numerator[0] / gain.denominator[0]);
  }
  return direct;
}

bool algebraic_loop(const SignalFlowGraph& direct) {
  return std::ranges::any_of(strong_components(direct), [](const std::vector<NodeId>& part) { return part.size() > 1; }) ||
         std::ranges::any_of(direct.branches(), [](const Branch& branch) { return branch.from == branch.to; });
}

bool solvable(const SignalFlowGraph& direct, const Budget& budget) {
  return singular_parts(direct, budget).empty() && !singular_with_values(direct, budget);
}

void refuse_branch(const SignalFlowGraph& graph, const Branch& branch, const std::string& what, const std::string& hint) {
  throw NoAnswer("the branch '" + graph[branch.from].name + "' -> '" + graph[branch.to].name + "' " + what, hint, branch.where);
}

void refuse_laws(const ExportSubject& subject) {
  for (const Branch& branch : subject.graph.branches())
    if (!branch.linear())
      refuse_branch(subject.graph, branch, "is nonlinear, which this target does not know",
                    "the targets octave, python and c simulate it; json, graphml and latex write it as it stands");
}

void refuse_gains(const ExportSubject& subject) {
  const GiNaC::ex s = subject.graph.op.in(subject.graph.symbols);
  for (const Branch& branch : subject.graph.branches())
    if (branch.linear() && !rational_in(branch.gain(), s))
      refuse_branch(subject.graph, branch,
                    "has a gain that is no fraction of polynomials (dead time, a root), which this target does not know",
                    "the targets json, csv, graphml, latex and html-snippet write it as it stands");
}

void refuse_improper(const ExportSubject& subject, const std::string& label) {
  const GiNaC::ex s = subject.graph.op.in(subject.graph.symbols);
  constexpr const char* others =
      "the targets octave, python and scilab have the frequency response; json, csv and latex write it as it stands";
  for (const Branch& branch : subject.graph.branches())
    if (branch.linear() && improper_in(branch.gain(), s))
      refuse_branch(subject.graph, branch, "makes the response '" + label + "' improper, which this target does not know",
                    others);
  throw NoAnswer("the response '" + label + "' is improper, which this target does not know", others);
}

}  // namespace sfg
