#include "sfg/graph/polynomial_rows.hpp"

#include <ginac/ginac.h>

#include "sfg/graph/draft.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {

namespace {

/// The branches into a node by their tails.
std::map<std::size_t, std::vector<BranchId>> branches_into(const SignalFlowGraph& graph, NodeId node) {
  std::map<std::size_t, std::vector<BranchId>> result;
  for (BranchId id : graph.entering(node)) {
    if (!graph[id].linear()) throw Error(nonlinear(graph, graph[id], "", "linearise it first"));
    result[graph[id].from.index].push_back(id);
  }
  return result;
}

void check_rational(const SignalFlowGraph& graph, const PolynomialSpace& space, const GiNaC::ex& s) {
  for (std::size_t i = 1; i < space.size(); ++i)
    if (space.generator(i).has(s))
      for (const Branch& branch : graph.branches())
        if (branch.gain().has(space.generator(i)))
          throw Error(branch.where,
                      "the gain of " + graph[branch.from].name + " -> " + graph[branch.to].name + " is not rational in " +
                          graph.op.symbol(),
                      "dead times and powers need an approximation first");
}

void add(PolynomialRows::Row& row, std::size_t node, const ring::Polynomial& value) {
  const auto [entry, is_new] = row.emplace(node, value);
  if (!is_new) entry->second += value;
  if (entry->second.is_zero()) row.erase(entry);
}

}  // namespace

std::size_t PolynomialRows::degree(std::size_t row, std::size_t node) const {
  const auto entry = left[row].find(node);
  return entry == left[row].end() ? 0 : entry->second.degree(0);
}

ring::Polynomial common_multiple(const ring::Polynomial& a, const ring::Polynomial& b) {
  if (a.is_one() || a == b) return b;
  return *exact_quotient(a, gcd(a, b)) * b;
}

ring::Polynomial common_denominator(const PolynomialSpace& space, const SignalFlowGraph& graph,
                                    std::span<const BranchId> branches, const RationalFunction& sum, const Budget& budget) {
  ring::Polynomial common = ring::Polynomial::constant(space.context(), 1);
  for (const BranchId id : branches) {
    ring::Polynomial left =
        branches.size() == 1 ? sum.denominator() : space.rational(graph[id].gain(), budget).reduced().denominator();
    if (const GiNaC::ex lost = hidden_modes(graph[id], graph.symbols); !lost.is_equal(1))
      left = left * space.rational(lost, budget).numerator();
    common = common_multiple(common, left);
  }
  return common;
}

PolynomialRows polynomial_rows(const SignalFlowGraph& graph) {
  const GiNaC::ex s = graph.op.in(graph.symbols);
  std::vector<std::map<std::size_t, std::vector<BranchId>>> branches;
  std::vector<GiNaC::ex> all{s};
  for (NodeId node : graph.node_ids()) {
    branches.push_back(branches_into(graph, node));
    for (BranchId id : graph.entering(node)) all.insert(all.end(), {graph[id].gain(), hidden_modes(graph[id], graph.symbols)});
  }
  PolynomialRows rows{PolynomialSpace(all, s), {}, {}};
  check_rational(graph, rows.space, s);
  for (const auto& into : branches) {
    std::map<std::size_t, RationalFunction> fractions;
    ring::Polynomial d = ring::Polynomial::constant(rows.space.context(), 1);
    for (const auto& [tail, parallel] : into) {
      GiNaC::ex gain = 0;
      for (const BranchId id : parallel) gain += graph[id].gain();
      const RationalFunction& fraction = fractions.emplace(tail, rows.space.rational(gain).reduced()).first->second;
      d = common_multiple(d, common_denominator(rows.space, graph, parallel, fraction));
    }
    PolynomialRows::Row row;
    row.emplace(rows.left.size(), d);
    for (const auto& [tail, fraction] : fractions)
      add(row, tail, -(fraction.numerator() * *exact_quotient(d, fraction.denominator())));
    rows.left.push_back(std::move(row));
    rows.right.push_back(std::move(d));
  }
  return rows;
}

}  // namespace sfg
