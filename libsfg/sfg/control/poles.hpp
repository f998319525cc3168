#pragma once
#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
  bool stable = true;                      ///< every pole left of the axis (inside the unit circle for z)
};

struct PolesOptions {
  std::size_t digits = 17;  ///< correct digits of every root
  Budget budget = {};
};

/// Poles and zeros of the answer to a question, in lowest terms, or to each of several.
/// @throws sfg::Error naming parameters without values, and as poles_zeros() and transfer_functions().
PolesZeros poles(const SignalFlowGraph&, const Question&, const PolesOptions& = {});
std::vector<PolesZeros> poles(const SignalFlowGraph&, std::span<const Question>, const PolesOptions& = {});

/// @param digits  correct digits of every root.
/// @throws NoAnswer for a transfer function with dead time in its denominator (infinitely many poles).
PolesZeros poles_zeros(const ExactTransfer&, std::size_t digits = 17);
/// Poles of a whole model from its characteristic polynomial.
PolesZeros poles_zeros(const std::vector<exact::Rational>& characteristic, const Operator&, std::size_t digits = 17);

}  // namespace sfg
