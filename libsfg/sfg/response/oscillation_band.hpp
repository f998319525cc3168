#pragma once
#include <optional>
#include <vector>

#include "sfg/response/time_response.hpp"

namespace sfg {

/// The band that a response fills which oscillates more often than a picture has room for.
struct OscillationBand {
  std::vector<double> time;
  std::vector<double> low, high;
  double oscillations = 0;  ///< of the fastest mode, up to the last time
};

/// Oscillations of the fastest mode that lasts for more than a few of its periods, up to a time; 0 where the poles are infinitely
/// many.
double oscillations(const ExactTransfer&, double until);

/// The least and greatest values about each of some hundred times up to the last one; nothing where there are fewer oscillations
/// than can be drawn one by one. Each value is that of a sample refined to its extremum: the band may be narrower than the true
/// one by a thousandth of its width, never wider.
std::optional<OscillationBand> oscillation_band(const ExactTransfer&, Excitation, double until, const ResponseOptions& = {});

}  // namespace sfg
