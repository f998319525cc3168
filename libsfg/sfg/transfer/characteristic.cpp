#include "sfg/transfer/characteristic.hpp"

#include <ginac/ginac.h>

#include <map>

#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/exact_constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/components.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/inspect.hpp"
#include "sfg/graph/polynomial_rows.hpp"

namespace sfg {

namespace {

/// Number of the strongly connected component of every node.
std::vector<std::size_t> components(const SignalFlowGraph& graph) {
  std::vector<std::size_t> component(graph.nodes().size());
  std::size_t number = 0;
  for (const auto& nodes : strong_components(graph)) {
    for (const NodeId node : nodes) component[node.index] = number;
    ++number;
  }
  return component;
}

/// The branches inside components, by (to, from); and those outside, by the node that they enter.
struct GainTable {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<BranchId>> in_loops;
  std::multimap<std::uint32_t, BranchId> outside;
};

GainTable gains_of(const SignalFlowGraph& graph) {
  const std::vector<std::size_t> component = components(graph);
  GainTable gains;
  for (const BranchId id : graph.branch_ids()) {
    const Branch& branch = graph[id];
    if (component[branch.from.index] != component[branch.to.index]) {
      if (branch.linear()) gains.outside.emplace(branch.to.index, id);
      continue;
    }
    if (!branch.linear())
      throw Error(
          nonlinear(graph, branch, " and lies in a loop, so that there is no determinant", "linearise it: give it a gain"));
    gains.in_loops[{branch.to.index, branch.from.index}].push_back(id);
  }
  return gains;
}

PolynomialSpace space_with(const SignalFlowGraph& graph, const GainTable& gains) {
  std::vector<GiNaC::ex> expressions;
  const auto add = [&](BranchId id) {
    expressions.insert(expressions.end(), {graph[id].gain(), hidden_modes(graph[id], graph.symbols)});
  };
  for (const auto& [ends, parallel] : gains.in_loops) std::ranges::for_each(parallel, add);
  for (const auto& [node, id] : gains.outside) add(id);
  return PolynomialSpace(expressions, graph.op.in(graph.symbols));
}

/// The factors that contain the operator: no other one has a root.
ring::Polynomial with_roots(const ring::Polynomial& p) {
  ring::Polynomial result = ring::Polynomial::constant(p.context(), 1);
  if (!p.depends_on(0)) return result;
  for (const auto& [factor, multiplicity] : p.factor().factors)
    if (factor.depends_on(0)) result *= factor.power(multiplicity);
  return result;
}

/// What the branches from outside of its loops add to the denominator of a node.
void add_outside(CharacteristicPolynomial& found, const SignalFlowGraph& graph, const GainTable& gains, std::uint32_t node,
                 ring::Polynomial multiplier, const Budget& budget) {
  const auto [first, last] = gains.outside.equal_range(node);
  for (auto next = first; next != last; ++next) {
    const Branch& branch = graph[next->second];
    const RationalFunction gain = found.space.rational(branch.gain(), budget).reduced();
    const ring::Polynomial together =
        common_multiple(multiplier, common_denominator(found.space, graph, {&next->second, 1}, gain, budget));
    ring::Polynomial factor = with_roots(*exact_quotient(together, multiplier));
    if (factor.depends_on(0)) found.outside.push_back({graph[branch.from].name, graph[branch.to].name, std::move(factor)});
    multiplier = together;
  }
}

}  // namespace

ring::Polynomial CharacteristicPolynomial::whole() const {
  ring::Polynomial product = polynomial;
  for (const Outside& element : outside) product *= element.factor;
  return product;
}

ring::Polynomial CharacteristicPolynomial::cancelled() const { return with_roots(gcd(polynomial, clearing)); }

CharacteristicPolynomial characteristic_polynomial(const SignalFlowGraph& graph, const Budget& budget) {
  const GainTable gains = gains_of(graph);
  const PolynomialSpace space = space_with(graph, gains);
  const ring::Polynomial one = ring::Polynomial::constant(space.context(), 1);
  std::vector<ddd::Entry> places;
  std::vector<ring::Polynomial> entries;
  CharacteristicPolynomial found{space, one, one, {}};
  auto next = gains.in_loops.begin();
  for (std::uint32_t row = 0; row < graph.nodes().size(); ++row) {  // row of the node that the branches enter
    budget.check("the characteristic polynomial");
    std::map<std::uint32_t, RationalFunction> fractions;
    ring::Polynomial multiplier = one;
    for (; next != gains.in_loops.end() && next->first.first == row; ++next) {
      GiNaC::ex sum = 0;
      for (const BranchId id : next->second) sum += graph[id].gain();
      const RationalFunction& gain = fractions.emplace(next->first.second, space.rational(sum, budget).reduced()).first->second;
      multiplier = common_multiple(multiplier, common_denominator(space, graph, next->second, gain, budget));
    }
    std::map<std::uint32_t, ring::Polynomial> cleared{{row, multiplier}};
    for (const auto& [from, gain] : fractions) {
      const ring::Polynomial term = gain.numerator() * *exact_quotient(multiplier, gain.denominator());
      cleared.try_emplace(from, ring::Polynomial(space.context())).first->second -= term;
    }
    for (auto& [column, entry] : cleared) {
      if (entry.is_zero()) continue;
      places.push_back({row, column});
      entries.push_back(std::move(entry));
    }
    found.clearing *= multiplier;
    add_outside(found, graph, gains, row, multiplier, budget);
  }
  try {
    const ddd::DeterminantDiagram diagram(
        ddd::Pattern(graph.nodes().size(), places),
        ddd::BuildOptions{.checkpoint = [&](std::uint64_t) { budget.check("the characteristic polynomial"); }});
    found.polynomial = ddd::evaluate(diagram, ring::PolynomialRing{space.context()}, entries);
  } catch (const ddd::TooLarge& failure) {
    throw LimitReached(failure.what(), Advice::reduce_graph);
  }
  if (found.polynomial.is_zero())
    throw NoAnswer("the determinant vanishes: the loops make the graph singular", Advice::list_loops);
  return found;
}

std::vector<exact::ExactPolynomial> exact_coefficients_in(const GiNaC::ex& characteristic, const GiNaC::ex& variable,
                                                          const GiNaC::ex& parameter) {
  const auto by_operator = polynomial_coefficients(characteristic, variable);
  if (!by_operator) throw NoAnswer("the characteristic is no polynomial in " + print(variable), Advice::pade);
  std::vector<exact::ExactPolynomial> result;
  const exact::ExactField field;
  for (const GiNaC::ex& coefficient : *by_operator) {
    const auto by_parameter = polynomial_coefficients(coefficient, parameter);
    if (!by_parameter) throw NoAnswer("the characteristic is no polynomial in " + print(parameter));
    std::vector<exact::ExactNumber> numbers;
    for (const GiNaC::ex& number : *by_parameter) {
      const auto value = exact_number(number, field);
      if (!value) throw missing_values(number);
      numbers.push_back(*value);
    }
    result.emplace_back(std::move(numbers));
  }
  return result;
}

std::vector<exact::RationalPolynomial> coefficients_in(const GiNaC::ex& characteristic, const GiNaC::ex& variable,
                                                       const GiNaC::ex& parameter) {
  std::vector<exact::RationalPolynomial> result;
  for (const exact::ExactPolynomial& coefficient : exact_coefficients_in(characteristic, variable, parameter))
    result.push_back(rounded(coefficient, exact::Boundary::imaginary_axis));
  return result;
}

}  // namespace sfg
