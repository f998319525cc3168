#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Which way the signals of a graph go, as a reader sees it.
struct Flow {
  std::vector<std::size_t> position;  ///< by node: its place in the left-to-right order
  std::vector<bool> against;          ///< by branch: runs against the order (self-loops too)
  std::vector<bool> returning;        ///< by node: on no forward path, it only carries signals back
  /// From a node to one that comes behind it though no branch says so: a loop that an edit cut off keeps its place.
  std::vector<std::pair<NodeId, NodeId>> joined = {};
  bool side_by_side = false;  ///< equations of coordinates that are nearly all coupled: none comes before another

  /// A branch against the order, or to and from a node that only carries signals back (unless a source feeds that).
  bool feedback(const SignalFlowGraph&, BranchId) const;
};

/// Orders the nodes so that forward paths run forward: a branch counts by the number of forward paths it lies on, and
/// what remains runs back where it must; among equals the branches marked `inverting` (a gain with a minus sign) turn
/// back first, since textbooks draw feedback so.
Flow flow(const SignalFlowGraph&, std::vector<bool> inverting);

/// The graph, and where no path leads from a stated input to a stated output, as in the midst of an edit, one branch more behind
/// the others: from the last node that an input reaches to the first that leads to an output, in the order of the file. What is
/// laid out like that keeps its main line.
SignalFlowGraph bridged(const SignalFlowGraph&);

}  // namespace sfg
