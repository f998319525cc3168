#pragma once
#include "sfg/transfer/exact_transfer.hpp"

// Not installed.
namespace sfg {

/// The image of a transfer function in z under z = (1 + w)/(1 − w): e^{jωh} becomes w = jν with ν = tan(ωh/2), so that what holds
/// on the imaginary axis answers for the unit circle. Half the sampling frequency, z = −1, is ν = ∞.
ExactTransfer axis_image(const ExactTransfer& in_z);

}  // namespace sfg
