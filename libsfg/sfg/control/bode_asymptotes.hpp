#pragma once
#include <vector>

#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// The straight lines that Bode draws for magnitude and phase (Bode 1945): the magnitude bends at the modulus of every root by 20
/// dB per decade, upwards for a zero; the phase goes through 90° a root, for a real root in the two decades about it, for a pair
/// with damping ζ within ω_n·10^(±|ζ|), at once where ζ = 0.
struct BodeAsymptotes {
  struct Corner {
    double frequency = 0;     ///< rad/s
    double magnitude_db = 0;  ///< of the asymptote
    int slope_before = 0;     ///< dB per decade
    int slope_behind = 0;
  };
  std::vector<Corner> corners = {};  ///< ascending; several roots of one modulus are one
  /// Where the phase's lines meet, rad/s and degrees, ascending; two of one frequency are a step.
  std::vector<std::pair<double, double>> phase = {};
  int first_slope = 0;     ///< dB per decade below all corners
  double gain_db = 0;      ///< of the low-frequency asymptote at 1 rad/s
  double first_phase = 0;  ///< degrees, below all corners
  bool dead_time = false;  ///< left out: it has no asymptote

  double magnitude_at(double rad_per_s) const;  ///< dB
  double phase_at(double rad_per_s) const;      ///< degrees
};

/// @throws NoAnswer for a transfer function in z, one that is 0, and one with dead time other than a factor e^(−τs).
BodeAsymptotes bode_asymptotes(const ExactTransfer&);

}  // namespace sfg
