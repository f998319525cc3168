#include "sfg/error.hpp"
#include "sfg/plot/monte_carlo_figure.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/monte_carlo.hpp"
#include "sfg/write/monte_carlo.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

namespace {

/// A number of samples: a whole one, 1e8 too.
std::uint64_t samples_of(const Arguments& arguments) {
  const std::string text = arguments.text("monte-carlo");
  const exact::Rational count = exact_value_of("--monte-carlo", text);
  const double value = count.to_double();
  if (count.sign() <= 0 || !count.is_integer() || value > 0x1p52)
    throw UsageError("option '--monte-carlo " + text + "': not a number of samples", "write --monte-carlo 10000, say");
  return static_cast<std::uint64_t>(value);
}

std::vector<double> times_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  if (!arguments.has("until")) {
    if (arguments.has("points")) throw UsageError("--points is of the step responses up to --until", "add --until T");
    return {};
  }
  const TimeAxis axis = time_axis(arguments, 1);
  return graph.op.discrete() ? sample_times(axis, graph.op.period()) : even_times(axis);
}

SampledQuestions questions_of(const Arguments& arguments, const Study& study) {
  const SymbolTable& symbols = study.system.graph.symbols;
  SampledQuestions questions{study.measures, specs_of(arguments, symbols), {}, times_of(arguments, study.system.graph)};
  if (arguments.has("freq")) questions.frequency = frequencies_of(arguments);
  if (questions.measures.empty() && questions.specs.empty() && questions.frequency.empty() && questions.time.empty())
    throw UsageError("nothing is asked of the samples", "add --measure M, --spec 'M < VALUE', --freq or --until");
  return questions;
}

/// The envelopes' middle: the responses of the model as it is stated.
NominalCurves nominal_curves(const Task& task, const Study& study, const SampledQuestions& questions) {
  NominalCurves nominal;
  const std::span<const Question> question(&study.system.question, 1);
  if (!questions.frequency.empty()) {
    SweepOptions options{.budget = task.budget};
    options.frequency = questions.frequency;
    const FrequencyResponse response = frequency_responses(study.system.graph, question, options).front();
    nominal.magnitude_db = response.magnitude_db;
    nominal.phase_deg = response.phase_deg;
  }
  if (!questions.time.empty()) {
    const ExactTransfer transfer = exact_transfers(study.system.graph, question, {.budget = task.budget}).front();
    nominal.step = step_response(transfer, questions.time, {.budget = task.budget}).value;
  }
  return nominal;
}

}  // namespace

int sens_monte_carlo(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, curves);
  MonteCarloOptions options{.samples = samples_of(arguments),
                            .sampling = sampling_named(arguments.text("sampling", "random")).value(),
                            .seed = arguments.count("seed", 1),
                            .threads = static_cast<unsigned>(arguments.count("threads", 0)),
                            .budget = task.budget};
  const Study study = study_of(task);
  const SampledQuestions questions = questions_of(arguments, study);
  require_variation(study);
  task.working("sampling");
  if (answer == Answer::csv) {
    task.out << csv_head(study.variation, questions);
    options.table = {csv_rows, [&](std::string_view rows) { task.out << rows; }};
  }
  const MonteCarlo found = monte_carlo(study.system, study.variation, questions, options);
  if (answer == Answer::json)
    write_json(task.out, found);
  else if (answer == Answer::picture)
    put(task, monte_carlo_figure(found, nominal_curves(task, study, questions), figure_options(task, study)));
  else if (answer == Answer::text)
    show(task, page(found, arguments.has("hz")));
  return 0;
}

std::vector<Option> monte_carlo_options() {
  return {{"--monte-carlo", "N", "so many samples of the parameters within their tolerances"},
          {"--sampling", "KIND", "random, lhs (Latin hypercube) or sobol", Option::Kind::choice, {"random", "lhs", "sobol"}},
          {"--spec",
           "'M < VALUE'",
           "the share of samples that meet it, with a confidence interval; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--until", "T", "the step responses up to this time"},
          {"--points", "N", "number of their points", Option::Kind::count},
          {"--checkpoint", "FILE", "keeps the state of the study there"},
          {"--resume", "FILE", "goes on from a checkpoint"}};
}

}  // namespace sfg::command
