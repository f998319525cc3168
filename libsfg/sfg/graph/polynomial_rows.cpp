#include "sfg/graph/polynomial_rows.hpp"

#include <ginac/ginac.h>

#include "sfg/graph/draft.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {

namespace {

/// Gains into a node by their tails, parallel branches added.
std::map<std::size_t, GiNaC::ex> gains_into(const SignalFlowGraph& graph, NodeId node) {
  std::map<std::size_t, GiNaC::ex> result;
  for (BranchId id : graph.entering(node)) {
    const Branch& branch = graph[id];
    if (!branch.linear()) throw Error(nonlinear(graph, branch, "", "linearise it first"));
    result[branch.from.index] += branch.gain();
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

ring::Polynomial common_multiple(const ring::Polynomial& a, const ring::Polynomial& b) {
  if (a.is_one() || a == b) return b;
  return *exact_quotient(a, gcd(a, b)) * b;
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

ring::Polynomial stated_denominator(const PolynomialSpace& space, const Branch& branch, const GiNaC::ex& hidden,
                                    const Budget& budget) {
  const ring::Polynomial left = space.rational(branch.gain(), budget).reduced().denominator();
  return hidden.is_equal(1) ? left : left * space.rational(hidden, budget).numerator();
}

PolynomialRows polynomial_rows(const SignalFlowGraph& graph) {
  const GiNaC::ex s = graph.op.in(graph.symbols);
  std::vector<std::map<std::size_t, GiNaC::ex>> gains;
  std::vector<GiNaC::ex> all{s};
  for (NodeId node : graph.node_ids()) {
    gains.push_back(gains_into(graph, node));
    for (BranchId id : graph.entering(node)) all.insert(all.end(), {graph[id].gain(), hidden_modes(graph[id], graph.symbols)});
  }
  PolynomialRows rows{PolynomialSpace(all, s), {}, {}};
  check_rational(graph, rows.space, s);
  for (std::size_t k = 0; k < gains.size(); ++k) {
    std::map<std::size_t, RationalFunction> fractions;
    ring::Polynomial d = ring::Polynomial::constant(rows.space.context(), 1);
    for (const auto& [tail, gain] : gains[k]) fractions.emplace(tail, rows.space.rational(gain).reduced());
    for (BranchId id : graph.entering(NodeId{static_cast<std::uint32_t>(k)}))
      d = common_multiple(d, stated_denominator(rows.space, graph[id], hidden_modes(graph[id], graph.symbols)));
    PolynomialRows::Row row;
    row.emplace(k, d);
    for (const auto& [tail, fraction] : fractions)
      add(row, tail, -(fraction.numerator() * *exact_quotient(d, fraction.denominator())));
    rows.left.push_back(std::move(row));
    rows.right.push_back(std::move(d));
  }
  return rows;
}

}  // namespace sfg
