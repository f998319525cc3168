#pragma once
#include <complex>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// How far an approximation may be from the truth.
struct ErrorLimit {
  double magnitude_db = 1;
  double phase_deg = 5;
};

/// The truth at one frequency.
struct TrueValue {
  double frequency = 0;  ///< rad/s
  std::complex<double> value;
};

/// The terms of a transfer function that matter at a design point. Terms of numerator and denominator are tried in ascending
/// order of their greatest share in their side over all frequencies; one is left out when T stays within the limits at every
/// frequency without it and without those left out before (so that what cancels each other may go together), until no term can
/// go.
/// @param value   expanded, in any multiple
/// @param values  of the parameters; every one must have a number
/// @returns what remains, in lowest terms; at least one term on each side.
/// @see Wambacq, Fernández, Gielen, Sansen, Rodríguez-Vázquez: Efficient symbolic computation of approximated small-signal
///      characteristics, IEEE J. Solid-State Circuits 30 (1995).
RationalFunction dominant_terms(const RationalFunction& value, const GiNaC::exmap& values, std::span<const TrueValue> truth,
                                const ErrorLimit&, const Budget& = {});

/// What the variables of a space are at every frequency, by variable: jω for the operator, which is the first one.
/// @throws NoAnswer naming an expression without a numeric value.
std::vector<std::vector<std::complex<double>>> generator_values(const PolynomialSpace&, const GiNaC::exmap& values,
                                                                std::span<const TrueValue> truth);

/// Whether a value is within the limits of the truth.
bool within(std::complex<double> value, std::complex<double> truth, const ErrorLimit&);

}  // namespace sfg
