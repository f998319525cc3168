#pragma once
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/graph/flow.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Where nodes and branches go before anything has a size. Columns count signals along the main line, which is row 0;
/// rows and the tracks of branches share one numbering, positive below. A branch leaves its node, turns into its track in
/// the first half of a gap between columns, and turns out of it in the second half of its last gap.
struct Arrangement {
  std::vector<int> column;        ///< by node
  std::vector<int> row;           ///< by node
  std::vector<int> track;         ///< by branch
  std::vector<bool> straight;     ///< by branch: a straight line, without a track (between neighbouring columns, or in one)
  std::vector<std::size_t> part;  ///< by node: its connected part
  std::vector<int> main_row;      ///< by part: the row of its main line; the rows of parts do not mix

  bool same_row(const Branch& branch) const { return row[branch.from.index] == row[branch.to.index]; }
};

/// The arrangement with the fewest crossings that a search finds, feedback below and short-cuts above where that costs
/// nothing, everything close to the main line. The same graph gives the same arrangement on every run and machine.
Arrangement arrange(const SignalFlowGraph&, const Flow&, const Budget&);

}  // namespace sfg
