#pragma once
#include <ginac/ex.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/model/motion.hpp"

namespace sfg {

/// a p² + b p + c.
struct OperatorPolynomial {
  GiNaC::ex a = 0;
  GiNaC::ex b = 0;
  GiNaC::ex c = 0;
  bool is_zero() const;
  GiNaC::ex in(const GiNaC::ex& p) const;
};

/// The equilibrium that a nonlinear model was linearised at.
struct EquilibriumPoint {
  std::map<std::string, double> values = {};    ///< by coordinate
  std::map<std::string, GiNaC::ex> exact = {};  ///< what was substituted
  bool found = false;
  bool follows = false;         ///< found, and moves with the parameters to first order
  bool stable = true;           ///< no negative eigenvalue of the stiffness there
  bool stability_known = true;  ///< false when a parameter has no value
  double residual = 0;          ///< greatest unbalanced force; 0 when it cannot be evaluated
};

/// One line of the published tables: Mark = [number, name, group, kind], Den = the operator polynomial of the line.
struct MarkRow {
  std::size_t number = 0;  ///< 1 … ψ
  std::string name;
  std::size_t group = 0;     ///< i = 1 … n
  bool denominator = false;  ///< kind "den" (d_ii) or "num" (right-hand side)
  OperatorPolynomial den;    ///< signed as in the bracket of Eq. 11
};

/// Lagrange's equations of a linear (or linearised) model: d_is(p) for every principal i and every variable s.
struct LagrangeEquations {
  std::string title = {};
  Operator op = {};
  SymbolTable symbols;
  std::vector<std::string> coordinates = {};  ///< principal, in the order of K
  std::vector<std::string> redundant = {};
  std::vector<std::string> excitations = {};
  std::map<std::string, std::string> forces = {};                           ///< coordinate → force symbol
  std::map<std::string, std::map<std::string, OperatorPolynomial>> d = {};  ///< left side: d[i][s], s any variable; nonzero ones
  /// Rows of the redundant coordinates: the force the open part exerts (docs/design/derivation.md, section 9).
  std::map<std::string, std::map<std::string, OperatorPolynomial>> reactions = {};
  std::map<std::string, GiNaC::ex> constant_loads = {};  ///< linear terms of Pi, moved to the right
  std::optional<EquilibriumPoint> equilibrium = {};
  std::optional<Assignment> assignment = {};            ///< of `equations()`; nothing when they are dependent
  std::map<std::string, std::string> equation_of = {};  ///< coordinate → the equation solved for it, by the assignment
  std::vector<MarkRow> mark = {};                       ///< Mark and Den, row for row (Augustaitis et al., Table)
  std::vector<Diagnostic> notes = {};                   ///< warnings and what is worth knowing
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
  std::vector<EquationSystem::Definition> definitions = {};  ///< the auxiliary coordinates, linearised
  std::map<std::string, SourceSpan> where = {};              ///< of each variable

  OperatorPolynomial left(const std::string& equation, const std::string& variable) const;
  OperatorPolynomial right(const std::string& equation, const std::string& variable) const;  ///< −left: g_ie
  /// x_i = d_ii⁻¹ [F_i + H_i − Σ d_is x_s], Eq. 11, as an expression; from the equation that is solved for it.
  /// @throws NoAnswer when the equations are dependent.
  GiNaC::ex solved(const std::string& coordinate) const;
  std::vector<std::vector<GiNaC::ex>> mass() const;       ///< M: a_ij
  std::vector<std::vector<GiNaC::ex>> damping() const;    ///< C: b_ij
  std::vector<std::vector<GiNaC::ex>> stiffness() const;  ///< K: c_ij
  /// Den with numbers: rows of (p², p, 1).
  /// @throws sfg::Error naming every parameter without a value.
  std::vector<std::array<double, 3>> denc() const;
  EquationSystem equations() const;
};

/// Derives the equations (Augustaitis et al., Eqs. 1–11): auxiliaries eliminated, degree and rate checks, second derivatives,
/// linearisation at the equilibrium where one is asked for.
/// @throws sfg::Error with every problem of the model and its place: a term of degree 3 in a linear model, auxiliaries
///         in a circle, a stated rate that does not follow, a force over a column without an equation, explicit time.
/// @throws NoAnswer when no equilibrium is found; LimitReached, Cancelled by the budget.
LagrangeEquations lagrange_equations(const Lagrangian&, const Budget& = {});

/// Lagrange's equations d/dt ∂T/∂q̇ − ∂T/∂q + ∂Π/∂q + ∂Φ/∂q̇ = Q, kept nonlinear and solved for nothing: M q̈ = F. Auxiliary
/// coordinates are put in; Q are the forces and the static loads. Redundant coordinates and excitations are inputs.
/// @throws sfg::Error with every problem of the model and its place. Nonlinear energies and explicit time are none here.
/// @param keep_forms  what depends on one difference or sum of signals alone, as (x2 − x1)^3, is not multiplied out
/// @see docs/design/derivation.md, section 11
/// @throws LimitReached, Cancelled by the budget.
EquationsOfMotion equations_of_motion(const Lagrangian&, const Budget& = {}, bool keep_forms = false);

}  // namespace sfg
