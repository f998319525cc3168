#pragma once
#include <complex>
#include <vector>

#include "sfg/response/compiled_response.hpp"

// Not installed.
namespace sfg {

/// Magnitudes of all answers of a program without free parameters at one point, in dB, by ball arithmetic: right beyond the range
/// of double numbers, too. −∞ of 0; nan where they are not found.
std::vector<double> certified_decibels(const CompiledResponse&, std::complex<double> s);

}  // namespace sfg
