#pragma once
#include <vector>

#include "sfg/draw/graph/enclosures.hpp"
#include "sfg/graph/from_equations.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// --closed and --open.
std::vector<Option> block_options();

/// A graph and what of it is closed or framed.
struct DrawnBlocks {
  SignalFlowGraph graph;
  std::vector<BlockOutline> blocks = {};
};
/// As --closed and --open say, one of which is given. @throws UsageError for a block that is not there, with those that are.
DrawnBlocks blocks_of(Task&, GraphLayout);

}  // namespace sfg::command
