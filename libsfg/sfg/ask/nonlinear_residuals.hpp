#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sfg/study/fit/signal_residuals.hpp"

// Not installed.
namespace sfg {

/// Of a graph with laws: its slopes are signals of a graph with them, followed together with it; where laws jump or remember,
/// by differences of runs, which notes() says.
std::unique_ptr<SignalResiduals> nonlinear_residuals(const SignalFlowGraph&, SignalQuestion,
                                                     const std::vector<std::string>& parameters, std::vector<double> times,
                                                     std::vector<SignalSamples>, const Budget&);

/// Whether a law lies on a way from a drive or an initial value to an output.
bool has_laws(const SignalFlowGraph&, const SignalQuestion&);

}  // namespace sfg
