#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/delayed_loop.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// A signal sampled at times; exact to double precision at every sample.
struct TimeResponse {
  std::vector<double> time;
  std::vector<double> value;
  std::vector<exact::DelayedImpulse> impulses;  ///< up to the last time; the samples do not show them
  std::optional<exact::Rational> initial;       ///< value at 0+
  std::optional<exact::Rational> final;         ///< limit for t → ∞; nothing when there is none
  bool final_known = true;                      ///< false: whether there is a limit could not be decided
  std::string method;                           ///< how the samples were found; "" where there is but one way
  std::vector<std::string> notes;               ///< a dead time replaced by a Padé approximant, …
  std::optional<double> error;                  ///< of a response that was integrated: by the difference of two runs
  bool within_tolerance = true;                 ///< that is no more than was asked for; else a note says from when on
};

enum class Excitation { impulse, step };

/// What one reads off a step response.
struct StepFigures {
  std::optional<double> rise_time;      ///< 10 % to 90 % of the final value, s
  std::optional<double> settling_time;  ///< last entry into ±2 % of the final value, s
  std::optional<double> overshoot;      ///< percent of the final value
  std::optional<double> peak;           ///< furthest value; nothing when the response grows without bound
  double peak_time = 0;
  bool grows = false;           ///< without bound
  std::optional<double> until;  ///< the peak is that up to here: there is no final value
  std::string missing;          ///< why there are no figures; "" when there are
};

/// A time function: an expression in the time for t > 0, and impulses.
struct ClosedForm {
  GiNaC::ex value;
  std::vector<exact::DelayedImpulse> impulses = {};
};

/// A response with the name of its signal, ready to be written or drawn.
struct NamedResponse {
  std::string name;
  TimeResponse value;
  StepFigures figures;
  std::optional<ClosedForm> closed_form = {};  ///< where there is one
  std::string unit = {};                       ///< of its values; "" for a number, and where it is not known
  std::string input = {}, output = {};         ///< of the transfer function whose response it is; "" of other signals
};

struct ResponseOptions {
  double amplitude = 1;
  std::size_t pade_order = 0;  ///< of the approximant where the method of steps is too long; 0: LimitReached
  Budget budget = {};
};

/// Every sample correct to double precision: partial fractions in ball arithmetic, of each delayed part where there is dead time,
/// and the method of steps where there is dead time inside a loop (response/time_function).
TimeResponse step_response(const ExactTransfer&, std::span<const double> times, const ResponseOptions& = {});
TimeResponse impulse_response(const ExactTransfer&, std::span<const double> times, const ResponseOptions& = {});
/// Rise, settling, overshoot and peak. They depend on the samples that are shown only where these go on for longer than it takes
/// to settle: no sample shown is beyond the peak.
/// @param shown  the response that was asked for, of the same amplitude.
StepFigures step_figures(const ExactTransfer&, const TimeResponse& shown, const ResponseOptions& = {});

/// A time range that shows the slowest mode settle (or a few periods of an undamped one, a few doublings of one that grows), s.
double settling_range(const ExactTransfer&);

/// The band that a response fills which oscillates more often than a picture has room for.
struct OscillationBand {
  std::vector<double> time;
  std::vector<double> low, high;
  double oscillations = 0;  ///< of the fastest mode, up to the last time
};

/// Oscillations of the fastest mode that lasts for more than a few of its periods, up to a time; 0 where the poles are infinitely
/// many.
double oscillations(const ExactTransfer&, double until);

/// The least and greatest values about each of some hundred times up to the last one; nothing where there are fewer oscillations
/// than can be drawn one by one. Each value is that of a sample refined to its extremum: the band may be narrower than the true
/// one by a thousandth of its width, never wider.
std::optional<OscillationBand> oscillation_band(const ExactTransfer&, Excitation, double until, const ResponseOptions& = {});

struct ResponsesOptions {
  std::optional<double> until = {};  ///< last time, s; where not given one that shows the slowest mode settle
  std::size_t points = 201;          ///< from 0 to the last time; a graph in z has as many samples as fit
  double amplitude = 1;              ///< of the step
  Budget budget = {};
};

/// The response of every question's output to a step at its input: samples, the time function where the poles are known in closed
/// form, rise and settling time and overshoot. Named by the output, with its input where there are several.
/// @throws sfg::Error naming parameters without values, NoAnswer and LimitReached as step_response() and transfer_functions().
std::vector<NamedResponse> step_responses(const SignalFlowGraph&, std::span<const Question>, const ResponsesOptions& = {});
/// The same of transfer functions at stated times.
/// @param times  ascending; k·h of transfer functions in z
std::vector<NamedResponse> responses(std::span<const ExactTransfer>, Excitation, std::span<const double> times,
                                     const ResponseOptions& = {});

/// A time range for a step response, s: half as long again as it takes to settle to 2 % where it settles, else settling_range().
double step_range(const ExactTransfer&);

/// The sample times k·h from 0 to `until`, each correctly rounded. @throws LimitReached beyond a million.
std::vector<double> sample_times(double until, const exact::Rational& sample_time);

}  // namespace sfg
