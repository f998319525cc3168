#pragma once
#include <optional>
#include <vector>

#include "sfg/analysis/exact_transfer.hpp"

namespace sfg {

/// Stability margins of an open loop L under negative unity feedback; every crossing, frequencies in rad/s.
struct Margins {
  struct GainCrossover {
    double frequency = 0;
    double phase_margin_deg = 0;  ///< 180° + arg L, in (−180°, 180°]
  };
  struct PhaseCrossover {  ///< L real and negative
    double frequency = 0;
    double gain_margin_db = 0;  ///< −20 log |L|
  };
  std::vector<GainCrossover> gain_crossovers;
  std::vector<PhaseCrossover> phase_crossovers;
  std::optional<double> gain_margin_db;  ///< the least in absolute value; nothing without a crossing
  std::optional<double> phase_margin_deg;
  std::optional<double> modulus_margin;  ///< least distance of L(jω) from −1
  std::optional<double> modulus_frequency;
  std::optional<double> delay_margin;  ///< s: least phase margin (as a positive angle) over its frequency
};

/// Crossings are the positive real roots of exact polynomials in ω², certified: none is missed.
/// With dead time phase crossings and the modulus margin are found numerically between dense samples.
/// Of a loop in z with its sample time: the same polynomials after z = (1 + jν)/(1 − jν), ν = tan(ωh/2); crossings lie below half
/// the sampling frequency, π/h, which is one itself where L(−1) is real and negative (it always is real).
Margins margins(const ExactTransfer&, double sample_time = 1);

}  // namespace sfg
