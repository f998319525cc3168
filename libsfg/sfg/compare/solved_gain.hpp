#pragma once
#include <ginac/ex.h>

#include <optional>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// What a branch would have to add to the gain between two nodes for a response to become `wanted`, in lowest terms: a response
/// is (α + βδ)/(γ + εδ) in it. Nothing where the place does not influence the response, or no gain does that.
/// @throws as transfer_functions.
std::optional<GiNaC::ex> solved_gain(const SignalFlowGraph&, const Question&, NodeId from, NodeId to, const GiNaC::ex& wanted,
                                     const Budget& = {});

}  // namespace sfg
