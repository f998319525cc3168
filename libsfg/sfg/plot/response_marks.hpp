#pragma once
#include <string>

#include "sfg/plot/plot.hpp"
#include "sfg/response/time_response.hpp"

// Not installed: what a picture of a response over time shows and says beside its curve.
namespace sfg {

/// The band of a response that oscillates too often, in place of its curve, with a word about it.
void add_band(Panel&, const OscillationBand&, const std::string& name, const Series& curve);
/// Initial and final value, peak, overshoot, settling, impulses.
std::string in_words(const NamedResponse&);

}  // namespace sfg
