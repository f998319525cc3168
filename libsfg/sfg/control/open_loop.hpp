#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// Where a loop of a graph is opened: at the branch from → to, all of them where several are parallel.
struct LoopPlace {
  NodeId from, to;
};

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

/// The branch at a node where open_loop() opens it.
/// @throws as open_loop()
LoopPlace loop_place(const SignalFlowGraph&, NodeId at);

/// What of a loop is asked: L, S = 1/(1 + L), T = L/(1 + L).
enum class LoopAnswer { loop, sensitivity, complementary };

std::string name_of(LoopAnswer);                               ///< "loop", "sensitivity", "complementary"
std::optional<LoopAnswer> loop_answer(std::string_view name);  ///< of that name

/// A loop that is opened, and what is asked of it.
struct LoopTerms {
  std::string where;                                ///< a branch "FROM,TO", a node, a controlled source of a circuit
  std::optional<LoopAnswer> of = LoopAnswer::loop;  ///< nothing: the graph stays closed, and has a branch at every place
  std::vector<std::string> others = {};             ///< places of other loops
  bool others_open = false;                         ///< these are open, too
};

/// The graph whose only transfer function is the answer: for L it is cut as open_loop() does, for S and T it stays closed, with
/// the signal added where the branch ends.
/// @param where  the name of its only input; its only output bears that of the answer. A node of the graph with one of these
/// names
///               is called by it with "_" behind
/// @throws as open_loop(), and sfg::Error when the branch closes no loop
SignalFlowGraph loop_graph(const SignalFlowGraph&, LoopPlace, LoopAnswer, const std::string& where);

/// @throws sfg::Error when no way leads back from the end of the branch to its beginning.
void require_loop(const SignalFlowGraph&, LoopPlace);

/// The graph without the branches at the place.
/// @throws as open_loop()
SignalFlowGraph opened(const SignalFlowGraph&, LoopPlace);

/// Whether a loop lies on the way from input to output: the transfer function is then that of a closed loop.
bool passes_through_loop(const SignalFlowGraph&, const Question&);

}  // namespace sfg
