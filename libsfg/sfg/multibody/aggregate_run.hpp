#pragma once
#include <ginac/ex.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/model/multibody.hpp"
#include "sfg/multibody/aggregate.hpp"
#include "sfg/multibody/mechanism_motion.hpp"

namespace sfg {

/// How the two sides of connections are brought together again that integration lets drift apart.
enum class Normalization {
  off,
  tree,  ///< the side farther from the root is put to the other: what is inside stays, momentum changes by the size of the gap
  mass,  ///< both move, as little as possible measured by their inertia: momentum stays
};

/// The largest distance, m, and angle, rad, between two sides of a connection, and differences of their speeds.
struct ConnectionGap {
  double distance = 0, angle = 0, velocity = 0, angular_velocity = 0;
  void widen(const ConnectionGap&);  ///< to the larger of both, each
};
ConnectionGap largest_gap(const Aggregate&, std::span<const double> state);

/// Closes the gaps of positions, attitudes and speeds; quaternions have length 1 then.
/// @returns the largest gap there was.
/// @throws NoAnswer  where they cannot be closed.
ConnectionGap normalise(const Aggregate&, std::span<double> state, Normalization, double t = 0);

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
  /// What is told by the way to a state alone, as whole turns are: asked for at the start, after every step and at every time.
  std::function<std::vector<double>(std::span<const double> state)> follow = {};
  Budget budget = {};
};

/// The motion of an aggregate at some times.
struct AggregateRun {
  std::vector<double> times;
  std::vector<std::vector<double>> states;
  std::vector<std::vector<std::array<double, 6>>> wrenches;  ///< by time and connection
  std::vector<double> energy;                                ///< kinetic, of deformation and what the law says of springs
  std::vector<std::array<double, 6>> momentum;               ///< and angular momentum about the origin
  std::vector<std::vector<double>> followed;                 ///< by time
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

/// A model of bodies as an aggregate of parts, with numbers for its parameters: rigid bodies, elastic ones, flywheels with a case
/// as parts of their own, joints as connections. What loops, universal joints, particles and events need is beyond aggregates.
class AggregateModel {
 public:
  /// @throws sfg::Error  with every place that no aggregate can be made of, and for parameters without values.
  explicit AggregateModel(const Multibody&);

  /// Parts are named as bodies, flywheels and "frame", connections as joints and flywheels.
  const Aggregate& aggregate() const noexcept;
  /// Names of what moves: coordinates of joints, modal ones and angles of wheels; then their speeds.
  const std::vector<std::string>& coordinates() const noexcept;
  const std::vector<std::string>& speeds() const noexcept;
  /// A state where coordinates and speeds are as given, by name, or 0; quaternions 1, 0, 0, 0. The rate of a coordinate is also
  /// "Dq".
  /// @throws sfg::Error  for names that are none.
  std::vector<double> state(const std::map<std::string, double>& values = {}) const;
  /// Values of coordinates(), then of speeds(). Angles of joints and signs of quaternions are those nearest to `before`.
  std::vector<double> values(std::span<const double> state, std::span<const double> before = {}) const;
  /// A known function of time, by the name of an input without a law.
  using Inputs = std::map<std::string, std::function<double(double t)>>;
  /// Forces, springs, motors, control laws, gravity and magnets of the model; inputs that are not given are 0. It remembers the
  /// angles of joints, so that they go on beyond a revolution: one law for one motion.
  /// @param before  the coordinates at its start, with whole turns
  AggregateLaw law(Inputs = {}, std::vector<double> before = {}) const;

 private:
  std::shared_ptr<const struct AggregateParts> parts_;  // shared with the laws
};

}  // namespace sfg
