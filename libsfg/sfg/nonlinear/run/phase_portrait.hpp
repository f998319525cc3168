#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/response/simulation.hpp"

namespace sfg {

/// One signal over another, from several initial values, with the states of rest.
struct PhasePortrait {
  struct Trajectory {
    std::vector<InitialValue> start;
    std::vector<double> x, y;  ///< at the same times
  };
  std::string x, y;
  std::vector<Trajectory> trajectories = {};
  /// States of rest where the trajectories run, and half as far again around: of inputs that are constant.
  std::optional<OperatingPoints> rest = {};
  std::string no_rest = {};  ///< why there are none to show
  bool samples = false;      ///< of a discrete system
};

struct PhaseQuestion {
  SimulationQuestion motion;                           ///< its outputs are the two signals
  std::vector<std::vector<InitialValue>> starts = {};  ///< each besides the initial values of `motion`; empty: one with these
  std::map<std::string, std::pair<double, double>> box = {};  ///< where states of rest are searched instead
};

/// @param times  as of a simulation
/// @throws as simulation() and transient(). Where states of rest cannot be found, the portrait says why.
PhasePortrait phase_portrait(const SignalFlowGraph&, const PhaseQuestion&, std::span<const double> times,
                             const ForcedOptions& = {});

}  // namespace sfg
