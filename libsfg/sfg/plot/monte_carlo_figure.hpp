#pragma once
#include <vector>

#include "sfg/plot/figures.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg {

/// A panel a measure: what each parameter alone makes of it at both ends, around its nominal value; longest bars on top.
/// @param variation  whose ends are written below the names
Figure tornado_figure(const TornadoStudy&, const Variation& variation, const FigureOptions& = {});
/// A panel a measure: first and total indices of each parameter with their 95 % intervals, greatest total on top.
Figure sobol_figure(const SobolStudy&, const FigureOptions& = {});
/// A panel a measure: spread of the effects of each parameter over their mean magnitude. Effects below the lines σ = 0.1 μ* are
/// nearly those of a linear measure, above σ = μ* parameters act together or not in one direction.
Figure morris_figure(const MorrisStudy&, const FigureOptions& = {});

/// What the model is at its stated values, at the points of the envelopes; empty where it is not drawn.
struct NominalCurves {
  std::vector<double> magnitude_db = {};
  std::vector<double> phase_deg = {};
  std::vector<double> step = {};
};

/// A panel a measure with its histogram, quantiles, nominal value and the specs of that measure; the yields of all specs with
/// their confidence intervals; the envelopes of magnitude, phase and step.
Figure monte_carlo_figure(const MonteCarlo&, const NominalCurves& = {}, const FigureOptions& = {});

}  // namespace sfg
