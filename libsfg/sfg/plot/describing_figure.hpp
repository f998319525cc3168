#pragma once
#include "sfg/nonlinear/balance/describing_plane.hpp"
#include "sfg/plot/figures.hpp"

namespace sfg {

/// L(jω) and −1/N(A) with their crossings; amplitudes stand along the second curve.
Figure describing_figure(const DescribingPlane&, const FigureOptions& = {});

}  // namespace sfg
