#pragma once
#include "sfg/budget.hpp"
#include "sfg/draw/graph/drawing.hpp"

namespace sfg {

/// Numbers the loops of a drawn graph as Mason's rule does: each number within what its loop encloses, on nothing else where
/// there is room, and rather where few other loops run round it.
/// @throws LimitReached  beyond 200 loops.
void number_loops(Drawing&, const SignalFlowGraph&, const Budget&);

}  // namespace sfg
