#pragma once
#include "sfg/budget.hpp"
#include "sfg/draw/drawing.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

struct LayoutOptions {
  double text_size = 17;     ///< of gains and names
  double widest_gain = 200;  ///< a gain wider than this gets a name and a line under the picture
  Budget budget = {};
};

/// True for graphs that layout() draws well: up to 60 nodes and 150 branches.
bool suits_layout(const SignalFlowGraph&);

/// Positions and curves as in the textbooks: the longest forward path on a straight line, inputs left and outputs right,
/// feed-forward branches in arcs above, feedback branches in arcs below, nested by span; further forward paths and nodes
/// that only carry signals back on lines of their own. The same graph gives the same drawing on every run.
///
/// @throws LimitReached beyond suits_layout(): Graphviz serves larger graphs (draw/graphviz). LimitReached, Cancelled by the
/// budget.
Drawing layout(const SignalFlowGraph&, const LayoutOptions& = {});

}  // namespace sfg
