#pragma once
#include <span>
#include <string>
#include <utility>

#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {

/// Static characteristics: every signal at rest over the constant of an input, a panel a signal; stable states as filled marks,
/// unstable ones as open ones.
/// @param cases  the constant and what was found for it, ascending
Figure static_figure(const std::string& input, std::span<const std::pair<double, OperatingPoints>> cases,
                     const FigureOptions& = {});

}  // namespace sfg
