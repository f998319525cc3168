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
  /// How the symbol stands for it: it is the parameter, it is added to the gain, or the gain is multiplied by 1 + symbol. The
  /// latter two have the value 0.
  enum class Role { parameter, added, factor };
  std::string name;   ///< "K"; "FROM,TO" of a branch; of a node its own
  GiNaC::ex symbol;   ///< k itself, or one of value 0
  GiNaC::ex nominal;  ///< the value that relative sensitivities refer to: k, the branch's gain, 1
  Role role = Role::parameter;
};

/// A graph with the offsets of its study parameters, by which every pass differentiates it as by any other parameter.
struct StudiedGraph {
  SignalFlowGraph graph;
  std::vector<StudyParameter> parameters;
};

/// @param names  parameters, branches "FROM,TO" (of parallel ones the sum is the gain), nodes; empty: every parameter that is not
///               derived from others, the operator apart. Nodes and branches keep their numbers.
/// @param gains  how symbols stand for the gains of branches: added, or as factors, which leave degrees as they are (for a gain
/// that
///               is 0 it is added)
/// @throws sfg::Error for a name that is neither, a gain that is not there, or a nonlinear branch.
StudiedGraph studied(const SignalFlowGraph&, std::span<const std::string> names = {},
                     StudyParameter::Role gains = StudyParameter::Role::added);

}  // namespace sfg
