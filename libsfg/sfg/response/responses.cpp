#include "sfg/response/time_response.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/discretize.hpp"

namespace sfg {

namespace {

/// The output's name; with its input where several inputs act.
std::string name_of(const ExactTransfer& transfer, std::span<const ExactTransfer> all) {
  for (const ExactTransfer& other : all)
    if (other.input != transfer.input) return transfer.output + " (" + transfer.input + ")";
  return transfer.output;
}

constexpr double most_in_sequence = 1e6;

/// Read off the samples until all has settled, and all that are shown.
StepFigures discrete_figures(const ExactTransfer& transfer, double amplitude, double shown) {
  const double settled = settling_range(transfer);
  if (settled > most_in_sequence * transfer.op.period().to_double()) {
    StepFigures none;
    none.missing = "it settles after more than a million samples";
    return none;
  }
  const std::vector<double> times = sample_times(std::max(shown, settled), transfer.op.period());
  return sample_figures(sequence_response(transfer, times, amplitude, Excitation::step), step_growth(transfer));
}

/// The figures may take longer than the time limit, or than can be carried through: the samples are there for all that.
StepFigures figures_in_time(const ExactTransfer& transfer, const TimeResponse& shown, const ResponseOptions& options) {
  try {
    return step_figures(transfer, shown, options);
  } catch (const LimitReached& limit) {
    StepFigures none;
    none.missing = limit.what();
    return none;
  }
}

NamedResponse discrete(const ExactTransfer& transfer, Excitation excitation, std::span<const double> times, double amplitude) {
  NamedResponse response;
  response.value = sequence_response(transfer, times, amplitude, excitation);
  if (excitation == Excitation::step)
    response.figures = discrete_figures(transfer, amplitude, times.empty() ? 0.0 : times.back());
  return response;
}

NamedResponse continuous(const ExactTransfer& transfer, Excitation excitation, std::span<const double> times,
                         const ResponseOptions& options) {
  const bool step = excitation == Excitation::step;
  NamedResponse response;
  response.value = (step ? step_response : impulse_response)(transfer, times, options);
  SymbolTable symbols;
  const exact::Rational factor = decimal_rational(options.amplitude);
  response.closed_form = time_function(transfer, step ? step_signal(factor) : impulse_signal(factor), symbols.symbol("t"));
  if (step) response.figures = figures_in_time(transfer, response.value, options);
  return response;
}

}  // namespace

std::vector<double> sample_times(double until, const exact::Rational& sample_time) {
  constexpr double rounding = 1e-9;
  const double periods = until / sample_time.to_double();
  if (periods > most_in_sequence) throw LimitReached("the time has more than a million samples", Advice::shorten_time);
  std::vector<double> times(static_cast<std::size_t>(std::floor(periods + rounding)) + 1);
  for (std::size_t k = 0; k < times.size(); ++k) times[k] = (sample_time * k).to_double();
  return times;
}

std::vector<NamedResponse> responses(std::span<const ExactTransfer> transfers, Excitation excitation,
                                     std::span<const double> times, const ResponseOptions& options) {
  std::vector<NamedResponse> found;
  for (const ExactTransfer& transfer : transfers) {
    options.budget.check("the time response");
    found.push_back(transfer.op.discrete() ? discrete(transfer, excitation, times, options.amplitude)
                                           : continuous(transfer, excitation, times, options));
    found.back().name = name_of(transfer, transfers);
    found.back().input = transfer.input;
    found.back().output = transfer.output;
  }
  return found;
}

std::vector<NamedResponse> step_responses(const SignalFlowGraph& graph, std::span<const Question> questions,
                                          const ResponsesOptions& options) {
  const std::vector<ExactTransfer> transfers = exact_transfers(graph, questions, {.budget = options.budget});
  double until = options.until.value_or(0);
  if (!options.until)
    for (const ExactTransfer& transfer : transfers) until = std::max(until, step_range(transfer));
  std::vector<double> times;
  if (graph.op.discrete())
    times = sample_times(until, graph.op.period());
  else
    for (std::size_t i = 0; i < options.points; ++i)
      times.push_back(until * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(options.points, 2) - 1));
  return responses(transfers, Excitation::step, times, {.amplitude = options.amplitude, .budget = options.budget});
}

}  // namespace sfg
