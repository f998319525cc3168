#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sfg/nonlinear/run/run_keeper.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/response/simulation.hpp"

// Not installed: every run of an integrator is checked by a finer one.
namespace sfg {

/// How finely a run is made.
struct Fineness {
  double rtol, atol;
  double part;          ///< of the time in which an input is a polynomial: the longest step
  double late = 1e-13;  ///< of the whole time: how much later than it is a jump is met
};

/// What a run found at the times asked for.
struct RunSamples {
  std::vector<Eigen::VectorXd> values;
  std::vector<double> jumps = {};  ///< when something jumped: at these very times values are of one side or the other
  std::vector<std::string> notes = {};
  Eigen::VectorXd last = {};  ///< the state at the last time
  std::vector<RunEvent> events = {};
  std::string whole = {};  ///< all else that the run found, as bytes, where it is kept
};

/// How much a value of two runs differs.
struct RunDifference {
  double largest = 0;  ///< over the times
  double allowed = 0;  ///< what was asked for
  double since = 0;    ///< from which time on it is more than allowed
  double reach = 0;    ///< the largest value
};

struct CheckedRun {
  RunSamples samples;
  std::vector<RunDifference> differences;
};

/// Runs with tighter tolerances and shorter steps until two in turn agree to the tolerances of the options, or rounding ends it.
/// @param first, count  the values that are compared; count −1: all of them
CheckedRun checked_run(const std::function<RunSamples(const Fineness&)>& run, std::span<const double> times, Eigen::Index first,
                       Eigen::Index count, const ForcedOptions&, RunKeeper* = nullptr);

/// States it in a response: its error, thrice the difference, and a note where the difference is more than was asked for.
void state(const RunDifference&, TimeResponse&);

}  // namespace sfg
