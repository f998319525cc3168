#pragma once
#include <span>
#include <vector>

#include "sfg/transfer/exact_transfer.hpp"

// Not installed: the phase of sums of delayed polynomials along the imaginary axis.
namespace sfg {

/// Phase in degrees of Σ p_k(jω) e^(−jωτ_k) at ascending frequencies > 0, continuous from the low-frequency asymptote. NaN beyond
/// the frequency up to which it could be followed, and where the sum vanishes.
std::vector<double> phase_of_delays(const QuasiPolynomial&, std::span<const double> ascending);

}  // namespace sfg
