#pragma once
#include <functional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"

// Not installed: integration of smooth equations from event to event.
namespace sfg {

/// dx/dt into `rates`.
using Rates = std::function<void(double t, std::span<const double> x, std::span<double> rates)>;
using Seen = std::function<void(double t, std::span<const double> x)>;

struct RungeKuttaOptions {
  double rtol = 1e-10;  ///< of the largest value of each state so far
  double atol = 1e-15;
  std::vector<double> breaks = {};  ///< ascending times where the equations jump: what is there is the limit from the right
  Budget budget = {};
};

/// The explicit method of Dormand and Prince (1980), order 5 with an error estimate of order 4;
/// equations on which it makes too many steps go on by StiffRun.
/// @param times  ascending, from 0 on; each is met exactly
/// @param step   called after every step, and at the begin
/// @param seen   called at every one of the times
/// @throws NoAnswer where the solution is not finite; LimitReached after millions of steps.
void integrate(const Rates&, std::vector<double> x, std::span<const double> times, const RungeKuttaOptions&, const Seen& step,
               const Seen& seen);

}  // namespace sfg
