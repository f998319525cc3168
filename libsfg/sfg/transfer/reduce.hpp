#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/graph/rewrite.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/verification.hpp"

namespace sfg {

/// One rewriting of graph/rewrite.hpp as a value; nodes by name, since ids change from step to step.
struct Rewriting {
  enum class Kind {
    eliminate,       ///< node
    absorb,          ///< node: its self-loop
    self_loop,       ///< node, value: the inverse of absorb
    merge_parallel,  ///< from, to
    merge_series,    ///< node
    insert,          ///< from, to, new node; value: the first gain: the inverse of merge_series
    invert,          ///< the nodes of the path
    transpose,       ///< nothing
    scale,           ///< node, value
    split,           ///< node, and the names of source and sink once it is done
    join,            ///< source, sink, new node: the inverse of split
    output_sink,     ///< node
    ask,             ///< the nodes that are kept: inputs and outputs that are not among them are none any more
  };
  Kind kind = Kind::eliminate;
  std::vector<std::string> nodes = {};
  GiNaC::ex value;
};

/// "eliminate", "merge_parallel", … as in files and results.
std::string to_string(Rewriting::Kind);

/// @throws sfg::Error when a node is not there (with the nearest name), or what the rewriting throws.
SignalFlowGraph rewritten(const SignalFlowGraph&, const Rewriting&, const RewriteOptions& = {});

/// A branch by the names of its ends.
struct BranchText {
  std::string from;
  std::string to;
  std::variant<GiNaC::ex, Nonlinearity> law;
};

/// One step of a reduction: what was done and which branches it changed.
struct ReductionStep {
  Rewriting action;
  std::vector<BranchText> removed = {};  ///< branches of the graph before that are not in the graph after
  std::vector<BranchText> added = {};
  std::vector<std::string> removed_nodes = {};
  std::vector<std::string> added_nodes = {};
  std::optional<Rewriting> inverse = {};  ///< leads back from after to before, exactly
  Verification verification;              ///< that all signals that stay are what they were; points 0 in a singular graph
};

/// What is asked for; each becomes one step or several.
struct ReductionRequest {
  enum class Kind {
    eliminate,  ///< the nodes, in this order where possible
    keep,       ///< these nodes alone
    absorb,     ///< the self-loops of the nodes; of all inner nodes when none is named
    merge,      ///< parallel and series branches, until none is left
    invert,     ///< the path through the nodes
    transpose,  ///< outputs with leaving branches are given sinks first
    scale,      ///< the node, by `value`
    split,      ///< the node
  };
  Kind kind = Kind::keep;
  std::vector<std::string> nodes = {};
  GiNaC::ex value;
};

struct ReduceOptions {
  RewriteOptions rewrite = {};  ///< its budget is that of the checks too
  std::uint64_t seed = 1;
};

struct Reduction {
  SignalFlowGraph before;
  SignalFlowGraph after;
  std::vector<ReductionStep> steps = {};
  RewriteOptions rewrite = {};  ///< as every step was made

  /// The graph after the first `count` steps, made again.
  SignalFlowGraph graph_after(std::size_t count) const;
};

/// Reduces a graph step by step. No request: all but inputs and outputs are eliminated.
/// Every step is checked: with the same random signals at the sources and added at the nodes that it leaves alone, all
/// signals that stay have the same values before and after, modulo 61-bit primes (for a transposition: the same bilinear form).
/// @throws sfg::Error, NoAnswer of the rewritings; LimitReached when gains grow beyond the budget.
/// @throws std::logic_error when a check fails: an error of ours.
Reduction reduce(const SignalFlowGraph&, std::span<const ReductionRequest> requests, const ReduceOptions& = {});

}  // namespace sfg
