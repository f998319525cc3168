#pragma once
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// How far apart two transfer functions are at worst on a range of frequencies.
struct Deviation {
  double magnitude_db = 0;  ///< greatest |20 log10 |A/B||
  double phase_deg = 0;     ///< greatest |arg(A/B)|, at most 180
  double magnitude_at = 0;  ///< where, rad/s
  double phase_at = 0;
  bool bounded = true;  ///< no frequency between exceeds it (by more than a thousandth); false: densely sampled only
};

/// The deviation of A from B for low ≤ ω ≤ high. With zeros and poles of both known, the logarithm of A/B has known slopes: the
/// range is halved until bounds by the second derivative leave no room for a greater maximum. With dead time that does not
/// cancel, it is sampled at 10,000 points.
/// @throws std::invalid_argument unless 0 < low ≤ high.
Deviation deviation(const ExactTransfer& A, const ExactTransfer& B, double low, double high);

}  // namespace sfg
