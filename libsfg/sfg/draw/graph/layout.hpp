#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/graph/drawing.hpp"
#include "sfg/graph/loops.hpp"
#include "sfg/graph/places.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// How much of a graph a picture shows.
enum class Parts : std::uint8_t {
  automatic,  ///< all, but of a graph with more than 150 branches only what a stated output depends on
  all,
  used,  ///< what a stated output depends on
};

/// The nodes that a picture leaves out: those that no stated output depends on, be it through a branch or as a further
/// signal of a nonlinear law. None where no output is stated.
std::vector<NodeId> left_out(const SignalFlowGraph&, Parts);

/// "3 nodes that no output depends on: a, b, c".
std::string in_words(const SignalFlowGraph&, const std::vector<NodeId>& left_out);

/// A graph without some of its nodes and their branches.
struct ShownPart {
  SignalFlowGraph graph;
  std::vector<NodeId> nodes;       ///< by node of the part: that of the whole
  std::vector<BranchId> branches;  ///< likewise
};
ShownPart without(const SignalFlowGraph&, const std::vector<NodeId>&);

/// Nodes and branches of a graph that a picture makes stand out: those of a forward path, a loop, a set of loops.
struct Highlight {
  std::vector<NodeId> nodes = {};
  std::vector<BranchId> branches = {};

  bool has(NodeId node) const { return std::ranges::find(nodes, node) != nodes.end(); }
  bool has(BranchId branch) const { return std::ranges::find(branches, branch) != branches.end(); }
  /// What the other has, too.
  void add(const Highlight& other);
};

/// A forward path: its nodes and every branch from each of them to the next.
Highlight highlighted_path(const SignalFlowGraph&, const Path&);
/// A loop: the same, back to its first node.
Highlight highlighted_loop(const SignalFlowGraph&, const Path&);
/// Every branch from one node to another.
Highlight highlighted_branches(const SignalFlowGraph&, NodeId from, NodeId to);

struct LayoutOptions {
  double text_size = 17;     ///< of gains and names
  double widest_gain = 200;  ///< a gain wider than this gets a name and a line under the picture
  double spread = 1;         ///< factor of the distances: below 1 for a picture that is to be narrow
  double width = 0;  ///< the picture is to be no wider, in pixels: closer, broken into rows, with longer gains named; 0: free
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
/// that only carry signals back on lines of their own. Where that gives many crossings, in one that is broken into rows, and
/// beyond 30 nodes or 60 branches, the nodes stand on layers from left to right (draw/graph/layered). What the file states comes
/// first: `pos`, `rank` of nodes, `side` and `pos` of branches, `rankdir` RL. Sources that lead to the same nodes share a column
/// in their order. The same graph gives the same drawing on every run.
///
/// @throws LimitReached, before any work, beyond suits_layout(). LimitReached, Cancelled by the budget.
Drawing layout(const SignalFlowGraph&, const LayoutOptions& = {});

}  // namespace sfg
