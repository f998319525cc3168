#pragma once
#include "sfg/analysis/exact_transfer.hpp"

namespace sfg {

enum class Discretization {
  zero_order_hold,  ///< the samples of the response to a held input
  tustin,           ///< s = (2/h) (z − 1)/(z + 1), exact
  matched,          ///< poles and zeros by z = e^(sh), zeros at infinity to −1 but one, the same DC gain
};

/// The transfer function in z of a sampled system with sample time h ("p/q", s).
/// Exact for Tustin's rule; the coefficients of the other two are correct to about 15 digits.
/// @throws NoAnswer for an improper transfer function and for dead time that is no multiple of h.
ExactTransfer discretized(const ExactTransfer&, const std::string& sample_time, Discretization);

/// Samples 0 … count − 1 of the response of a transfer function in z to a unit step (or impulse).
std::vector<double> discrete_response(const ExactTransfer&, std::size_t count, bool step);

}  // namespace sfg
