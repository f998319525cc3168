#pragma once
#include <ginac/ex.h>

#include <array>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/model/simulation.hpp"
#include "sfg/response/simulation.hpp"

namespace sfg {

/// What a mechanism is simulated with.
struct MechanismQuestion {
  struct Input {
    std::string name;
    std::variant<GiNaC::ex, SampledSignal> signal;  ///< an expression of `time` alone, or points
  };
  std::vector<Input> inputs = {};  ///< the others are 0
  GiNaC::ex time = {};
  /// Coordinates, rates Dq and speeds. Loops are closed from these, then from the model's `assembly`, then from 0.
  std::vector<InitialValue> initial = {};
  /// Coordinates, rates, accelerations DDq, inputs, positions x(b) … of bodies, reactions fx(J) … mz(J), energies T, V, E, and
  /// expressions of these; empty: what the model states, else all coordinates.
  std::vector<std::string> outputs = {};
};

struct MechanismOptions {
  double rtol = 1e-9, atol = 1e-12;
  Budget budget = {};
};

/// The motion of a mechanism, and how well it keeps what it has to keep.
struct MechanismRun {
  std::vector<double> time;  ///< as asked for, up to where an event ends the motion
  std::vector<NamedResponse> signals;

  /// E = T + V from start to end; what changes it is done by inputs, dampers and whatever else has no potential, or at events.
  struct Energy {
    double start = 0, end = 0;
    double work = 0;         ///< by forces
    double events = 0;       ///< at impacts and releases
    double unaccounted = 0;  ///< largest |E(t) − E(0) − work − events|: the error of the integration
    bool conserved = true;   ///< nothing does work
  };
  Energy energy = {};
  struct Momentum {
    std::array<double, 3> start{}, end{};
    double change = 0;  ///< largest, of a component
  };
  Momentum momentum = {}, angular_momentum = {};
  /// How far the constraints were off before they were projected back, and after.
  struct Drift {
    double position_before = 0, position_after = 0;
    double velocity_before = 0, velocity_after = 0;
    double quaternion_before = 0;  ///< of a length from 1
    std::size_t projections = 0;   ///< that the integration went on from
  };
  Drift drift = {};
  std::vector<RunEvent> events = {};       ///< at most `most_listed_events`
  std::vector<std::string> assembly = {};  ///< what was moved to close the loops: "s2 = 0.31 (from 0)"
  std::size_t constraints = 0, rank = 0;
  std::size_t rate_constraints = 0;  ///< of these: on rates
  std::size_t freedoms = 0;
  std::size_t steps = 0;
  std::vector<InitialValue> last_state = {};  ///< coordinates and speeds at the end: another run may go on from there
  std::vector<Diagnostic> notes = {};
};

/// Integrates M v̇ = F + Jᵀ λ, q̇ = N v by SUNDIALS (CVODE) with the accelerations that keep φ̈ = 0, and projects positions and
/// velocities back onto the constraints, quaternions to unit length, as soon as they leave them.
/// @param times  ascending, from 0 on
/// @param kept   where it is kept on its way
/// @throws sfg::Error  for names that are none and parameters without values; NoAnswer where loops do not close, constraints
///                     contradict each other or the motion cannot be followed; LimitReached, Cancelled by the budget.
MechanismRun mechanism_run(const Multibody&, const MechanismQuestion&, std::span<const double> times,
                           const MechanismOptions& = {}, const KeptRun* kept = nullptr);
/// The same of equations that are there already, with the model's start values and events.
MechanismRun mechanism_run(const Multibody&, const MultibodyEquations&, const MechanismQuestion&, std::span<const double> times,
                           const MechanismOptions& = {}, const KeptRun* kept = nullptr);

}  // namespace sfg
