#pragma once
#include <span>
#include <vector>

#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

enum class Discretization {
  zero_order_hold,  ///< the samples of the response to a held input
  tustin,           ///< s = (2/h) (z − 1)/(z + 1), exact
  matched,          ///< poles and zeros by z = e^(sh), zeros at infinity to −1 but one, the same gain at low frequencies
};

enum class Growth { bounded, unbounded };

/// The least whole number of sample times that is not shorter than a dead time, which is in sample times.
/// @throws NoAnswer where that is above 10 000: it is a degree in z.
std::size_t sample_times_in(const exact::Rational& dead_time);

/// The transfer function in z of a sampled system with sample time h (s).
/// Exact for Tustin's rule; the coefficients of the other two are decimals of 17 digits, and more where poles cluster near z = 1,
/// so that poles and gain are as good as that.
/// Dead time need be no multiple of h with a zero-order hold: the output is seen between two samples (the modified z-transform of
/// Jury 1958), exactly. Tustin's rule takes improper transfer functions, too.
/// @throws NoAnswer for an improper transfer function or such a dead time with another method, and for dead time in a loop.
ExactTransfer discretized(const ExactTransfer&, const exact::Rational& sample_time, Discretization);

/// Samples of the response of a transfer function in z to samples of its input, by the difference equation.
/// @throws NoAnswer when it looks ahead: a numerator of higher degree than the denominator.
std::vector<double> discrete_response(const ExactTransfer&, std::span<const double> input);
/// Samples 0 … count − 1 of the response to a unit step (or impulse).
std::vector<double> discrete_response(const ExactTransfer&, std::size_t count, Excitation);

/// The same with the exact value of the first sample and the exact limit.
/// @param times  k·h
TimeResponse sequence_response(const ExactTransfer&, std::span<const double> times, double amplitude, Excitation);
/// Figures of a step response that is known at its samples alone: times are those of the first sample that is there.
/// There is no peak where the response grows without bound.
StepFigures sample_figures(const TimeResponse&, Growth = Growth::bounded);
/// Whether the step response of a transfer function in z grows without bound.
Growth step_growth(const ExactTransfer&);

}  // namespace sfg
