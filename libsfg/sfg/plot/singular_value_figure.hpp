#pragma once
#include <span>

#include "sfg/plot/figures.hpp"
#include "sfg/response/singular_values.hpp"

namespace sfg {

/// Singular values in decibels over frequency; `sets` of the options names the set of each curve.
Figure singular_value_figure(std::span<const SingularValues>, const FigureOptions& = {});

}  // namespace sfg
