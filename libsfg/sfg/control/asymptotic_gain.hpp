#pragma once
#include <ginac/ex.h>

#include "sfg/control/open_loop.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// A transmittance by what a loop does to it: T = A∞·L/(1 + L) + A₀/(1 + L) (Rosenstark 1974).
struct AsymptoticGain {
  TransferFunction transfer;  ///< T
  GiNaC::ex ideal;            ///< A∞: T where the loop gain grows without bound
  GiNaC::ex loop_gain;        ///< L, minus the return ratio
  GiNaC::ex direct;           ///< A₀: T with the loop open
};

/// T, L and A₀ are transfer functions by themselves, each verified; A∞ = (T(1 + L) − A₀)/L.
/// @throws as transfer_function(), open_loop() and require_loop(); NoAnswer where L is 0.
AsymptoticGain asymptotic_gain(const SignalFlowGraph&, LoopPlace, const Question&, const TransferOptions& = {});

}  // namespace sfg
