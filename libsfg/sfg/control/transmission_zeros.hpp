#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/control/poles.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// Several inputs and outputs as one: the matrix of their transfer functions in Smith–McMillan form. Its zeros are the
/// frequencies at which an input that is not 0 meets no output (the rank falls), and none of them need be a zero of an entry.
struct TransmissionZeros {
  std::vector<std::string> inputs, outputs;
  Operator op = "s";
  /// Numerators and denominators: monic and without a common factor, as many as the rank; each numerator divides the next, each
  /// denominator the one before. Where numbers are irrational, correct to 30 digits.
  std::vector<std::pair<exact::RationalPolynomial, exact::RationalPolynomial>> smith_mcmillan = {};
  std::vector<exact::Root> zeros = {};  ///< of the numerators, distinct ones with their multiplicity in all of them
  std::size_t degree = 0;               ///< McMillan's: states that are seen, the sum of the degrees of the denominators
  bool dead_time = false;               ///< of rows and columns as a whole: the form is that of the matrix without
  std::string open = {};                ///< why all this is not known

  /// Its rank is less than the matrix allows at every s.
  bool singular() const { return open.empty() && smith_mcmillan.size() < std::min(inputs.size(), outputs.size()); }
};

/// Exact: what cancels between entries, poles that they share and multiple zeros are found as such. Every result is checked by
/// the common divisors of the matrix' minors; with irrational numbers also by another rounding, or another elimination.
/// @param transfers  the answers to the questions
/// @returns nothing unless they are of more than one input and more than one output, all of all
/// Where a fifth of the time of the budget does not suffice, the result says so.
std::optional<TransmissionZeros> transmission_zeros(const SignalFlowGraph&, std::span<const Question>,
                                                    std::span<const ExactTransfer> transfers, const PolesOptions& = {});

}  // namespace sfg
