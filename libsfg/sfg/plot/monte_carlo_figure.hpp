#pragma once
#include <vector>

#include "sfg/plot/figures.hpp"
#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg {

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
