#pragma once
#include <span>

#include "sfg/multibody/aggregate.hpp"

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

}  // namespace sfg
