#pragma once
#include <span>

#include "sfg/control/margins.hpp"
#include "sfg/plot/plot.hpp"
#include "sfg/response/frequency_response.hpp"

// Not installed: margins of stability drawn into pictures of an open loop; those that decide, with their values.
namespace sfg {

/// @param magnitudes  the panel of each response
/// @param margins     of each response, or none
void add_margins_to_bode(std::span<Panel* const> magnitudes, Panel& phase, std::span<const FrequencyResponse>, std::span<const Margins>,
                         bool hertz);
void add_margins_to_locus(Panel&, std::span<const FrequencyResponse>, std::span<const Margins>);
void add_margins_to_nichols(Panel&, std::span<const FrequencyResponse>, std::span<const Margins>);

}  // namespace sfg
