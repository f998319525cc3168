#pragma once
#include <span>
#include <vector>

#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// Group delay −dφ/dω at frequencies in rad/s, in s: from the derivative of the transfer function, not from differences. A dead
/// time counts in full, poles and zeros on the axis (on the unit circle) not at all.
/// @returns at a pole or zero on the axis the delay beside it; NaN of a transfer function that is 0
std::vector<double> group_delay(const ExactTransfer&, std::span<const double> rad_per_s);

}  // namespace sfg
