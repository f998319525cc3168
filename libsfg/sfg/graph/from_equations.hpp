#pragma once
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

enum class GraphLayout {
  two_node,  ///< summing node e_i and signal x_i apart: branches 1/d_ii, −d_ij (Augustaitis et al., Figs. 1 and 3)
  merged,    ///< signals only: branches −d_ij/d_ii (the blocks `Trans a/b`)
};

struct FromEquationsOptions {
  GraphLayout layout = GraphLayout::two_node;
};

struct GraphFromEquations {
  SignalFlowGraph graph;
  Assignment assignment;
};

/// Each equation solved for its own unknown (Eq. 11): forward branches d_ii⁻¹, coupling feedback branches −d_ij,
/// input branches g_ie, forces with gain 1. Zero entries give no branch.
GraphFromEquations from_equations(const EquationSystem&, const FromEquationsOptions& = {});

}  // namespace sfg
