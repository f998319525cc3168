#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/response/simulation.hpp"
#include "sfg/transfer/question.hpp"

// Not installed: the parts that a response is the sum of.
namespace sfg {

/// The response to one drive.
/// @param times  of a system in z those of its samples, from 0 on
TimeResponse driven_response(const ExactTransfer&, const Drive&, const GiNaC::ex& time, std::span<const double> times,
                             const ForcedOptions&);

/// A linear graph in state space whose inputs are impulses at the integrators of states: what initial values of 1 make of the
/// outputs.
struct ReleasedGraph {
  SignalFlowGraph graph;
  std::vector<std::vector<Question>> questions;  ///< [output][state]
};
/// @throws sfg::Error naming the states where one is none; as state_space().
ReleasedGraph released_graph(const SignalFlowGraph&, std::span<const std::string> states, std::span<const NodeId> outputs,
                             const Budget&);
/// The response to an initial value, by the transfer function of such a question.
TimeResponse released_response(const ExactTransfer&, double value, std::span<const double> times, const ForcedOptions&);

}  // namespace sfg
