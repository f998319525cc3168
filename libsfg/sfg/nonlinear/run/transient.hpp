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

/// Whether a law lies on a way from a drive or an initial value to an output, so that superposition does not hold.
bool depends_on_laws(const SignalFlowGraph&, const SimulationQuestion&);

/// Whether a law remembers what has been (backlash, hysteresis), which is no part of the last state.
bool remembers(const SignalFlowGraph&);

/// Time responses of a nonlinear graph with numbers: the linear part in state space, the laws coupled to it implicitly, dead time
/// from what has been; by Taylor series or SUNDIALS (CVODE), every jump of an input and every corner of a law a point of its own.
/// A graph of samples is stepped.
/// @param question  as of a linear simulation; inputs that are not driven are 0
/// @param times     ascending, from 0 on
/// @param record    becomes what is found beside the outputs
/// @param kept      where it is kept on its way; nothing of a graph of samples
/// @throws NoAnswer  when the laws have no solution at a time (an algebraic loop), or the solution leaves every bound
/// @throws sfg::Error  for parameters without values, and where a law depends on the rate of a law's output
std::vector<NamedResponse> transient(const SignalFlowGraph&, const SimulationQuestion& question, std::span<const double> times,
                                     const ForcedOptions& = {}, RunRecord* record = nullptr, const KeptRun* kept = nullptr);

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
