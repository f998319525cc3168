#pragma once
#include <optional>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/model.hpp"

namespace sfg {

/// What becomes of the nonlinear terms of energies and bodies.
enum class NonlinearTerms {
  linearized,  ///< at the equilibrium
  kept,        ///< as laws of signals
  kept_if_any  ///< of energies: as laws, where there are such terms; of bodies they are linearised
};

/// Where a point of rest that is searched with the stated values is when a parameter varies.
enum class Rest {
  stays,    ///< where it was found
  follows,  ///< of energies: derivatives take it along to first order
  moves     ///< it is searched again, or should be
};

/// The equations of a model, and what is to be said of them.
struct ModelEquations {
  /// A point that was searched with the stated values, at which the equations are linearised.
  struct Point {
    const char* what;  ///< "the equilibrium"
    SourceSpan where = {};
    bool follows = false;
  };
  EquationSystem system;
  std::vector<Diagnostic> notes = {};
  std::optional<Point> searched = {};
};

/// @throws as derive() and nonlinear_equations().
ModelEquations model_equations(const Model&, NonlinearTerms = NonlinearTerms::linearized, Rest = Rest::stays, const Budget& = {});

/// The linear equations of any model.
/// @throws LimitReached, Cancelled by the budget, which is looked at between derivatives.
EquationSystem derive(const Model&, const Budget& = {});

/// The signal-flow graph of these equations.
SignalFlowGraph graph_of(const Model&, const FromEquationsOptions& = {}, const Budget& = {});

}  // namespace sfg
