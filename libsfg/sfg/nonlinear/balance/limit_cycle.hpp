#pragma once
#include <span>
#include <utility>
#include <vector>

#include "sfg/nonlinear/balance/balance.hpp"

namespace sfg {

/// The limit cycles of a graph without oscillating inputs: periodic motions of a frequency of their own, by harmonic balance with
/// the phase fixed. They begin where describing functions balance, 1 = N(A) T_j(jω), sought from a grid of amplitudes and
/// frequencies, and are refined harmonic by harmonic. The point (0 amplitude) is no limit cycle. Each is judged by half as many
/// harmonics again: what is none then is left out, and how far it moves is its error.
/// @param inputs  constant parts alone
/// @param low, high  of the frequencies in which they are sought, rad/s
/// @returns motions with their frequencies, each once; points.empty() where none was found.
/// @throws as periodic_motions(); std::invalid_argument for an input with an amplitude.
PeriodicMotions limit_cycles(const SignalFlowGraph&, std::span<const PeriodicInput> inputs, double low, double high,
                             const BalanceOptions& = {});

}  // namespace sfg
