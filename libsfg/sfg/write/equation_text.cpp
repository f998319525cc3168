#include "sfg/write/equation_text.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/root_terms.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

ex operator_of(const EquationSystem& system) { return system.op.in(system.symbols); }

bool begins_with_minus(const Math& m) {
  return m.is_negative() || (m.kind == Math::Kind::sum && m.parts.front().is_negative()) ||
         ((m.kind == Math::Kind::product || m.kind == Math::Kind::quotient) && begins_with_minus(m.parts.front()));
}

/// coefficient·factor as a term of a sum.
Math term(const ex& coefficient, Math factor, const std::string& variable) {
  Math size = operator_polynomial(coefficient, variable);
  bool negative = begins_with_minus(size);
  if (negative) {
    Math opposite = operator_polynomial(-coefficient, variable);
    negative = !begins_with_minus(opposite);
    if (negative) size = std::move(opposite);
  }
  Math result = std::move(factor);
  if (size.kind == Math::Kind::quotient) {
    if (size.parts[0] != Math::number("1")) result = Math::product({size.parts[0], std::move(result)});
    result = Math::quotient(std::move(result), size.parts[1]);
  } else if (size.kind == Math::Kind::product) {
    size.parts.push_back(std::move(result));
    result = std::move(size);
  } else if (size != Math::number("1")) {
    result = Math::product({std::move(size), std::move(result)});
  }
  return negative ? Math::negative(std::move(result)) : result;
}

/// p, p², p³ …
Math power(const std::string& variable, std::size_t exponent) {
  Math p = Math::name(variable);
  return exponent == 1 ? p : Math::power(std::move(p), Math::number(std::to_string(exponent)));
}

/// Coefficients with roots are sums as they were derived: over one fraction they would be pages.
std::optional<std::vector<ex>> coefficients_of(const ex& polynomial, const ex& p) {
  auto coefficients = polynomial_coefficients(polynomial, p);
  if (!coefficients || !has_roots(polynomial) || !polynomial.is_polynomial(p)) return coefficients;
  const ex expanded = polynomial.expand();
  for (std::size_t i = 0; i < coefficients->size(); ++i) {
    const ex sum = collected_by_roots(expanded.coeff(p, static_cast<int>(coefficients->size() - 1 - i)));
    if (print(sum).size() < print((*coefficients)[i]).size()) (*coefficients)[i] = sum;
  }
  return coefficients;
}

int rank(SourceKind kind) {
  switch (kind) {
    case SourceKind::force: return 0;
    case SourceKind::redundant: return 2;
    case SourceKind::excitation: return 3;
    case SourceKind::input: return 4;
    case SourceKind::law: return 5;
  }
  return 4;
}

}  // namespace

std::vector<SolvedEquation> solved_equations(const EquationSystem& system, const Assignment& assignment) {
  std::vector<SolvedEquation> result;
  for (std::size_t i = 0; i < system.equations.size(); ++i) {
    const EquationSystem::Equation& equation = system.equations[i];
    const std::size_t own = assignment.unknown_of[i];
    const ex divisor = equation.left.at(own), sign = divisor.is_equal(-1) ? -1 : 1;  // an equation −x + … is read as x = …
    SolvedEquation solved{system.unknowns[own].name, equation.name, sign * divisor, {}};
    constexpr int rank_of_unknowns = 1;
    std::vector<std::pair<int, SolvedEquation::Term>> terms;
    for (const auto& [unknown, d] : equation.left)
      if (unknown != own && !vanishes(d)) terms.push_back({rank_of_unknowns, {-sign * d, system.unknowns[unknown].name}});
    for (const auto& [source, g] : equation.right)
      if (!vanishes(g)) terms.push_back({rank(system.sources[source].kind), {sign * g, system.sources[source].name}});
    std::stable_sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [order, term] : terms) solved.terms.push_back(std::move(term));
    result.push_back(std::move(solved));
  }
  // In the order of the unknowns.
  std::vector<SolvedEquation> ordered(result.size());
  for (std::size_t i = 0; i < result.size(); ++i) ordered[assignment.unknown_of[i]] = std::move(result[i]);
  return ordered;
}

Math operator_polynomial(const ex& polynomial, const std::string& variable) {
  ex p;
  for (auto node = polynomial.preorder_begin(); node != polynomial.preorder_end() && p.is_zero(); ++node)
    if (GiNaC::is_exactly_a<GiNaC::symbol>(*node) && GiNaC::ex_to<GiNaC::symbol>(*node).get_name() == variable) p = *node;
  const auto coefficients = p.is_zero() ? std::nullopt : coefficients_of(polynomial, p);
  if (!coefficients) return math(polynomial, variable);
  std::vector<Math> all;
  for (std::size_t i = 0; i < coefficients->size(); ++i) {
    const ex& coefficient = (*coefficients)[i];
    const std::size_t exponent = coefficients->size() - 1 - i;
    if (coefficient.is_zero()) continue;
    if (exponent != 0)
      all.push_back(term(coefficient, power(variable, exponent), variable));
    else
      for (Math& constant : terms(math(coefficient))) all.push_back(std::move(constant));
  }
  return all.empty() ? Math::number("0") : Math::sum(std::move(all));
}

Math right_side(const SolvedEquation& equation, const std::string& variable) {
  if (equation.terms.empty()) return Math::number("0");
  std::vector<Math> all;
  for (const SolvedEquation::Term& each : equation.terms)
    all.push_back(term(each.coefficient, Math::signal(each.signal), variable));
  return simple_quotient(Math::sum(std::move(all)), operator_polynomial(equation.divisor, variable));
}

std::optional<OperatorMatrices> operator_matrices(const EquationSystem& system) {
  const ex p = operator_of(system);
  const std::size_t n = system.unknowns.size();
  const OperatorMatrices::Matrix zero(n, std::vector<ex>(n, ex(0)));
  OperatorMatrices result{zero, zero, zero};
  for (std::size_t i = 0; i < n; ++i) {
    for (const auto& [j, d] : system.equations[i].left) {
      const auto coefficients = polynomial_coefficients(d, p);
      if (!coefficients || coefficients->size() > 3) return std::nullopt;
      OperatorMatrices::Matrix* const by_power[] = {&result.K, &result.C, &result.M};
      for (std::size_t k = 0; k < coefficients->size(); ++k) (*by_power[k])[i][j] = (*coefficients)[coefficients->size() - 1 - k];
    }
  }
  return result;
}

}  // namespace sfg
