#include "sfg/write/equation_text.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

ex operator_of(const EquationSystem& system) { return system.symbols.at(system.variable).expr; }

bool is_sum(const std::string& text) { return text.find(" + ") != std::string::npos || text.find(" - ") != std::string::npos; }

/// One term of a sum, with its sign in front.
std::string term_text(const SolvedEquation::Term& term, const std::string& variable, Notation notation, bool first) {
  std::string coefficient = polynomial_text(term.coefficient, variable, notation);
  const std::string name = print_name(term.signal, notation);
  const bool latex = notation == Notation::latex;
  const std::string times = latex ? " " : notation == Notation::unicode ? "·" : "*";
  bool negative = false;
  if (is_sum(coefficient)) {
    const std::string opposite = polynomial_text(-term.coefficient, variable, notation);
    negative = coefficient.starts_with('-') && !opposite.starts_with('-');
    if (negative) coefficient = opposite;
    coefficient = latex ? "\\left(" + coefficient + "\\right)" : "(" + coefficient + ")";
  } else if (coefficient.starts_with('-') || coefficient.starts_with("−")) {
    negative = true;
    coefficient = polynomial_text(-term.coefficient, variable, notation);
  }
  const std::string product = coefficient == "1" ? name : coefficient + times + name;
  const std::string minus = notation == Notation::unicode ? "−" : "-";
  if (first) return negative ? minus + product : product;
  return (negative ? " " + minus + " " : " + ") + product;
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
    SolvedEquation solved{system.unknowns[own].name, equation.name, equation.left.at(own), {}};
    constexpr int rank_of_unknowns = 1;
    std::vector<std::pair<int, SolvedEquation::Term>> terms;
    for (const auto& [unknown, d] : equation.left)
      if (unknown != own && !vanishes(d)) terms.push_back({rank_of_unknowns, {-d, system.unknowns[unknown].name}});
    for (const auto& [source, g] : equation.right)
      if (!vanishes(g)) terms.push_back({rank(system.sources[source].kind), {g, system.sources[source].name}});
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
  return print(polynomial, notation, variable);
}

std::string right_side_text(const SolvedEquation& equation, const std::string& variable, Notation notation) {
  if (equation.terms.empty()) return "0";
  std::string sum;
  for (const SolvedEquation::Term& term : equation.terms) sum += term_text(term, variable, notation, sum.empty());
  const std::string divisor = polynomial_text(equation.divisor, variable, notation);
  if (divisor == "1") return sum;
  if (notation == Notation::latex) return "\\left(" + divisor + "\\right)^{-1} \\left[" + sum + "\\right]";
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

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace sfg
