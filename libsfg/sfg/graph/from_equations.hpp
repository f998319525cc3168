#pragma once
#include <span>
#include <string_view>

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

/// The equations D(p) x = B u of a linear graph: the way back from from_equations(). Sources of the graph are the sources u; the
/// equation of every other node is cleared of denominators; nodes that only add (x_k = Σ polynomials, such as the summing
/// nodes e_i of from_equations) are put into the others as long as no power above `degree` arises, outputs excepted. A
/// stated input with entering branches becomes an unknown with a source NAME_in beside its equation.
/// @throws sfg::Error when a branch is nonlinear or a gain is not rational in the operator.
EquationSystem to_equations(const SignalFlowGraph&, std::size_t degree = 2);

/// The node of that name; where there is none, a new one of that name for an expression that is linear in signals: nodes,
/// definitions, and rates of both (see signal_sum). It is a sink, with a branch from every node that it depends on.
/// @throws sfg::Error at `where` for what is no such expression, and for rates where the operator is that of samples (z).
NodeId output_signal(SignalFlowGraph&, std::string_view expression, std::span<const EquationSystem::Definition> definitions = {},
                     const SourceSpan& where = {});

}  // namespace sfg
