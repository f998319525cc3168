#pragma once
#include <map>
#include <span>
#include <string>

#include "sfg/plot/figures.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/sensitivity.hpp"

namespace sfg {

/// |(k/T) ∂T/∂k| of every parameter k over frequency, the greatest told apart by colour, dashes and name, the others grey and
/// named above.
/// @param transfer  "z1 → Z"
Figure sensitivity_figure(const std::string& transfer, std::span<const SensitivityValue>, const FigureOptions& = {});

/// The step response, and below it k ∂y/∂k of every parameter over time: what y gains where k doubles, to first order.
/// @param values  of the parameters; one without a value is left out
Figure sensitivity_figure(const ResponseSensitivity&, const std::map<std::string, double>& values, const FigureOptions& = {});

}  // namespace sfg
