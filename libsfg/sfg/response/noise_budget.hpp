#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/response/noise.hpp"

// Not installed.
namespace sfg {

/// How much of the noise of a signal comes from whom: of every element all that it makes together (of a transistor the shot or
/// channel noise, flicker, the thermal noise of its resistances). Shares of the power; those of all elements add up to 1. At one
/// frequency they are the same of the output and at the input.
struct NoiseBudget {
  struct Element {
    std::string name;                        ///< "R1", "Q2_X1"
    std::vector<std::string> sources;        ///< the elements of the analysis: "Ggm_Q2_X1", "Rb_Q2_X1"
    std::vector<double> shares;              ///< at the frequencies of the analysis; NaN where there is no noise
    std::optional<double> share = {};        ///< of the mean square of the output over the band
    std::optional<double> input_share = {};  ///< of that at the input
  };
  std::vector<Element> elements;  ///< the loudest first
};

/// @param sources  those of the analysis
NoiseBudget noise_budget(const NoiseAnalysis&, std::span<const NoiseSource> sources);

}  // namespace sfg
