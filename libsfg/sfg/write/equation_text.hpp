#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>
#include <vector>

#include "sfg/expr/math_tree.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// An equation solved for its unknown (Eq. 11): x = [Σ coefficient·signal] / d.
struct SolvedEquation {
  struct Term {
    GiNaC::ex coefficient;  ///< as on the right-hand side
    std::string signal;
  };
  std::string unknown;
  std::string equation;
  GiNaC::ex divisor;
  std::vector<Term> terms;  ///< forces, other unknowns, redundant coordinates, excitations and inputs
};

std::vector<SolvedEquation> solved_equations(const EquationSystem&, const Assignment&);
/// (F - k2*y)/(m*p^2 + k)
Math right_side(const SolvedEquation&, const std::string& variable);
/// The polynomial by descending powers of the operator.
Math operator_polynomial(const GiNaC::ex&, const std::string& variable);

/// The coefficients of p², p, 1 of every entry of D; nothing when an entry is of another form.
struct OperatorMatrices {
  using Matrix = std::vector<std::vector<GiNaC::ex>>;
  Matrix M, C, K;
};
std::optional<OperatorMatrices> operator_matrices(const EquationSystem&);

}  // namespace sfg
