#pragma once
#include <span>
#include <string>
#include <utility>

#include "sfg/control/margins.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/plot/plot.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"

// Not installed: what pictures of responses have drawn in beside their curves: margins, Bode's straight lines, values of a
// response.
namespace sfg {

/// @param magnitudes  the panel of each response
/// @param margins     of each response, or none
void add_margins_to_bode(std::span<Panel* const> magnitudes, Panel& phase, std::span<const FrequencyResponse>,
                         std::span<const Margins>, bool hertz);
void add_margins_to_locus(Panel&, std::span<const FrequencyResponse>, std::span<const Margins>);
void add_margins_to_nichols(Panel&, std::span<const FrequencyResponse>, std::span<const Margins>);

/// Dashed over the frequencies of the curves, with a dot at each corner of the magnitude and its frequency beside it.
/// @param magnitudes  the panel of each of them
void add_asymptotes(std::span<Panel* const> magnitudes, Panel& phase, std::span<const BodeAsymptotes>,
                    std::pair<double, double> rad_per_s, bool hertz);

/// The band of a response that oscillates too often, in place of its curve, with a word about it.
void add_band(Panel&, const OscillationBand&, const std::string& name, const Series& curve);
/// Initial and final value, peak, overshoot, settling, impulses.
std::string in_words(const NamedResponse&);

}  // namespace sfg
