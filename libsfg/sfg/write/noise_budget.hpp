#pragma once
#include "sfg/response/noise_budget.hpp"
#include "sfg/write/noise.hpp"

namespace sfg {

/// A table of the elements with their shares in percent: over the band, and at the frequencies where these were asked for.
Page page(const NoiseBudget&, const NoiseAnalysis&, const NoiseUnits& = {}, bool at_frequencies = false, bool hertz = false);

}  // namespace sfg
