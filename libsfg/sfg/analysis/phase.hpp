#pragma once
#include <complex>
#include <functional>
#include <optional>
#include <span>
#include <vector>

// Not installed: the phase of a frequency response as a continuous function of the frequency.
namespace sfg {

/// Values at some frequencies, rad/s.
using Response = std::function<std::vector<std::complex<double>>(std::span<const double>)>;

/// Phase in degrees at frequencies in any order, followed along the axis from `start`, the phase it comes from at low
/// frequencies. Without `start` it is found from the asymptote c·(jω)^k: 90°·k, and 180° more for c < 0.
/// @param frequency, value  rad/s, and the response there; a frequency that is not positive keeps its own argument
std::vector<double> followed_phase(std::span<const double> frequency, std::span<const std::complex<double>> value,
                                   const Response& response, std::optional<double> start = {});

}  // namespace sfg
