#pragma once
#include <complex>
#include <optional>
#include <span>

#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// An input of a tape that is known exactly.
struct ExactInput {
  std::complex<double> value;
  std::optional<exact::Rational> rational = {};  ///< nothing: the value is exact as it is
};

/// Outputs of a tape at one point in ball arithmetic (Arb), with as many digits as it takes: correct to double precision.
/// Infinite at a pole. Where a quotient on the way is 0/0 at this very point the value is the limit in the first input, the operator, else
/// that in all of them; nan where there is none, which depends on the way.
/// @param inputs  one for every input; constants of the tape count as exact
/// @returns nothing when the tape has an operation that balls do not have here (abs, sign, step, min, max, inverse functions).
/// @param precision  bits to begin with; set to those that were enough, a good beginning for points nearby
/// @throws std::invalid_argument  if the number of inputs is wrong.
std::optional<std::vector<std::complex<double>>> certified_values(const numeric::Tape&, std::span<const ExactInput> inputs,
                                                                  long* precision = nullptr);

}  // namespace sfg
