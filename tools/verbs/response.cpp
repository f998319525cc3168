// step and impulse responses.
#include <algorithm>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/control.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

/// The output's name; with its input where several inputs act.
std::string name_of(const ExactTransfer& transfer, const std::vector<ExactTransfer>& all) {
  for (const ExactTransfer& other : all)
    if (other.input != transfer.input) return transfer.output + " (" + transfer.input + ")";
  return transfer.output;
}

/// Read off the samples until all has settled, and all that are shown.
StepFigures discrete_figures(const ExactTransfer& transfer, const std::string& h, double amplitude, double shown) {
  const double range = std::max(shown, settling_range(transfer, exact::rational_double(h)));
  const std::vector<double> times = sample_times({.until = "", .points = "", .otherwise = range}, h);
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

NamedResponse continuous(const ExactTransfer& transfer, const std::vector<double>& times, const ResponseOptions& options,
                         bool step) {
  NamedResponse response{"", (step ? step_response : impulse_response)(transfer, times, options), {}, {}};
  SymbolTable symbols;
  const std::string factor = decimal_rational(options.amplitude);
  if (const auto f = time_function(transfer, step ? step_signal(factor) : impulse_signal(factor), symbols.symbol("t")))
    response.closed_form = shown_expression(*f);
  if (step) response.figures = figures_in_time(transfer, response.value, options);
  return response;
}

int run_symbolic(Task& task, const SignalFlowGraph& graph, Answer answer, bool step) {
  for (const char* option : {"until", "points", "amplitude", "pade", "dark"})
    if (task.arguments.has(option))
      throw UsageError(std::string("--") + option + " is of numbers, not of --symbolic", "leave one of them out");
  if (graph.variable == "z") throw NoAnswer("a sequence has no closed form here", "leave out --symbolic");
  if (answer == Answer::csv || answer == Answer::picture)
    throw UsageError("--symbolic gives expressions", "write them as .txt or .json");
  SymbolTable symbols = graph.symbols;
  if (symbols.find("t")) throw UsageError("the model has a parameter t, which is the time here", "give it a value: --set t=…");
  const GiNaC::ex t = symbols.symbol("t"), variable = symbols.symbol(graph.variable);
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
  if (answer == Answer::json)
    write_json(task.out, found, task.arguments.verb());
  else
    write_text(task.out, found);
  return 0;
}

int run(Task& task, bool step) {
  const Answer answer = answer_of(task.arguments, curves);
  const SignalFlowGraph graph = graph_of(task);
  if (task.arguments.has("symbolic")) return run_symbolic(task, graph, answer, step);
  const std::vector<ExactTransfer> transfers = approximated(task.arguments, transfers_of(task, graph));
  task.working("evaluating time responses");
  const bool discrete = graph.variable == "z";
  const std::string h = sample_time_of(task.arguments, graph);
  double range = 0;
  for (const ExactTransfer& transfer : transfers) range = std::max(range, settling_range(transfer, exact::rational_double(h)));
  const TimeAxis axis = time_axis(task.arguments, range);
  const std::vector<double> times = discrete ? sample_times(axis, h) : even_times(axis);
  const double amplitude = value_of("--amplitude", task.arguments.text("amplitude", "1"));
  const ResponseOptions options{.amplitude = amplitude, .budget = task.budget};
  std::vector<NamedResponse> responses;
  for (const ExactTransfer& transfer : transfers) {
    task.budget.check("the time response");
    responses.push_back(
        discrete ? NamedResponse{"",
                                 sequence_response(transfer, times, amplitude, step ? Excitation::step : Excitation::impulse),
                                 {},
                                 {}}
                 : continuous(transfer, times, options, step));
    responses.back().name = name_of(transfer, transfers);
    if (discrete && step) responses.back().figures = discrete_figures(transfer, h, amplitude, times.empty() ? 0.0 : times.back());
  }
  const std::string verb = task.arguments.verb();
  const FigureOptions look{.dark = task.arguments.has("dark"), .samples = discrete};
  switch (answer) {
    case Answer::json: write_json(task.out, responses, verb); break;
    case Answer::csv: write_csv(task.out, responses); break;
    case Answer::picture: put(task, response_figure(responses, step ? "Step response" : "Impulse response", look)); break;
    case Answer::text: write_text(task.out, responses, verb); break;
  }
  for (const NamedResponse& response : responses)
    if (!response.figures.missing.empty()) task.budget.check("the figures of the response");
  return 0;
}

Verb verb(const std::string& name, const std::string& summary, int (*run)(Task&)) {
  return {
      .name = name,
      .summary = summary,
      .details =
          "By partial fractions in exact arithmetic: every sample is correct to double precision, for multiple poles and "
          "order 100 too; the time function is shown where the poles are known in closed form. Of a graph in z the samples of "
          "the difference equation.",
      .options = time_options(),
      .examples = {"sfg " + name + " examples/vehicle.toml --from z1 --to Z --until 10 -o " + name + ".svg"},
      .run = run};
}

}  // namespace

Verb step() {
  return verb("step", "response to a step, with rise and settling time and overshoot",
              [](Task& task) { return run(task, true); });
}
Verb impulse() {
  return verb("impulse", "response to an impulse", [](Task& task) { return run(task, false); });
}

}  // namespace sfg::command
