#include "sfg/write/equation_text.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/rational.hpp"
#include "sfg/expr/root_terms.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

ex operator_of(const EquationSystem& system) { return system.op.in(system.symbols); }

bool begins_with_minus(const std::string& text) { return text.starts_with('-') || text.starts_with("−"); }

bool is_sum(const std::string& text) {
  for (const char* sign : {" + ", " - ", " − "})
    if (text.find(sign) != std::string::npos) return true;
  return false;
}

std::string without_minus(const std::string& text) { return text.substr(text.starts_with('-') ? 1 : std::string("−").size()); }

/// ± in front of the next term of a sum.
std::string sign_text(bool negative, bool first, Notation notation) {
  const std::string minus = notation == Notation::unicode ? "−" : "-";
  if (first) return negative ? minus : "";
  return negative ? " " + minus + " " : " + ";
}

/// coefficient·factor as a term of a sum, with its sign in front; the factor is text already.
std::string term_text(const ex& coefficient, const std::string& factor, const std::string& variable, Notation notation,
                      bool first) {
  const bool latex = notation == Notation::latex;
  std::string text = polynomial_text(coefficient, variable, notation);
  bool negative = begins_with_minus(text);
  if (negative) {
    const std::string opposite = polynomial_text(-coefficient, variable, notation);
    negative = !begins_with_minus(opposite);
    if (negative) text = opposite;
  }
  if (is_sum(text)) text = latex ? "\\left(" + text + "\\right)" : "(" + text + ")";
  const std::string times = latex ? " " : notation == Notation::unicode ? "·" : "*";
  return sign_text(negative, first, notation) + (text == "1" ? factor : text + times + factor);
}

/// p, p², p³ …
std::string power_text(const std::string& variable, std::size_t power, Notation notation) {
  const GiNaC::symbol p(variable);
  return print(GiNaC::power(p, static_cast<int>(power)), notation);
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

std::string polynomial_text(const ex& polynomial, const std::string& variable, Notation notation) {
  ex p;
  for (auto node = polynomial.preorder_begin(); node != polynomial.preorder_end() && p.is_zero(); ++node)
    if (GiNaC::is_exactly_a<GiNaC::symbol>(*node) && GiNaC::ex_to<GiNaC::symbol>(*node).get_name() == variable) p = *node;
  const auto coefficients = p.is_zero() ? std::nullopt : coefficients_of(polynomial, p);
  if (!coefficients) return print(polynomial, notation, variable);
  std::string text;
  for (std::size_t i = 0; i < coefficients->size(); ++i) {
    const ex& coefficient = (*coefficients)[i];
    const std::size_t power = coefficients->size() - 1 - i;
    if (coefficient.is_zero()) continue;
    if (power != 0) {
      text += term_text(coefficient, power_text(variable, power, notation), variable, notation, text.empty());
      continue;
    }
    const std::string rest = print(coefficient, notation);
    const bool negative = begins_with_minus(rest);
    text += sign_text(negative, text.empty(), notation) + (negative ? without_minus(rest) : rest);
  }
  return text.empty() ? "0" : text;
}

std::string right_side_text(const SolvedEquation& equation, const std::string& variable, Notation notation) {
  constexpr std::size_t terms_on_a_line = 4;  // of LaTeX, which does not break formulas
  if (equation.terms.empty()) return "0";
  const bool latex = notation == Notation::latex;
  std::string sum;
  for (std::size_t i = 0; i < equation.terms.size(); ++i) {
    if (latex && i != 0 && i % terms_on_a_line == 0) sum += " \\\\\n  &\\qquad";
    sum += term_text(equation.terms[i].coefficient, print_name(equation.terms[i].signal, notation), variable, notation, i == 0);
  }
  const std::string divisor = polynomial_text(equation.divisor, variable, notation);
  if (divisor == "1") return sum;
  if (latex) return "\\left(" + divisor + "\\right)^{-1} \\bigl[" + sum + "\\bigr]";
  const bool sum_needs = equation.terms.size() > 1;
  const bool divisor_needs = divisor.find_first_of(" */-") != std::string::npos || divisor.find("·") != std::string::npos;
  return (sum_needs ? "(" + sum + ")" : sum) + "/" + (divisor_needs ? "(" + divisor + ")" : divisor);
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
