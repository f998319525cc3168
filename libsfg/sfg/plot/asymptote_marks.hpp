#pragma once
#include <span>
#include <utility>

#include "sfg/control/poles.hpp"
#include "sfg/plot/plot.hpp"

// Not installed: Bode's straight lines in his diagram.
namespace sfg {

/// Dashed over the frequencies of the curves, with a dot at each corner of the magnitude and its frequency beside it.
/// @param magnitudes  the panel of each of them
void add_asymptotes(std::span<Panel* const> magnitudes, Panel& phase, std::span<const BodeAsymptotes>, std::pair<double, double> rad_per_s,
                    bool hertz);

}  // namespace sfg
