#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/model/simulation.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

struct ForcedOptions {
  double rtol = 1e-9;   ///< of the largest value of the input: how closely an input without exact form is followed
  double atol = 1e-12;  ///< in the unit of the input
  std::size_t pade_order = 8;
  Budget budget = {};
};

/// Response to an input expression for t ≥ 0, from rest. Where the input has an exact form (input_signal) its Laplace transform
/// is multiplied with the transfer function and inverted by partial fractions: every event is at its time, nothing is stepped.
/// Any other input is replaced by polynomials of degree 6, piece by piece, that follow it to the tolerances; pieces end at every
/// switch of step, sign, abs, min and max, and the response to the polynomials is exact. `method` of the result says which.
/// At a jump the sample is the limit from the right.
/// @param input  an expression of `t` alone, every parameter a number.
/// @throws NoAnswer  when the input is not finite somewhere, or the transfer function is improper and the input has no exact
/// form.
/// @throws LimitReached  when the input needs more than 100,000 pieces.
TimeResponse forced_response(const ExactTransfer&, const GiNaC::ex& input, const GiNaC::ex& t, std::span<const double> times,
                             const ForcedOptions& = {});

/// Response to a signal given at points and straight between them (a CSV file), exact for that signal: 0 before the first point,
/// the last value after the last; two points at one time are a jump.
/// @param input_times  ascending, ≥ 0; @param times  ascending.
/// @throws NoAnswer for an improper transfer function.
TimeResponse sampled_response(const ExactTransfer&, std::span<const double> input_times, std::span<const double> input_values,
                              std::span<const double> times, const ForcedOptions& = {});

/// A signal that acts on a node: an expression of time, or points.
struct Drive {
  NodeId node;
  std::variant<GiNaC::ex, SampledSignal> signal;
};

/// The value of a state just before t = 0.
struct InitialValue {
  std::string name;  ///< of a state: a signal of the graph, or its derivative Dx
  double value = 0;
};

/// A linear model ready to be simulated: superposition of the inputs, each by the method that suits it, and of the initial
/// values.
struct Simulation {
  std::vector<Drive> drives = {};
  std::vector<InitialValue> initial = {};
  std::vector<std::string> outputs = {};
  std::vector<std::vector<ExactTransfer>> forced = {};  ///< [output][drive]
  std::vector<std::vector<ExactTransfer>> free =
      {};          ///< [output][initial value]: response to an impulse at the state's integrator
  GiNaC::ex time;  ///< the symbol t of the expressions
  Operator op = "s";
};

struct SimulationQuestion {
  std::vector<Drive> drives = {};
  std::vector<InitialValue> initial = {};
  std::vector<NodeId> outputs = {};
  GiNaC::ex time;
  bool inject = false;  ///< a drive is added to what enters its node
};

/// @throws sfg::Error  with the place of every nonlinear branch that matters; naming the states when an initial value is of none.
Simulation simulation(const SignalFlowGraph&, SimulationQuestion, const Budget& = {});

/// A last time that shows everything settle after the last event of the inputs, s.
double settling_range(const Simulation&);

/// Responses at the times. Of a discrete model the times are those of its samples k·h, and the inputs are taken there.
std::vector<NamedResponse> responses(const Simulation&, std::span<const double> times, const ForcedOptions& = {});

/// Something that happened at one moment of a motion that is integrated.
struct RunEvent {
  double time = 0;
  /// Of a graph its branch, "v -> F"; of a mechanism the stop, the event or the coordinate in whose equation the jump stands.
  std::string name = {};
  /// "hold", "leave": the motion goes on along a jump of a law, held by a value between those of both sides, or leaves it; where
  /// that is known to be friction, the jump of a velocity, "stick", "slip". "switch": a law jumps. "corner": its slope does.
  /// Of mechanisms also "impact", "contact", "separation", "release", "end".
  std::string kind = {};
  double speed = 0;           ///< of approach, at an impact
  std::string function = {};  ///< what was 0 there, in signals of the model; "" where it has no short form
  int direction = 0;          ///< 1: it rises there, −1: it falls
  /// Of the law's output; of a mechanism's jump its sign, between −1 and 1 where it sticks; of an impact the speed of approach.
  std::optional<double> before = {}, after = {};
};

/// Those that are listed at most; how many there were is counted.
constexpr std::size_t most_listed_events = 100'000;

/// What a run leaves beside its outputs.
struct RunRecord {
  std::vector<InitialValue> last_state = {};  ///< from which another run may go on; none of a graph of samples
  std::vector<RunEvent> events = {};          ///< in the order of time, at most `most_listed_events`
};

/// A run that is kept on its way, so that another process goes on from there to the very answer of an uninterrupted run.
struct KeptRun {
  /// Takes the state of the run: not more often than every `seconds_between`, at its end, and when the budget ends it.
  std::function<void(const std::string& state)> keep = {};
  double seconds_between = 10;
  std::string resume = {};                                       ///< a state that was kept, of the same question
  std::function<void(double time, double until)> progress = {};  ///< up to where the motion has been followed
};

}  // namespace sfg
