#pragma once
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace sfg
