#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "sfg/analysis/exact_transfer.hpp"

namespace sfg {

/// T(jω) at frequencies in rad/s (T(e^{jωh}) for a discrete system with sample time h).
struct FrequencyResponse {
  std::string input;
  std::string output;
  std::vector<double> frequency;  ///< rad/s
  std::vector<std::complex<double>> value;
  std::vector<double> magnitude_db;
  std::vector<double> phase_deg;  ///< continuous; starts at the low-frequency asymptote
};

/// Exact to double precision by ball arithmetic (a dead time is exact too).
FrequencyResponse frequency_response(const ExactTransfer&, std::span<const double> rad_per_s, double sample_time = 0);

/// Frequencies from the poles and zeros: a decade below the slowest and above the fastest, denser near resonances.
/// Of a transfer function in z with its sample time: up to half the sampling frequency, π/h.
std::vector<double> frequency_range(std::span<const ExactTransfer>, std::size_t points = 400, double sample_time = 0);
std::vector<double> logarithmic(double low, double high, std::size_t points);

}  // namespace sfg
