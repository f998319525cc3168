#pragma once
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// A loop of a graph cut at the branch from → to (all of them where several are parallel): the open loop L is minus the return
/// ratio, so that 1 + L = Δ/Δ_open with the determinants before and after the cut (Bode 1945; Mason 1956).
struct OpenLoop {
  SignalFlowGraph graph;  ///< with a new source in place of the cut branches
  Question question;      ///< from that source to `from`: L
};

/// @throws sfg::Error when there is no branch from → to, or one of them is nonlinear.
OpenLoop open_loop(const SignalFlowGraph&, NodeId from, NodeId to);
/// The same at a node: at its only entering branch, else at its only leaving one.
/// @throws sfg::Error when it has several of both, or neither.
OpenLoop open_loop(const SignalFlowGraph&, NodeId at);

/// Whether a loop lies on the way from input to output: the transfer function is then that of a closed loop.
bool passes_through_loop(const SignalFlowGraph&, const Question&);

}  // namespace sfg
