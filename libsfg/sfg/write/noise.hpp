#pragma once
#include <iosfwd>

#include "sfg/response/noise.hpp"
#include "sfg/response/noise_budget.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

struct NoiseBudget;

/// The units of what a noise analysis is about: "V" or "A".
struct NoiseUnits {
  std::string output = "V";
  std::string input = "V";
};

/// Closed forms, then the variance or the rms value with the shares of the elements, then a table; frequencies in Hz where asked.
Page page(const NoiseAnalysis&, const NoiseUnits& = {}, bool hertz = false);
/// {"schema": "sfg/noise/1", …}: docs/schema/noise.schema.json; frequencies in rad/s.
/// @param budget  is there as "budget", where it is given
void write_json(std::ostream&, const NoiseAnalysis&, const NoiseUnits& = {}, const NoiseBudget* budget = nullptr);
/// Densities over frequency: the output, the input, each element.
void write_csv(std::ostream&, const NoiseAnalysis&, bool hertz = false);

/// A table of the elements with their shares in percent: over the band, and at the frequencies where these were asked for.
Page page(const NoiseBudget&, const NoiseAnalysis&, const NoiseUnits& = {}, bool at_frequencies = false, bool hertz = false);

}  // namespace sfg
