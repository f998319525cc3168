#pragma once
#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {

/// Amplitude over frequency, a panel a signal: stable motions drawn through, unstable ones dashed, folds ○ and branch points ×.
Figure balance_figure(const PeriodicMotions&, const FigureOptions& = {});

}  // namespace sfg
