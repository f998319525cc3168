#pragma once
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/inspect.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// A part of a graph whose determinant vanishes identically.
struct SingularPart {
  std::vector<NodeId> nodes = {};  ///< a strongly connected component
  std::vector<std::vector<NodeId>>
      loops;  ///< loops of it whose terms alone add up to Δ ≡ 0; empty when they are too many to tell
};

/// The components with Δ ≡ 0; empty when the graph has a transmittance. Decided modulo two primes at random points:
/// "not singular" is certain, "singular" is wrong with a chance below 1e-30. Parts with a nonlinear branch are left out.
std::vector<SingularPart> singular_parts(const SignalFlowGraph&, const Budget& = {});

/// @throws NoAnswer naming the loops that make Δ vanish.
void require_regular(const SignalFlowGraph&, const Budget& = {});

/// Whether Δ vanishes once the stated values are put in, or a gain has no value then, though it does not vanish identically;
/// false when a parameter has no value, and of a graph with nonlinear branches.
bool singular_with_values(const SignalFlowGraph&, const Budget& = {});

/// @throws NoAnswer for a ratio to a signal that is 0 whatever the reference does.
void require_driven(const SignalFlowGraph&, const Question&, const Budget& = {});

/// Everything that must hold before a linear answer is sought: the questions are clear (check_question), no nonlinear branch
/// matters to them, and the graph is regular.
void require_answers(const SignalFlowGraph&, std::span<const Question>, const Budget& = {});

}  // namespace sfg
