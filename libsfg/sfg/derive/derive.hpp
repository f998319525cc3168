#pragma once
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/model.hpp"

namespace sfg {

/// The linear equations of any model.
EquationSystem derive(const Model&);

/// The signal-flow graph of these equations.
SignalFlowGraph graph_of(const Model&, const FromEquationsOptions& = {});

}  // namespace sfg
