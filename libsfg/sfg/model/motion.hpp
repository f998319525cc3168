#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// Nonlinear equations of motion M(q, t) v̇ = F(q, v, u, u̇, ü, t) + Jᵀ λ of speeds v with q̇ = N(q) v, holonomic constraints
/// φ(q, u, t) = 0 with φ̇ = J v + ∂φ/∂t, and behind them constraints on rates, J v + a(q, t) = 0. The speeds are the rates of the
/// coordinates but where an attitude is a quaternion. Between a statement by energies (or bodies and joints) and whatever uses
/// it: linearisation, simulation, export.
struct EquationsOfMotion {
  struct Coordinate {
    std::string name;
    GiNaC::ex q;     ///< its symbol
    GiNaC::ex rate;  ///< q̇: the symbol of a speed, or of a quaternion an expression linear in speeds
    SourceSpan where;
  };
  /// A row of M.
  struct Speed {
    std::string name;
    GiNaC::ex symbol;
    SourceSpan where;
  };
  /// A known function of time: a force, an excitation, a redundant coordinate.
  struct Input {
    std::string name;
    SourceKind kind = SourceKind::input;
    std::vector<GiNaC::ex> derivatives;  ///< the symbols of u, u̇, ü; as many as occur in F
    SourceSpan where;
  };
  /// A name in M, F or φ; its value may contain the names before it.
  struct Definition {
    GiNaC::ex symbol;
    GiNaC::ex value;
    SourceSpan where;
  };
  struct Constraint {
    std::string name;
    GiNaC::ex value;       ///< φ
    GiNaC::ex multiplier;  ///< the symbol of λ: the constraint acts on the motion with the force λ ∂φ/∂q
    SourceSpan where;
    std::vector<GiNaC::ex> row = {};  ///< of J, by speed; empty where it is to be had from φ
    GiNaC::ex rate = 0;               ///< ∂φ/∂t or a, where a row is stated
    GiNaC::ex gamma = 0;              ///< J v̇ = γ, where a row is stated
    GiNaC::ex of_rates = 0;           ///< J v + a of a constraint on rates, which has no φ: its value is 0

    bool is_of_rates() const { return !of_rates.is_zero(); }
    const GiNaC::ex& stated() const { return is_of_rates() ? of_rates : value; }  ///< what is 0
  };
  using Matrix = std::vector<std::vector<GiNaC::ex>>;  ///< by rows

  std::string title;
  Operator op = "p";  ///< d/dt in what is linearised
  SymbolTable symbols;
  std::vector<Coordinate> coordinates;
  std::vector<Speed> speeds;
  std::vector<Input> inputs;
  Matrix M;                             ///< symmetric, a row a speed
  std::vector<GiNaC::ex> F;             ///< by speed
  std::vector<Definition> definitions;  ///< none where everything is put in
  std::vector<Constraint> constraints;
  std::vector<std::string> stated_inputs;  ///< defaults of the analyses, as stated in the model
  std::vector<std::string> stated_outputs;
  std::vector<Diagnostic> notes;

  /// The same with every definition put in.
  EquationsOfMotion without_definitions() const;
  /// J = ∂φ/∂q, a row a constraint.
  Matrix jacobian() const;
  /// How many constraints have φ: the first ones.
  std::size_t holonomic() const;
};

}  // namespace sfg
