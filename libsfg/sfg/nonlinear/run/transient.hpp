#pragma once
#include <span>
#include <vector>

#include "sfg/response/simulation.hpp"

namespace sfg {

/// Whether a law lies on a way from a drive or an initial value to an output, so that superposition does not hold.
bool depends_on_laws(const SignalFlowGraph&, const SimulationQuestion&);

/// Whether a law remembers what has been (backlash, hysteresis), which is no part of the last state.
bool remembers(const SignalFlowGraph&);

/// Time responses of a nonlinear graph with numbers: the linear part in state space, the laws coupled to it implicitly, dead time
/// from what has been; by Taylor series or SUNDIALS (CVODE), every jump of an input and every corner of a law a point of its own.
/// A graph of samples is stepped.
/// @param question  as of a linear simulation; inputs that are not driven are 0
/// @param times     ascending, from 0 on
/// @param record    becomes what is found beside the outputs
/// @param kept      where it is kept on its way; nothing of a graph of samples
/// @throws NoAnswer  when the laws have no solution at a time (an algebraic loop), or the solution leaves every bound
/// @throws sfg::Error  for parameters without values, and where a law depends on the rate of a law's output
std::vector<NamedResponse> transient(const SignalFlowGraph&, const SimulationQuestion& question, std::span<const double> times,
                                     const ForcedOptions& = {}, RunRecord* record = nullptr, const KeptRun* kept = nullptr);

}  // namespace sfg
