#pragma once
#include <cstddef>
#include <vector>

#include "sfg/approximate/deviation.hpp"
#include "sfg/budget.hpp"
#include "sfg/compare/model_pair.hpp"

namespace sfg {

/// How far two frequency responses may be apart, and where.
struct DeviationLimits {
  double magnitude_db = 0;
  double phase_deg = 0;
  std::vector<double> frequency = {};  ///< rad/s; the range is from the lowest to the highest
};

/// How far one transfer function of b is from that of a over a range of frequencies.
struct PairDeviation {
  std::size_t transfer = 0;  ///< of the pairs
  Deviation largest = {};    ///< infinite where only one of them is 0 or has a pole
  bool within = false;
};

/// One for every pair, with the stated values. Of rational functions of s the maximum is bounded between the frequencies, too
/// (approximate/deviation.hpp); others are sampled densely, and each highest sample is closed in on by golden section.
/// @throws as CompiledResponse; sfg::Error naming parameters without values; std::invalid_argument without frequencies.
std::vector<PairDeviation> deviations(const ModelPair&, const DeviationLimits&, const Budget& = {});

}  // namespace sfg
