#pragma once
#include <span>
#include <string>

#include "sfg/plot/figures.hpp"
#include "sfg/study/sensitivity.hpp"

namespace sfg {

/// |(k/T) ∂T/∂k| of every parameter k over frequency, the greatest told apart by colour, dashes and name, the others grey and
/// named above.
/// @param transfer  "z1 → Z"
Figure sensitivity_figure(const std::string& transfer, std::span<const SensitivityValue>, const FigureOptions& = {});

}  // namespace sfg
