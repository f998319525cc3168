#pragma once
#include <ginac/ex.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sfg/model/multibody.hpp"
#include "sfg/multibody/aggregate.hpp"
#include "sfg/multibody/aggregate_run.hpp"

namespace sfg {

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
