#pragma once
#include "sfg/plot/figures.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"

namespace sfg {

/// A panel a measure: what each parameter alone makes of it at both ends, around its nominal value; longest bars on top.
/// @param variation  whose ends are written below the names
Figure tornado_figure(const TornadoStudy&, const Variation& variation, const FigureOptions& = {});
/// A panel a measure: first and total indices of each parameter with their 95 % intervals, greatest total on top.
Figure sobol_figure(const SobolStudy&, const FigureOptions& = {});
/// A panel a measure: spread of the effects of each parameter over their mean magnitude. Effects below the lines σ = 0.1 μ* are
/// nearly those of a linear measure, above σ = μ* parameters act together or not in one direction.
Figure morris_figure(const MorrisStudy&, const FigureOptions& = {});

}  // namespace sfg
