#pragma once
#include "sfg/budget.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/model.hpp"

namespace sfg {

/// The linear equations of any model.
/// @throws LimitReached, Cancelled by the budget, which is looked at between derivatives.
EquationSystem derive(const Model&, const Budget& = {});

/// The signal-flow graph of these equations.
SignalFlowGraph graph_of(const Model&, const FromEquationsOptions& = {}, const Budget& = {});

}  // namespace sfg
