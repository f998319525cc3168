#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// Nonlinear equations of motion M(q, t) q̈ = F(q, q̇, u, u̇, ü, t) + Jᵀ λ with holonomic constraints φ(q, u, t) = 0, J = ∂φ/∂q.
/// Between a statement by energies (or bodies and joints) and whatever uses it: linearisation, simulation, export.
struct EquationsOfMotion {
  struct Coordinate {
    std::string name;
    GiNaC::ex q;     ///< its symbol
    GiNaC::ex rate;  ///< the symbol of q̇
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
  };
  using Matrix = std::vector<std::vector<GiNaC::ex>>;  ///< by rows

  std::string title;
  Operator op = "p";  ///< d/dt in what is linearised
  SymbolTable symbols;
  std::vector<Coordinate> coordinates;
  std::vector<Input> inputs;
  Matrix M;                             ///< symmetric, a row a coordinate
  std::vector<GiNaC::ex> F;             ///< by coordinate
  std::vector<Definition> definitions;  ///< none where everything is put in
  std::vector<Constraint> constraints;
  std::vector<std::string> stated_inputs;  ///< defaults of the analyses, as stated in the model
  std::vector<std::string> stated_outputs;
  std::vector<Diagnostic> notes;

  /// The same with every definition put in.
  EquationsOfMotion without_definitions() const;
  /// J = ∂φ/∂q, a row a constraint.
  Matrix jacobian() const;
};

}  // namespace sfg
