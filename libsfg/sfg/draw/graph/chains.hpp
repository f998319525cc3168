#pragma once
#include <vector>

#include "sfg/draw/graph/flow.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Nodes that follow each other on one row.
struct Chain {
  std::vector<NodeId> nodes;
  bool returning = false;  ///< it carries signals back: from right to left
  bool main = false;       ///< the longest forward path of its connected part
  std::size_t part = 0;    ///< connected part of the graph, by number
};

/// The nodes as chains with the columns where they would stand.
struct Chains {
  std::vector<Chain> chains;   ///< the main one of a part comes before its others
  std::vector<double> column;  ///< by node: columns count signals along the main chain
};

/// The longest forward path from an input to an output, then the longest of what remains, what carries signals back, and
/// what hangs on that; part by part.
Chains chains_of(const SignalFlowGraph&, const Flow&);

}  // namespace sfg
