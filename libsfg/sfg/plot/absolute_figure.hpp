#pragma once
#include "sfg/nonlinear/absolute_stability.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {

/// Nyquist's curve of G with the forbidden disc of the circle criterion, and Popov's curve with its line.
Figure absolute_stability_figure(const AbsoluteStability&, const FigureOptions& = {});

}  // namespace sfg
