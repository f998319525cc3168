#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

// The equivalences of signal-flow graphs (Mason 1953, 1956), one function each. All of them are pure: they return a new
// graph, in which node and branch ids are new (names stay); attributes, spans and the order of what is kept are kept.
// Inputs and outputs that were inferred stay what they were: they are stated where the new shape would infer others.
// A nonlinear branch is never changed but by a constant factor; where that does not do, sfg::Error says so.
// Poles that cancel stay with the branches that lose them (graph/hidden_modes.hpp), those of a gain of 0 too.

/// How the gains of new branches are written.
struct RewriteOptions {
  /// A new gain is brought over one fraction in lowest terms when that has at most so many terms and is the shorter form;
  /// otherwise it stays nested as it arose.
  std::uint64_t terms = 1000;
  /// Which nodes must stay: the inputs and outputs, which are the sources and sinks where none are stated; or the stated ones
  /// alone, since taking nodes out leaves others without entering branches that were no inputs before.
  enum class Ends { stated_or_found, stated };
  Ends ends = Ends::stated_or_found;
  Budget budget = {};  ///< looked at before every node that goes
};

/// The graph without the node: every way j → node → k becomes a branch of gain g_jn g_nk / (1 − l), l the gain of the
/// node's self-loops, added to the branch j → k when there is one.
/// @throws sfg::Error when the node is an input or output of the graph, or a nonlinear branch touches it.
/// @throws NoAnswer when l ≡ 1: the equation of the node does not determine its signal.
SignalFlowGraph without_node(const SignalFlowGraph&, NodeId, const RewriteOptions& = {});

/// The same graph asked for the kept nodes only: inputs and outputs that are not kept are none any more; when no output is kept,
/// the kept nodes that are no inputs become the outputs.
SignalFlowGraph asked_for(const SignalFlowGraph&, std::span<const NodeId> kept);
/// What comes next where the kept nodes alone are to stay: a node to eliminate, by least new branches, or a loop to invert first
/// (its first node repeated at the end), where none of a group of nodes can go alone (self-loops of gain 1). Sources that are not
/// kept are silent and go with their branches. Empty when only kept nodes are left.
/// @throws sfg::Error when a nonlinear branch touches a node that is not kept.
/// @throws NoAnswer when the nodes to go are not determined by the kept ones (the message names them).
std::vector<NodeId> next_elimination(const SignalFlowGraph&, std::span<const NodeId> kept);

/// Self-loops of gain l at the node absorbed: every other entering gain is divided by 1 − l.
/// @throws NoAnswer when l ≡ 1; sfg::Error when an entering branch is nonlinear and l depends on the operator, or the node
///         is an input of the graph.
SignalFlowGraph without_self_loop(const SignalFlowGraph&, NodeId, const RewriteOptions& = {});
/// The inverse: a self-loop of gain l ≢ 1, every other entering gain times 1 − l.
SignalFlowGraph with_self_loop(const SignalFlowGraph&, NodeId, const GiNaC::ex& l, const RewriteOptions& = {});

/// Parallel linear branches from one node to the other added into the first of them; none is left when the sum is 0
/// and loses no modes.
SignalFlowGraph merged_parallel(const SignalFlowGraph&, NodeId from, NodeId to, const RewriteOptions& = {});
/// Pairs of nodes with several linear branches between them, in the order of the branches.
std::vector<std::pair<NodeId, NodeId>> parallel_pairs(const SignalFlowGraph&);

/// The first inner node with one entering and one leaving branch, both linear: without it they are one branch, G1 G2.
std::optional<NodeId> series_node(const SignalFlowGraph&);
/// The inverse: the branch cut by a new node, `first` ≢ 0 before it and gain/first behind it.
SignalFlowGraph with_node(const SignalFlowGraph&, BranchId, std::string_view name, const GiNaC::ex& first,
                          const RewriteOptions& = {});

/// The path inverted (Mason 1953, section "Inversion"): each of its nodes but the last is given by the equation of its
/// successor. A branch j → k of gain t turns round and becomes 1/t; every other branch of gain g into k goes into j
/// instead, as −g/t. The last node becomes a source. Where the first was an input and the last an output, they swap.
/// @param path  starts at a source (a node without entering branches), or is a loop whose first node is repeated as last.
/// @throws sfg::Error when two neighbours have no branch between them or one of gain 0, the path starts at neither,
///         repeats a node, or a nonlinear branch enters it that cannot be moved.
SignalFlowGraph inverted(const SignalFlowGraph&, std::span<const NodeId> path, const RewriteOptions& = {});

/// Every branch turned round, inputs and outputs swapped: the interreciprocal graph, whose transmittance from output to
/// input is that from input to output of this one. Its own inverse.
/// @throws sfg::Error when a branch is nonlinear.
SignalFlowGraph transposed(const SignalFlowGraph&);

/// The signal of the node multiplied by k: entering gains times k, leaving ones divided by k. Responses of all other
/// nodes stay; the inverse is 1/k.
/// @throws sfg::Error when k ≡ 0, or when k depends on the operator and a nonlinear branch touches the node.
SignalFlowGraph scaled(const SignalFlowGraph&, NodeId, const GiNaC::ex& k, const RewriteOptions& = {});

/// The node split into a source NAME_source, where its leaving branches start, and a sink NAME_sink, where its entering
/// branches end: every loop through it is cut, and −(source → sink transmittance) is its return ratio. In stated inputs
/// the source stands for the node, in stated outputs the sink.
SignalFlowGraph split(const SignalFlowGraph&, NodeId);
/// The inverse: source and sink made one node of the given name, in the place of the source.
/// @throws std::invalid_argument when the first has entering, the second leaving branches, or the name is taken.
SignalFlowGraph joined(const SignalFlowGraph&, NodeId source, NodeId sink, std::string_view name);

/// An output with leaving branches given a sink of its own: the node is renamed NAME_inner, and a new node NAME behind a
/// branch of gain 1 is the output in its place.
SignalFlowGraph with_output_sink(const SignalFlowGraph&, NodeId);

/// Sum of the gains of the linear branches from one node to the other; 0 when there is none.
GiNaC::ex gain_between(const SignalFlowGraph&, NodeId from, NodeId to);

}  // namespace sfg
