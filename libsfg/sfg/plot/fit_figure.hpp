#pragma once
#include <span>

#include "sfg/plot/figures.hpp"
#include "sfg/study/fit/fit.hpp"

namespace sfg {

/// Of every kind of column a panel with what was measured and the model, and one with the residuals below it.
Figure fit_figure(const Fit&, std::span<const FittedSeries>, const FigureOptions& = {});

}  // namespace sfg
