#pragma once
#include <ginac/ex.h>

#include <span>
#include <string>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What an answer is differentiated by: a parameter of the model, the gain of a branch, or the gain of a node, which is 1 in a
/// graph (all that enters the node is multiplied by it).
struct StudyParameter {
  std::string name;     ///< "K"; "FROM,TO" of a branch; of a node its own
  GiNaC::ex symbol;     ///< k itself; of a gain an offset of value 0 that is added to it
  GiNaC::ex nominal;    ///< the value that relative sensitivities refer to: k, the branch's gain, 1
  bool offset = false;  ///< whether the symbol is such an offset
};

/// A graph with the offsets of its study parameters, by which every pass differentiates it as by any other parameter.
struct StudiedGraph {
  SignalFlowGraph graph;
  std::vector<StudyParameter> parameters;
};

/// @param names  parameters, branches "FROM,TO" (of parallel ones the sum is the gain), nodes; empty: every parameter that is not
///               derived from others, the operator apart. Nodes and branches keep their numbers.
/// @throws sfg::Error for a name that is neither, a gain that is not there, or a nonlinear branch.
StudiedGraph studied(const SignalFlowGraph&, std::span<const std::string> names = {});

}  // namespace sfg
