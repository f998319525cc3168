#pragma once
#include "sfg/approximate/prune_equations.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// The equations of a graph, and what is asked of them.
struct AskedEquations {
  EquationSystem system;
  EquationQuestion question;
};
AskedEquations asked_equations(const SignalFlowGraph&, const Question&);

/// A graph whose transfer function is short enough to be expanded, and the question to it.
struct SimplifiedGraph {
  SignalFlowGraph graph;
  Question question;
  std::size_t kept, of;  ///< products in the entries of the equations
};
/// By pruned().
SimplifiedGraph simplified(const SignalFlowGraph&, const Question&, const GiNaC::exmap& values, std::span<const TrueValue> truth,
                           const ErrorLimit&, const Budget&);

}  // namespace sfg
