#pragma once
#include <span>

#include "sfg/nonlinear/balance/periodic_motion.hpp"

namespace sfg {

/// Periodic motions of a graph with nonlinear branches by harmonic balance on its principal form: the cost depends on the number
/// of laws and harmonics, and on the linear part only through the values of its transmittances. All that were found: every
/// curve of motions is followed through its folds over and beyond the frequencies, from the linear response, by growing inputs,
/// from scattered starts, from all roots of the describing function where there is one law of one signal, and along what leaves
/// at branch points.
/// @param frequencies  of the inputs, rad/s
/// @throws sfg::Error for a discrete system, a law of time, parameters without value; NoAnswer where no motion was found.
PeriodicMotions periodic_motions(const SignalFlowGraph&, std::span<const PeriodicInput>, std::span<const double> frequencies,
                                 const BalanceOptions& = {});

}  // namespace sfg
