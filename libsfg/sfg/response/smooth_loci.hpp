#pragma once
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "sfg/response/frequency_response.hpp"

// Not installed: frequencies for loci in the complex plane.
namespace sfg {

/// How far from the origin the locus of a response is worth showing: all of it where that is a few times what it is for most
/// frequencies; else, where it is infinite or has a sharp resonance, the neighbourhood of −1.
double locus_reach(const FrequencyResponse&);

/// Responses at further frequencies, one for each of those that are given.
using ResponsesAt = std::function<std::vector<FrequencyResponse>(std::span<const double>)>;

struct SmoothLocusOptions {
  bool ends = false;  ///< frequencies are added below and above, too, until the locus ends where it is seen to
  double highest = std::numeric_limits<double>::infinity();  ///< rad/s: half the sampling frequency
  std::size_t most = 6000;                                   ///< frequencies
};

/// Adds frequencies until the loci in the complex plane can be drawn by straight lines: intervals are halved until the locus
/// leaves no chord by more than about a thousandth of its reach; next to a pole on the axis until it is out of reach. A locus
/// that takes more frequencies than there may be ends where they end, with a note.
void smooth_loci(std::vector<FrequencyResponse>&, const ResponsesAt&, const SmoothLocusOptions& = {});

}  // namespace sfg
