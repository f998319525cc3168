#pragma once
#include <complex>
#include <functional>
#include <span>
#include <vector>

// Not installed: the phase of a frequency response as a continuous function of the frequency.
namespace sfg {

/// Values at some frequencies, rad/s.
using Response = std::function<std::vector<std::complex<double>>(std::span<const double>)>;

/// Phase in degrees at frequencies in any order, followed along the axis from the asymptote c·(jω)^k at low frequencies: 90°·k,
/// and 180° more for c < 0.
/// @param frequency, value  rad/s, and the response there; a frequency that is not positive keeps its own argument
/// @param dead_time  s, at most what turns the phase by −ωτ: samples are so close that this cannot be overlooked.
/// @returns NaN where the response is 0 or infinite, and beyond the frequencies that could be followed for the dead time
std::vector<double> followed_phase(std::span<const double> frequency, std::span<const std::complex<double>> value,
                                   const Response& response, double dead_time = 0);

}  // namespace sfg
