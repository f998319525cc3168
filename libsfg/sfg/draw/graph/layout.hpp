#pragma once
#include <optional>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/graph/drawing.hpp"
#include "sfg/draw/graph/shown_part.hpp"
#include "sfg/graph/places.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

struct LayoutOptions {
  double text_size = 17;     ///< of gains and names
  double widest_gain = 200;  ///< a gain wider than this gets a name and a line under the picture
  double spread = 1;         ///< factor of the distances: below 1 for a picture that is to be narrow
  Parts parts = Parts::automatic;
  std::vector<exact::Rational> decimals = {};  ///< that were typed in the gains: they stay
  std::optional<Places> like = {};             ///< of an earlier picture: what the graph has in common with it stays
  bool mirror = false;                         ///< from right to left
  bool number_loops = false;                   ///< L1, L2, … in the loops, as Mason's rule counts them
  Budget budget = {};
};

/// True for graphs whose lines a reader can follow: up to 400 branches, or 4000 nodes with three branches each.
bool suits_layout(const SignalFlowGraph&);

/// Positions and curves as in the textbooks: the longest forward path on a straight line, inputs left and outputs right,
/// feed-forward branches in arcs above, feedback branches in arcs below, nested by span; further forward paths and nodes
/// that only carry signals back on lines of their own. Where that gives many crossings, and beyond 30 nodes or 60 branches, the
/// nodes stand on layers from left to right (draw/graph/layered). What the file states comes first: `pos`, `rank` of nodes,
/// `side` and `pos` of branches, `rankdir` RL. Sources that lead to the same nodes share a column in their order. The same graph
/// gives the same drawing on every run.
///
/// @throws LimitReached, before any work, beyond suits_layout(). LimitReached, Cancelled by the budget.
Drawing layout(const SignalFlowGraph&, const LayoutOptions& = {});

}  // namespace sfg
