#pragma once
#include <span>

#include "sfg/nonlinear/balance/periodic_motion.hpp"

// Not installed: periodic_motions() and limit_cycles() come here where a law has memory.
namespace sfg {

/// Whether one of the laws that matter has memory (backlash, hysteresis).
bool has_memory(const SignalFlowGraph&, std::span<const NodeId> outputs);

/// Motions of one law of one signal with memory, by its describing function N (Gelb and Vander Velde 1968): harmonics beyond the
/// first are left out, and it is said. Forced: (1 − N(A) T_j(jω)) V = T_1 w with |V| = A, all A of each frequency; stability
/// stays open.
/// @throws NoAnswer for several laws or signals, and for laws whose mean is not 0 (their rest would move).
PeriodicMotions described_motions(const SignalFlowGraph&, std::span<const PeriodicInput>, std::span<const double> frequencies,
                                  const BalanceOptions&);

/// Limit cycles: 1 = N(A) T_j(jω). Stable where growth dσ/dA < 0 along 1 = N(A) T_j(σ + jω) (Loeb's criterion).
/// @param low, high  of the frequencies, rad/s; low ≤ 0: from 10⁻³ to 10⁴
PeriodicMotions described_cycles(const SignalFlowGraph&, double low, double high, const BalanceOptions&);

}  // namespace sfg
