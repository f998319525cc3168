// step and impulse responses.
#include <algorithm>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/time_response.hpp"
#include "tools/frame/measurement.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

int run_symbolic(Task& task, const SignalFlowGraph& graph, Answer answer, bool step) {
  refuse_any(task.arguments, {"until", "points", "amplitude", "pade", "dark", "theme", "sweep", "data"},
             " is of numbers, not of --symbolic", "leave one of them out");
  if (graph.op.discrete()) throw NoAnswer("a sequence has no closed form here", "leave out --symbolic");
  if (answer == Answer::csv || answer == Answer::picture)
    throw UsageError("--symbolic gives expressions", "write them as .txt or .json");
  SymbolTable symbols = graph.symbols;
  if (symbols.find("t")) throw UsageError("the model has a parameter t, which is the time here", "give it a value: --set t=…");
  const GiNaC::ex t = symbols.symbol("t"), variable = graph.op.declare(symbols);
  std::vector<std::pair<std::string, SymbolicResponse>> found;
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  const bool several =
      std::any_of(questions.begin(), questions.end(), [&](const Question& q) { return q.input != questions[0].input; });
  for (const TransferFunction& transfer :
       transfer_functions(graph, questions, {.budget = task.budget, .seed = task.arguments.count("seed", 1)})) {
    std::string name = graph[transfer.question.output].name;
    if (several) name += " (" + graph[transfer.question.input].name + ")";
    const auto response = symbolic_response(transfer, variable, step ? Excitation::step : Excitation::impulse, t);
    if (!response)
      throw NoAnswer(
          "the response of '" + name + "' has no closed form with symbols: its denominator has a factor beyond the second degree",
          "leave out --symbolic for the samples");
    found.emplace_back(name, *response);
  }
  const PositiveLetters letters{.values = graph.symbols.values()};
  if (answer == Answer::json)
    write_json(task.out, found, step ? "step" : "impulse", letters);
  else
    show(task, page(found, letters));
  return 0;
}

int run_response(Task& task, bool step) {
  const Answer answer = answer_of(task.arguments, curves);
  if (task.arguments.has("symbolic")) return run_symbolic(task, graph_of(task), answer, step);
  SweptInput input(task);
  const SignalFlowGraph graph = input.graph(0);
  const std::vector<Measurement> records = measurements(task, measurable_responses(graph, questions_of(task.arguments, graph)));
  note_units(task, records);
  note_inputs(task, records, step ? "step" : "impulse");
  const auto transfers = input.each([&](std::size_t set) { return input.transfers(set); });
  task.working("evaluating time responses");
  const bool discrete = graph.op.discrete();
  double range = 0;
  for (const auto& set : transfers)
    for (const ExactTransfer& transfer : set) range = std::max(range, step ? step_range(transfer) : settling_range(transfer));
  TimeAxis axis = time_axis(task.arguments, last_measured(records).value_or(range));
  if (const auto& until = input.input().analyses.until; until && axis.until.empty()) axis.until = *until;
  const std::vector<double> times = discrete ? sample_times(axis, graph.op.period()) : even_times(axis);
  const double amplitude = value_of("--amplitude", task.arguments.text("amplitude", "1"));
  const auto found_at = [&](const std::vector<double>& at) {
    return input.each([&](std::size_t set) {
      return responses(transfers[set], step ? Excitation::step : Excitation::impulse, at,
                       {.amplitude = amplitude, .budget = task.budget});
    });
  };
  const auto found = found_at(times);
  std::vector<std::vector<MeasuredSignal>> measured;
  if (!records.empty())
    for (const auto& set : found_at(measured_times(records, graph.op))) measured.push_back(beside(records, set, graph.op, 0.0));
  std::vector<std::optional<OscillationBand>> bands;
  if (answer == Answer::picture && !times.empty())
    for (const ExactTransfer& transfer : joined(transfers))
      bands.push_back(oscillation_band(transfer, step ? Excitation::step : Excitation::impulse, times.back(),
                                       {.amplitude = amplitude, .budget = task.budget}));
  write_responses(task, input, found, step ? "step" : "impulse", step ? "Step response" : "Impulse response", discrete,
                  std::move(bands), measured);
  for (const NamedResponse& response : joined(found))
    if (!response.figures.missing.empty()) task.budget.check("the figures of the response");
  return 0;
}

Verb response_verb(const std::string& name, const std::string& summary, int (*run)(Task&)) {
  std::vector<Option> options = time_options();
  for (Option& option : loop_options()) options.push_back(std::move(option));
  options.push_back(ratio_option());
  for (Option& option : data_options("responses (CSV: t, OUT)")) options.push_back(std::move(option));
  return {
      .name = name,
      .summary = summary,
      .details =
          "By partial fractions in exact arithmetic: every sample is correct to double precision, for multiple poles and "
          "order 100 too; the time function is shown where the poles are known in closed form. Of a graph in z the samples of "
          "the difference equation.",
      .options = std::move(options),
      .examples = {"sfg " + name + " examples/vehicle.toml --from z1 --to Z --until 10 -o " + name + ".svg"},
      .run = run,
      .of_values = true};
}

}  // namespace

Verb step() {
  return response_verb("step", "response to a step, with rise and settling time and overshoot",
                       [](Task& task) { return run_response(task, true); });
}
Verb impulse() {
  return response_verb("impulse", "response to an impulse", [](Task& task) { return run_response(task, false); });
}

}  // namespace sfg::command
