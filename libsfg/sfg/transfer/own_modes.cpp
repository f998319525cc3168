#include "sfg/transfer/own_modes.hpp"

#include <ginac/ginac.h>

#include <cstdint>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/exact/polynomial_determinant.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/graph/polynomial_rows.hpp"
#include "sfg/transfer/characteristic.hpp"

namespace sfg {

namespace {

/// Numbers that no model knows (Park and Miller 1988).
class Numbers {
 public:
  GiNaC::ex next() {
    state_ = state_ * 48271 % 2147483647;
    return GiNaC::numeric(static_cast<long>(state_ % 1'000'003)) / 1009;
  }

 private:
  std::int64_t state_ = 1009;
};

/// The degree in the operator of what two polynomials have in common.
std::uint64_t common_degree(const GiNaC::ex& a, const GiNaC::ex& b, const GiNaC::ex& op) {
  const std::vector<GiNaC::ex> both{a, b};
  const PolynomialSpace space(both, op);
  return gcd(space.rational(a).numerator(), space.rational(b).numerator()).degree(0);
}

/// Of a graph whose gains are fractions of polynomials with rational coefficients.
GiNaC::ex determinant(const PolynomialRows& rows, const GiNaC::ex& op, const Budget& budget) {
  std::vector<exact::PolynomialEntry> entries;
  for (std::size_t row = 0; row < rows.left.size(); ++row)
    for (const auto& [column, entry] : rows.left[row]) {
      std::vector<exact::Rational> coefficients;
      for (const ring::Polynomial& c : entry.coefficients(0)) coefficients.push_back(*rational_value(rows.space.expression(c)));
      entries.push_back({row, column, exact::RationalPolynomial(coefficients)});
    }
  const auto checkpoint = [&] { budget.check("the modes of the graph"); };
  GiNaC::ex sum = 0;
  for (const exact::Rational& c : exact::determinant(rows.left.size(), entries, checkpoint).coefficients())
    sum = (sum * op + numeric_value(c)).expand();
  return sum;
}

/// The polynomial of a graph without letters whose roots are its modes; 0 where it is singular, or too large to be asked.
GiNaC::ex all_modes(const SignalFlowGraph& graph, const GiNaC::ex& op, const Budget& budget) {
  constexpr std::size_t large = 150, large_with_functions = 20;  // nodes: exp(-s*T) and roots are letters of a diagram
  if (graph.nodes().size() > large) return 0;
  try {
    if (const PolynomialRows rows = polynomial_rows(graph); rows.space.size() == 1) return determinant(rows, op, budget);
  } catch (const Error&) {  // a function of the operator
  }
  if (graph.nodes().size() > large_with_functions) return 0;
  try {
    const CharacteristicPolynomial found = characteristic_polynomial(graph, budget);
    return found.space.expression(found.whole());
  } catch (const NoAnswer&) {
    return 0;
  }
}

}  // namespace

OwnModes::OwnModes(const SignalFlowGraph& graph, const Budget& budget) : operator_(graph.op.in(graph.symbols)) {
  Numbers numbers;
  for (const Symbol& symbol : graph.symbols.all())
    if (!symbol.expr.is_equal(operator_)) numbers_[symbol.expr] = numbers.next();
  const auto numbered = [&](const GiNaC::ex& e) { return e.subs(numbers_, GiNaC::subs_options::no_pattern); };
  SignalFlowGraph linear = SignalFlowGraph::like_with_nodes(graph);
  for (const Branch& stated : graph.branches()) {
    if (const auto* nonlinear = std::get_if<Nonlinearity>(&stated.law)) {
      linear.add_branch(stated.from, stated.to, numbers.next() + numbers.next() * operator_, stated.where);
      for (const auto& argument : nonlinear->arguments)
        linear.add_branch(argument.node, stated.to, numbers.next() + numbers.next() * operator_, stated.where);
      continue;
    }
    Branch branch = stated;
    branch.law = numbered(stated.gain());
    keep_hidden_modes(branch, numbered(hidden_modes(stated, graph.symbols)));
    linear.add_branch(std::move(branch));
  }
  modes_ = all_modes(linear, operator_, budget);
}

GiNaC::ex OwnModes::among(const GiNaC::ex& polynomial) const {
  if (modes_.is_zero()) return polynomial;
  const auto kept = [&](const GiNaC::ex& factor) {
    return common_degree(factor.subs(numbers_, GiNaC::subs_options::no_pattern), modes_, operator_);
  };
  const std::uint64_t common = kept(polynomial);
  if (common == 0) return 1;
  if (common == common_degree(polynomial, polynomial, operator_)) return polynomial;
  const std::vector<GiNaC::ex> whole{polynomial};
  const PolynomialSpace space(whole, operator_);
  GiNaC::ex product = 1;
  for (const auto& [factor, multiplicity] : space.rational(polynomial).numerator().factor().factors) {
    const GiNaC::ex expression = space.expression(factor);
    if (factor.depends_on(0) && kept(expression) > 0) product *= GiNaC::power(expression, multiplicity);
  }
  return product;
}

SignalFlowGraph with_own_modes(const SignalFlowGraph& graph, const OwnModes& modes) {
  SignalFlowGraph result = SignalFlowGraph::like_with_nodes(graph);
  result.inputs = graph.inputs;
  result.outputs = graph.outputs;
  for (Branch branch : graph.branches()) {
    if (const GiNaC::ex hidden = hidden_modes(branch, graph.symbols); !hidden.is_equal(1))
      keep_hidden_modes(branch, modes.among(hidden));
    result.add_branch(std::move(branch));
  }
  return result;
}

}  // namespace sfg
