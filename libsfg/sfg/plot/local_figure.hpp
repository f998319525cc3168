#pragma once
#include <map>
#include <string>

#include "sfg/plot/figures.hpp"
#include "sfg/study/local/local_study.hpp"

namespace sfg {

/// A panel a measure with the relative sensitivities (k/M) ∂M/∂k as bars, greatest on top; the plane of the poles and zeros with
/// the ways they go where each parameter grows by the same share, chosen so that the furthest is well seen.
/// @param values  of the parameters, for the ways of poles and zeros
/// @param discrete  whether the plane is that of z
Figure local_figure(const LocalStudy&, const std::map<std::string, double>& values, bool discrete = false,
                    const FigureOptions& = {});

}  // namespace sfg
