#include <optional>

#include "sfg/error.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/write/study/monte_carlo.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/checkpoint.hpp"
#include "tools/frame/growing_file.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/packed_samples.hpp"
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

/// How a nonlinear model is taken, as the options say.
std::string way_of(const Arguments& arguments) {
  std::string way;
  for (const char* option : {"nonlinear", "linearize", "amplitude", "at", "box", "want", "free", "at-time"})
    if (arguments.has(option)) {
      way += (way.empty() ? "" : " ") + std::string(option);
      for (const std::string& text : arguments.list(option)) way += " " + text;
    }
  return way;
}

std::vector<double> stated_times(const Arguments& arguments, const SignalFlowGraph& graph) {
  if (!arguments.has("until")) {
    if (arguments.has("points")) throw UsageError("--points is of the step responses up to --until", "add --until T");
    return {};
  }
  const TimeAxis axis = time_axis(arguments, 1);
  return graph.op.discrete() ? sample_times(axis, graph.op.period()) : even_times(axis);
}

SampledQuestions questions_of(const Arguments& arguments, const Study& study) {
  const SymbolTable& symbols = study.system.graph.symbols;
  SampledQuestions questions{study.measures, specs_of(arguments, symbols), {}, stated_times(arguments, study.system.graph)};
  if (arguments.has("freq")) questions.frequency = frequencies_of(arguments);
  if (questions.measures.empty() && questions.specs.empty() && questions.frequency.empty() && questions.time.empty())
    throw UsageError("nothing is asked of the samples", "add --measure M, --spec 'M < VALUE', --freq or --until");
  return questions;
}

/// What a study writes while it is under way.
class Keeping {
 public:
  Keeping(Task& task, const std::string& head, bool table, MonteCarloOptions& options)
      : task_(task), file_(task.arguments.text("checkpoint", task.arguments.text("resume"))) {
    Checkpoint checkpoint;
    const std::string resumed = task.arguments.text("resume");
    if (!resumed.empty()) checkpoint = Checkpoint::of(resumed);
    options.resume = checkpoint.state;
    if (table) {
      const std::string path = task.arguments.text("output");
      if (checkpoint.table > 0) {
        table_.emplace(path, checkpoint.table);
      } else {
        table_.emplace(path, !file_.empty());
        table_->append(head);
      }
      options.table.put = [this](std::string_view rows) { table_->append(rows); };
    }
    if (!file_.empty()) options.keep = [this](const std::string& state) { keep(state); };
    options.progress = [this](std::uint64_t done, std::uint64_t all) {
      done_ = done;
      task_.progress(done, all);
    };
  }

  void finish() {
    if (!table_) return;
    table_->finish();
    task_.delivered = true;
  }

  /// How to go on with a study that was interrupted.
  void note_interruption(std::uint64_t samples) const {
    task_.notes.push_back(
        {{},
         "the study ended after " + std::to_string(done_) + " of " + std::to_string(samples) + " samples",
         file_.empty() ? "with --checkpoint FILE it could go on" : "go on with --resume " + file_ + " in place of --checkpoint",
         Severity::warning});
  }

 private:
  void keep(const std::string& state) {
    if (table_) table_->synchronise();
    deliver(Checkpoint{table_ ? table_->size() : 0, state}.text(), file_);
  }

  Task& task_;
  std::string file_;
  std::optional<GrowingFile> table_;
  std::uint64_t done_ = 0;
};

/// Files are the business of rank 0: where it fails, the others end, too.
template <class Work>
void first_of_ranks(Ranks* ranks, const Work& work) {
  if (!ranks) return work();
  if (ranks->rank() != 0) {
    if (ranks->broadcast({}) != "well") throw Cancelled();
    return;
  }
  try {
    work();
  } catch (...) {
    ranks->broadcast("failed");
    throw;
  }
  ranks->broadcast("well");
}

MonteCarlo kept_study(const Study& study, const SampledQuestions& questions, const MonteCarloOptions& options,
                      std::optional<Keeping>& keeping) {
  try {
    MonteCarlo found = monte_carlo(study.system, study.variation, questions, options);
    if (keeping) keeping->finish();
    return found;
  } catch (const Cancelled&) {
    if (keeping) keeping->note_interruption(options.samples);
    throw;
  } catch (const LimitReached&) {
    if (keeping) keeping->note_interruption(options.samples);
    throw;
  }
}

/// The envelopes' middle: the responses of the model as it is stated.
NominalCurves nominal_curves(const Task& task, const Study& study, const SampledQuestions& questions) {
  NominalCurves nominal;
  if (study.system.simulated) {
    if (!questions.time.empty()) nominal.step = study.system.simulated->response({}, {}, questions.time).value;
    return nominal;
  }
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

/// Where the samples themselves go.
void check_samples(const Arguments& arguments, Answer answer) {
  if (arguments.has("samples") && answer != Answer::json)
    throw UsageError("--samples puts them into JSON", "add --json, or write a table: -o samples.csv");
  if (arguments.has("samples") && (arguments.has("checkpoint") || arguments.has("resume")))
    throw UsageError("--samples keeps no checkpoint", "write a table, which does: -o samples.csv");
  for (const char* option : {"freq", "until", "spec"})
    if (answer == Answer::csv && arguments.has(option) && !(arguments.has("nonlinear") && std::string_view(option) == "until"))
      throw UsageError(std::string("--") + option + " is of all samples, and a table of them has no place for it",
                       "leave it out, or ask for JSON or a picture");
}

}  // namespace

int sens_monte_carlo(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, curves);
  check_samples(arguments, answer);
  MonteCarloOptions options{.samples = samples_of(arguments),
                            .sampling = sampling_named(arguments.text("sampling", "random")).value(),
                            .seed = arguments.count("seed", 1),
                            .threads = static_cast<unsigned>(arguments.count("threads", 0)),
                            .budget = task.budget};
  const Study study = study_of(task);
  const SampledQuestions questions = questions_of(arguments, study);
  require_variation(study);
  task.working("sampling");
  options.ranks = task.ranks;
  options.also = way_of(arguments);
  std::string rows;
  if (answer == Answer::csv) options.table.text = csv_rows;
  if (arguments.has("samples")) options.table = {packed_rows, [&rows](std::string_view more) { rows += more; }};
  std::optional<Keeping> keeping;
  first_of_ranks(task.ranks,
                 [&] { keeping.emplace(task, csv_head(study.variation, questions), answer == Answer::csv, options); });
  const MonteCarlo found = kept_study(study, questions, options, keeping);
  if (task.ranks && task.ranks->rank() != 0) return 0;
  PackedSamples* packed = arguments.has("samples") ? PackedSamples::of_thread() : nullptr;
  if (packed) {
    for (const VaryingParameter& parameter : found.variation.parameters) packed->names.push_back(parameter.name);
    for (const MeasureStatistics& measure : found.measures) packed->names.push_back(measure.name);
    packed->rows = std::move(rows);
  }
  if (answer == Answer::json && arguments.has("samples") && !packed)
    write_json(task.out, found, rows);
  else if (answer == Answer::json)
    write_json(task.out, found);
  else if (answer == Answer::picture)
    put(task, monte_carlo_figure(found, nominal_curves(task, study, questions), figure_options(task, study)));
  else if (answer == Answer::text)
    show(task, page(found, arguments.has("hz")));
  return 0;
}

std::vector<Option> monte_carlo_options() {
  std::vector<Option> all;
  add(all, {"--monte-carlo"},
      {{"--monte-carlo", "N", "so many samples of the parameters within their tolerances"},
       {"--sampling", "KIND", "random, lhs (Latin hypercube) or sobol", Option::Kind::choice, {"random", "lhs", "sobol"}},
       {"--spec",
        "'M < VALUE'",
        "the share of samples that meet it, with a confidence interval; repeatable",
        Option::Kind::text,
        {},
        true},
       {"--samples", "", "with --json: the samples themselves, too"},
       {"--checkpoint", "FILE", "keeps the state of the study there, every ten seconds and when it is interrupted"},
       {"--resume", "FILE", "goes on from a checkpoint, to the same answer as without a break"}});
  add(all, {"--until", "--monte-carlo", "--sobol", "--morris", "--tornado"},
      {{"--until", "T", "the step responses up to this time; of --nonlinear, how long they are simulated"}});
  add(all, {"--until", "--monte-carlo"}, {{"--points", "N", "number of their points", Option::Kind::count}});
  return all;
}

}  // namespace sfg::command
