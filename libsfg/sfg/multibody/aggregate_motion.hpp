#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/mechanism_run.hpp"

namespace sfg {

/// The motion of a model as an aggregate, and how well its connections hold.
struct AggregateMotion {
  std::vector<double> time;
  std::vector<NamedResponse> signals;
  std::size_t parts = 0, connections = 0, unknowns = 0;
  Normalization normalization = Normalization::tree;
  ConnectionGap largest_gap, last_gap;                      ///< before it was closed, of all steps; of the last state
  double energy_start = 0, energy_end = 0;                  ///< kinetic, of deformation, springs and uniform gravity
  std::array<double, 6> momentum_start{};                   ///< and angular momentum about the origin
  double momentum_change = 0, angular_momentum_change = 0;  ///< largest, of the vectors' lengths
  std::size_t steps = 0;
  std::vector<Diagnostic> notes = {};
};

/// Follows the motion by elimination along the forest of parts, without equations of motion as expressions; drift is removed as
/// the model says, else from the root on.
/// @param question  as of mechanism_run(); outputs are coordinates, rates and speeds, x(b) … wz(b) of bodies and flywheels, fx(J)
/// …
///                  mz(J) of joints and flywheels: the wrench on the second body at the place of the first
/// @throws sfg::Error  for what is no aggregate, names that are none and parameters without values; NoAnswer where there are no
///                     accelerations; LimitReached, Cancelled by the budget.
AggregateMotion aggregate_motion(const Multibody&, const MechanismQuestion& question, std::span<const double> times,
                                 const MechanismOptions& = {});

}  // namespace sfg
