#pragma once
#include <span>

#include "sfg/nonlinear/balance/periodic_motion.hpp"

// Not installed: periodic_motions() and limit_cycles() end with it.
namespace sfg {

/// Each motion is followed for some periods by the integrator of transient(), from its own state: that of the linear part under
/// what the laws make of the motion. It is confirmed where this state has the motion as stated, and comes back to within a
/// hundredth of the motion's size (a quarter, of one harmonic), a shift in time of free motions left out. Unstable motions are
/// followed for as long as their multipliers leave deviations small. Notes say what was found.
void confirm(const SignalFlowGraph&, std::span<const PeriodicInput>, PeriodicMotions&, const BalanceOptions&);

}  // namespace sfg
