#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/analysis/exact_transfer.hpp"

namespace sfg {

/// A signal sampled at times; exact to double precision at every sample.
struct TimeResponse {
  std::vector<double> time;
  std::vector<double> value;
  std::vector<std::string> impulses;   ///< weights of δ, δ′, … at t = 0, which the samples do not show
  std::optional<std::string> initial;  ///< value at 0+, exact
  std::optional<std::string> final;    ///< limit for t → ∞, exact; nothing when there is none
  std::string method;                  ///< how the samples were found; "" where there is but one way
  std::vector<std::string> notes;      ///< a dead time replaced by a Padé approximant, …
};

/// What one reads off a step response.
struct StepFigures {
  std::optional<double> rise_time;      ///< 10 % to 90 % of the final value, s
  std::optional<double> settling_time;  ///< last entry into ±2 % of the final value, s
  std::optional<double> overshoot;      ///< percent of the final value
  double peak = 0;
  double peak_time = 0;
};

/// A response with the name of its signal, ready to be written or drawn.
struct NamedResponse {
  std::string name;
  TimeResponse value;
  StepFigures figures;
  std::string closed_form;  ///< the time function as an expression; "" when there is none
};

/// numerator(s)/denominator(s) e^(−delay s): what a transfer function with dead time is a sum of, as far as time goes.
struct DelayedPart {
  std::string delay;  ///< "p/q", s
  std::vector<std::string> numerator, denominator;
};
/// The parts that begin until a time. Dead time in the numerator gives one part each; inside a loop, with the denominator
/// D = D_0 + R and R all that is delayed, 1/D = Σ (−R)^k / D_0^(k+1): what has gone round the loop k times comes k dead times
/// later, so that finitely many parts are exact (the method of steps). Nothing when there are more than 300, or R is of higher
/// degree than D_0.
std::optional<std::vector<DelayedPart>> delayed_parts(const ExactTransfer&, double until);

/// What the cancelling of delayed parts leaves: nothing to say, a note on the digits that are left, or too few of them.
struct Cancellation {
  double largest_part = 0;  ///< of all samples of all parts
  bool too_much(std::span<const double> sum) const;
  std::optional<std::string> note(std::span<const double> sum) const;
};

/// Exact method: partial fractions in ball arithmetic, of each delayed part where there is dead time. Where a loop has gone round
/// too often for that, its dead time is replaced by a Padé approximant of `pade_order`, and said so.
TimeResponse step_response(const ExactTransfer&, std::span<const double> times, double amplitude = 1, std::size_t pade_order = 8);
TimeResponse impulse_response(const ExactTransfer&, std::span<const double> times, double amplitude = 1,
                              std::size_t pade_order = 8);
/// Response to a signal given at points and straight between them (a CSV file), exact for that signal: 0 before the first point,
/// the last value after the last; two points at one time are a jump.
/// @param input_times  ascending, ≥ 0; @param times  ascending.
/// @throws NoAnswer for an improper transfer function.
TimeResponse sampled_response(const ExactTransfer&, std::span<const double> input_times, std::span<const double> input_values,
                              std::span<const double> times, std::size_t pade_order = 8);
/// Rise, settling and overshoot, from the response refined between its samples.
StepFigures step_figures(const ExactTransfer&, const TimeResponse&, std::size_t pade_order = 8);

/// A time range that shows the slowest mode settle (or a few periods of an undamped one), s.
/// @param sample_time  of a transfer function in z
double settling_range(const ExactTransfer&, double sample_time = 1);

}  // namespace sfg
