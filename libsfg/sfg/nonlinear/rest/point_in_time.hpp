#pragma once
#include <optional>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/response/simulation.hpp"

namespace sfg {

/// Where a motion is at a time, as a place to linearise at: linearized(graph, point) describes small deviations from the motion
/// as long as its slopes last.
struct PointInTime {
  SignalFlowGraph graph;        ///< laws with that time in them
  LinearizationPoint point;     ///< of every signal and rate that a law depends on: decimals of seventeen digits
  std::optional<double> error;  ///< largest difference of two runs with different tolerances; nothing at time 0
};

/// @param question  as of a simulation; its outputs are left aside
/// @throws as transient(); std::invalid_argument for a time before 0.
PointInTime point_in_time(const SignalFlowGraph&, SimulationQuestion question, double time, const Budget& = {});

}  // namespace sfg
