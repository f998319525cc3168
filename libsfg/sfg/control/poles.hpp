#pragma once
#include <algorithm>
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// A pole as an engineer reads it.
struct Mode {
  exact::Root pole;
  // p is the pole in s; of a pole in z it is ln(z)/h
  double frequency = 0;                 ///< natural frequency |p|, rad/s; infinite for z = 0
  double damping = 0;                   ///< ratio −Re p / |p|; 1 for p = 0 by convention of a non-oscillating mode
  std::optional<double> time_constant;  ///< −1/Re p, s; nothing on the axis (on the unit circle)
  /// Of the signals, independent of each other, at most as many as the multiplicity; none unless add_shapes() has found them.
  std::vector<std::vector<std::complex<double>>> shapes = {};
};

/// Poles, zeros and gain: T = gain · Π(s − z) / Π(s − p).
struct PolesZeros {
  std::string input;  ///< "" for a whole model
  std::string output;
  Operator op = "s";        ///< its sample time tells the frequencies; without one they are in rad per sample
  std::vector<Mode> modes;  ///< distinct poles, ascending modulus
  std::vector<exact::Root> zeros;
  std::optional<exact::Rational> gain;     ///< 0 for T = 0; nothing for a whole model
  std::vector<Mode> hidden;                ///< modes that cancel in this transfer function
  std::optional<exact::Rational> dc_gain;  ///< T(0); nothing for a pole at 0
  exact::Rational dead_time;               ///< τ of a factor e^(−τs), s; 0 without one
  std::vector<std::string> signals = {};   ///< whose components the shapes of the modes have
  bool undamped = false;                   ///< it oscillates for ever, and nothing decays or grows
  bool stable = true;                      ///< every pole left of the axis (inside the unit circle for z)
};

struct PolesOptions {
  std::size_t digits = 17;  ///< correct digits of every root
  bool shapes = false;      ///< of a model: the shapes of its modes, too
  Budget budget = {};
};

/// Poles and zeros of the answer to a question, in lowest terms, or to each of several.
/// @throws sfg::Error naming parameters without values, and as poles_zeros() and transfer_functions().
PolesZeros poles(const SignalFlowGraph&, const Question&, const PolesOptions& = {});
std::vector<PolesZeros> poles(const SignalFlowGraph&, std::span<const Question>, const PolesOptions& = {});

/// @param digits  correct digits of every root.
/// @throws NoAnswer for a transfer function with dead time in its denominator (infinitely many poles), or 0 that hides such.
PolesZeros poles_zeros(const ExactTransfer&, std::size_t digits = 17);
/// Poles of a whole model from its characteristic polynomial.
PolesZeros poles_zeros(const std::vector<exact::Rational>& characteristic, const Operator&, std::size_t digits = 17);

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

/// The straight lines that Bode draws for magnitude and phase (Bode 1945): the magnitude bends at the modulus of every root by 20
/// dB per decade, upwards for a zero; the phase goes through 90° a root, for a real root in the two decades about it, for a pair
/// with damping ζ within ω_n·10^(±|ζ|), at once where ζ = 0.
struct BodeAsymptotes {
  struct Corner {
    double frequency = 0;     ///< rad/s
    double magnitude_db = 0;  ///< of the asymptote
    int slope_before = 0;     ///< dB per decade
    int slope_behind = 0;
  };
  std::vector<Corner> corners = {};  ///< ascending; several roots of one modulus are one
  /// Where the phase's lines meet, rad/s and degrees, ascending; two of one frequency are a step.
  std::vector<std::pair<double, double>> phase = {};
  int first_slope = 0;     ///< dB per decade below all corners
  double gain_db = 0;      ///< of the low-frequency asymptote at 1 rad/s
  double first_phase = 0;  ///< degrees, below all corners
  bool dead_time = false;  ///< left out: it has no asymptote

  double magnitude_at(double rad_per_s) const;  ///< dB
  double phase_at(double rad_per_s) const;      ///< degrees
};

/// @throws NoAnswer for a transfer function in z, one that is 0, and one with dead time other than a factor e^(−τs).
BodeAsymptotes bode_asymptotes(const ExactTransfer&);

}  // namespace sfg
