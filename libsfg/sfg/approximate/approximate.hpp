#pragma once
#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/approximate/deviation.hpp"
#include "sfg/approximate/dominant_terms.hpp"
#include "sfg/approximate/pole_splitting.hpp"

namespace sfg {

struct ApproximateOptions {
  ErrorLimit limit = {};  ///< never exceeded on the range
  /// rad/s; nothing: around poles and zeros, where |T| passes a thousandth of its greatest.
  std::optional<std::pair<double, double>> range = {};
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// A transfer function by its dominant terms at the stated values of the parameters.
struct ApproximateTransfer {
  /// How many terms a side has of how many; `of` is 0 when the exact one was too large to be expanded.
  struct Kept {
    std::size_t kept = 0, of = 0;
  };
  Question question;
  RationalFunction value;  ///< in lowest terms
  Kept numerator = {}, denominator = {};
  Kept products = {};                              ///< in the entries of the equations; of = 0 when nothing was left out there
  double low = 0, high = 0;                        ///< the range, rad/s
  ErrorLimit limit;                                ///< what was asked for
  Deviation error = {};                            ///< what is true
  std::vector<SplitRoots> poles = {}, zeros = {};  ///< where pole splitting applies
  /// The roots of the exact one at the stated values, where it is a fraction of polynomials.
  std::vector<std::complex<double>> exact_poles = {}, exact_zeros = {};
  /// The value at rest with every root by its own formula, where these are all, and its deviation is within the limit.
  struct ByRoots {
    RationalFunction value;
    Deviation error;
  };
  std::optional<ByRoots> by_roots = {};
  TermCounts terms;                                ///< of the exact transfer function
  Verification verification;  ///< of the exact transfer function with numbers that the error is measured against
};

/// The dominant terms of numerator and denominator at the design point, by the error they make over the range. A transfer
/// function of more than 20,000 terms is not expanded: its equations are simplified first (see prune_equations), which takes at
/// most half of the error, more where that does not suffice. The error is that of the result, measured against the exact transfer
/// function over the whole range.
/// @throws sfg::Error naming parameters without values; NoAnswer for a discrete system (variable z) and where the
///         transfer function vanishes on the range; LimitReached when even the simplified equations are too large.
std::vector<ApproximateTransfer> approximate_transfers(const SignalFlowGraph&, std::span<const Question>,
                                                       const ApproximateOptions& = {});

}  // namespace sfg
