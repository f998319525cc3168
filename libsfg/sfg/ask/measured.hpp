#pragma once
#include <functional>
#include <string>

#include "sfg/ask/subject.hpp"
#include "sfg/study/measures/measure.hpp"

namespace sfg {

/// What measures are taken of in a graph: a transfer function, and the open loop of margins.
using SystemOf = std::function<MeasuredSystem(SignalFlowGraph)>;

/// The transfer function between two signals.
/// @throws sfg::Error as question()
SystemOf between(std::string input, std::string output);

/// What a study of the subject is about. Where its point of rest was searched, that is done again for every set of values, if the
/// subject's terms say that it moves.
/// @param temperature  K, of the noise of circuits
/// @throws as Subject::regular_graph()
MeasuredSystem measured(Subject, const SystemOf&, double temperature = usual_noise_temperature);

/// The nonlinear model itself: its own response to a step at the input, from rest, simulated for every set of values.
/// @param height  of the step
/// @param until   s, for how long it is followed where figures are asked; 0: not stated
MeasuredSystem simulated(Subject, const SystemOf&, double height = 1, double until = 0);

}  // namespace sfg
