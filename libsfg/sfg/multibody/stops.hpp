#pragma once
#include <vector>

#include "sfg/multibody/moving_mechanism.hpp"

// Not installed.
namespace sfg {

/// What happened at stops at one moment, by their numbers.
struct StopChanges {
  struct Hit {
    std::size_t stop;
    double speed;  ///< of approach
  };
  std::vector<Hit> hits;
  std::vector<std::size_t> closed;  ///< the stop holds from now on
  std::vector<std::size_t> opened;
};

/// Stops as unilateral constraints without friction: distance g(q, t) ≤ 0. Approaching ones rebound with their coefficient of
/// restitution (Newton's), by impulses that agree with all constraints; one that would rebound for less than `shortest` while it
/// is pressed holds from then on, and one that holds lets go when its force would pull.
class Stops {
 public:
  Stops(MovingMechanism&, std::vector<double> restitution, double shortest);

  /// Meets what is at its end at this moment: velocities and rows that hold may change.
  StopChanges meet(double t, MovingMechanism::State&);
  /// Zeros of these end a step: distance of an open stop; force of a closed one, which turns positive when it would pull.
  void switching(double t, const MovingMechanism::State&, double* g) const;
  /// Stops that are passed: open, beyond the tolerance, and still approaching.
  bool passed(double t, const MovingMechanism::State&) const;

 private:
  bool holds(std::size_t stop) const;
  void hold(std::size_t stop, bool);
  void rebound(double t, MovingMechanism::State&, StopChanges&);
  void hold_pressed(double t, MovingMechanism::State&, StopChanges&);
  void let_go(double t, const MovingMechanism::State&, StopChanges&);

  MovingMechanism& mechanism_;
  std::vector<double> restitution_;
  double shortest_;
};

}  // namespace sfg
