#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A branch of a structural diagram, or several one behind the other through signals that have one branch in and one out:
/// their blocks stand on one line.
struct BlockLink {
  NodeId from;
  NodeId to;
  std::vector<BranchId> branches = {};
};

/// Where the signals of a structural diagram stand: one row a coordinate, columns along the flow of the signals.
struct BlockRows {
  std::vector<BlockLink> links = {};
  std::vector<bool> shown = {};          ///< by node: has a place of its own (false: on the line of a link)
  std::vector<std::size_t> column = {};  ///< by node
  std::vector<std::size_t> row = {};     ///< by node
  std::size_t columns = 0;
  std::size_t rows = 0;

  /// Rows of coordinates: the signal, and its summing node where that does nothing else.
  struct Subsystem {
    std::string coordinate;
    std::vector<NodeId> nodes = {};  ///< along the row
  };
  std::vector<Subsystem> subsystems = {};
};

/// Rows and columns: every coordinate that is named has a row, with all of them one under the other; without coordinates the
/// longest forward path is the first row. The others stand near to what they are joined to.
/// @param lines  one under the other, as text has them, for a narrow diagram: then every signal has a place of its own.
///   None: two and more where there are many columns
/// @throws LimitReached, Cancelled by the budget.
BlockRows block_rows(const SignalFlowGraph&, const std::vector<std::string>& coordinates, std::optional<std::size_t> lines,
                     const Budget&);

}  // namespace sfg
