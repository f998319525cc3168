#pragma once
#include <optional>
#include <span>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

struct ResponsesOptions {
  std::optional<double> until = {};  ///< last time, s; where not given one that shows the slowest mode settle
  std::size_t points = 201;          ///< from 0 to the last time; a graph in z has as many samples as fit
  double amplitude = 1;              ///< of the step
  Budget budget = {};
};

/// The response of every question's output to a step at its input: samples, the time function where the poles are known in closed
/// form, rise and settling time and overshoot. Named by the output, with its input where there are several.
/// @throws sfg::Error naming parameters without values, NoAnswer and LimitReached as step_response() and transfer_functions().
std::vector<NamedResponse> step_responses(const SignalFlowGraph&, std::span<const Question>, const ResponsesOptions& = {});
/// The same of transfer functions at stated times.
/// @param times  ascending; k·h of transfer functions in z
std::vector<NamedResponse> responses(std::span<const ExactTransfer>, Excitation, std::span<const double> times,
                                     const ResponseOptions& = {});

/// A time range for a step response, s: half as long again as it takes to settle to 2 % where it settles, else settling_range().
double step_range(const ExactTransfer&);

/// The sample times k·h from 0 to `until`, each correctly rounded. @throws LimitReached beyond a million.
std::vector<double> sample_times(double until, const exact::Rational& sample_time);

}  // namespace sfg
