#pragma once
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/multibody/aggregate.hpp"
#include "sfg/multibody/normalization.hpp"

namespace sfg {

/// What acts on an aggregate at a time in a state: fills in the loads, which are empty before.
using AggregateLaw = std::function<void(double t, std::span<const double> state, AggregateLoads&)>;

struct AggregateRunOptions {
  Normalization normalization = Normalization::tree;
  /// Classical Runge-Kutta steps of this length, s, each followed by the normalisation; none: extrapolation with error control
  /// or, where something decays fast, backward differences (CVODE), normalised as soon as a gap has come above `allowed_gap`, and
  /// at every time that is asked for.
  std::optional<double> step = {};
  double rtol = 1e-9, atol = 1e-12;
  double allowed_gap = 10 * rtol;                     ///< m and rad
  std::function<double(double t)> longest_step = {};  ///< from a time on; none: as long as the errors allow
  Budget budget = {};
};

/// The motion of an aggregate at some times.
struct AggregateRun {
  std::vector<double> times;
  std::vector<std::vector<double>> states;
  std::vector<std::vector<std::array<double, 6>>> wrenches;  ///< by time and connection
  std::vector<double> energy;                                ///< kinetic, of deformation and what the law says of springs
  std::vector<std::array<double, 6>> momentum;               ///< and angular momentum about the origin
  ConnectionGap largest_gap;                                 ///< before it was closed, of all steps
  ConnectionGap last_gap;                                    ///< of the last state
  std::size_t steps = 0;
  bool stiff = false;  ///< backward differences were taken
};

/// @param initial  its gaps are closed first, but not where normalization is off
/// @param times    ascending; the motion begins at the first
/// @throws NoAnswer, LimitReached and Cancelled by the budget.
AggregateRun run(const Aggregate&, std::vector<double> initial, std::span<const double> times, const AggregateLaw& = {},
                 const AggregateRunOptions& = {});

}  // namespace sfg
