#pragma once
#include <string>

#include "sfg/nonlinear/run/phase_portrait.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {

/// The trajectories, crosses where they start; stable states of rest as filled marks, unstable ones as open ones.
/// @param units  of the two signals; "" for none
Figure phase_figure(const PhasePortrait&, const std::pair<std::string, std::string>& units = {}, const FigureOptions& = {});

}  // namespace sfg
