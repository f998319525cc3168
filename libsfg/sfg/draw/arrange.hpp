#pragma once
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/flow.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Where the nodes stand before anything has a size: columns count signals along a forward path (fractions between
/// them are allowed), rows are lines of nodes, 0 the main forward line, positive ones below it.
struct Arrangement {
  std::vector<double> column;  ///< by node
  std::vector<int> row;        ///< by node

  bool same_row(const Branch& branch) const { return row[branch.from.index] == row[branch.to.index]; }
  /// A branch that can be a straight line to the right on its row: no node stands between its ends.
  bool adjacent(const Branch& branch) const;
};

/// Chains of nodes on rows: the longest forward path on row 0, then the longest of what remains, each on the row where
/// its branches are short and cross little.
Arrangement arrange(const SignalFlowGraph&, const Flow&, const Budget&);

}  // namespace sfg
