// bode, nyquist and nichols: one computation, three pictures.
#include <algorithm>
#include <iterator>

#include "sfg/control/open_loop.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/dimension.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/write/frequency_response.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/measurement.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/singular_values.hpp"

namespace sfg::command {

namespace {

/// A picture, and how what was measured comes into it.
struct Drawn {
  Figure (*figure)(std::span<const FrequencyResponse>, const FigureOptions&);
  void (*add_measured)(Figure&, std::span<const MeasuredTransfer>, const MeasuredPointsOptions&);
};

using Responses = std::vector<FrequencyResponse>;

/// By whichever way is quicker; under a sweep from the transfer functions where those are.
Responses responses_of(Task& task, SweptInput& input, std::size_t set, const SweepOptions& options) {
  const SignalFlowGraph graph = input.graph(set);
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (input.sweep().empty()) task.working("evaluating frequency responses");
  static_cast<void>(approximated(task, graph));  // says where there is no dead time
  if (input.sweep().empty() || (prefers_compiled(graph, questions) && !options.pade))
    return frequency_responses(graph, questions, options);
  try {
    return frequency_responses(input.transfers(set), options);
  } catch (const NoAnswer&) {  // a gain that is no rational function
    return frequency_responses(graph, questions, options);
  }
}

/// Where no frequencies are stated, every set has those that suit it, within one range that holds what was measured.
std::vector<Responses> responses_of(Task& task, SweptInput& input, const std::string& verb, const std::vector<double>& measured) {
  const Arguments& arguments = task.arguments;
  SweepOptions options{.group_delay = verb == "bode", .seed = arguments.count("seed", 1), .budget = task.budget};
  options.frequency = arguments.has("freq") ? frequencies_of(arguments) : input.input().analyses.frequency;
  options.smooth = verb == "nyquist" && answer_of(arguments, curves) == Answer::picture;
  if (arguments.has("pade")) options.pade = arguments.count("pade", 4);
  std::vector<Responses> found = input.each([&](std::size_t set) { return responses_of(task, input, set, options); });
  if (!options.frequency.empty() || (found.size() == 1 && measured.empty()) || found.front().empty()) return found;
  double low = found.front().front().frequency.front(), high = found.front().front().frequency.back();
  if (!measured.empty()) low = std::min(low, measured.front()), high = std::max(high, measured.back());
  for (const Responses& set : found) {
    low = std::min(low, set.front().frequency.front());
    high = std::max(high, set.front().frequency.back());
  }
  return input.each([&](std::size_t set) {
    const std::vector<double>& own = found[set].front().frequency;
    if (own.front() == low && own.back() == high) return found[set];
    SweepOptions wide = options;
    wide.frequency = widened(own, low, high);
    return responses_of(task, input, set, wide);
  });
}

MeasurableNames measurable(Task& task, const SignalFlowGraph& graph) {
  MeasurableNames names{.axis = MeasuredAxis::frequency};
  for (const Question& question : questions_of(task.arguments, graph))
    names.transfers.emplace_back(graph[question.input].name, graph[question.output].name);
  return names;
}

/// The records beside each set of the model.
std::vector<std::vector<MeasuredTransfer>> beside_model(Task& task, SweptInput& input, std::span<const Measurement> records) {
  SweepOptions there{.frequency = measured_frequencies(records), .seed = task.arguments.count("seed", 1), .budget = task.budget};
  if (task.arguments.has("pade")) there.pade = task.arguments.count("pade", 4);
  if (records.empty()) return std::vector<std::vector<MeasuredTransfer>>(input.sweep().size());
  return input.each([&](std::size_t set) { return beside(records, responses_of(task, input, set, there)); });
}

/// The margins are those of the response taken for an open loop.
void note_closed_loops(Task& task, const SignalFlowGraph& graph) {
  for (const Question& question : questions_of(task.arguments, graph))
    if (passes_through_loop(graph, question))
      task.notes.push_back({graph.where,
                            "the transfer function '" + graph[question.input].name + "' -> '" + graph[question.output].name +
                                "' passes through a loop: it is that of a closed loop, and is taken for the open loop here",
                            "", Severity::warning});
}

FigureOptions figure_options(Task& task, SweptInput& input, std::size_t curves_of_a_set) {
  FigureOptions options{.hertz = task.arguments.has("hz"), .sets = input.sets_of_curves(curves_of_a_set)};
  const bool asymptotes = task.arguments.has("asymptotes"), opened = task.arguments.has("break");
  const bool asked = task.arguments.has("margins"), margins = asked || (opened && task.arguments.text("of", "loop") == "loop");
  if (!margins && !asymptotes) return options;
  if (margins && !opened) note_closed_loops(task, input.graph(0));
  const std::vector<ExactTransfer> transfers = joined(input.each([&](std::size_t set) { return input.transfers(set); }));
  if (asymptotes) std::ranges::transform(transfers, std::back_inserter(options.asymptotes), bode_asymptotes);
  try {
    if (margins)
      for (const ExactTransfer& transfer : transfers) options.margins.push_back(sfg::margins(transfer));
  } catch (const NoAnswer& failure) {  // a picture of a loop shows them unasked
    if (asked) throw;
    options.margins.clear();
    task.notes.push_back({{}, std::string("the picture shows no margins: ") + failure.what(), "", Severity::remark});
  }
  return options;
}

void show_picture(Task& task, SweptInput& input, const std::vector<Responses>& found,
                  const std::vector<std::vector<MeasuredTransfer>>& measured, const Drawn& drawn) {
  Figure figure = drawn.figure(joined(found), figure_options(task, input, found.front().size()));
  drawn.add_measured(figure, measured.front(), {.hertz = task.arguments.has("hz"), .residuals = found.size() == 1});
  put(task, std::move(figure));
}

/// @throws UsageError for lines of pictures where none is made, and for margins of what is no loop.
void check_lines(const Task& task, Answer answer) {
  for (const char* lines : {"margins", "asymptotes"})
    if (task.arguments.has(lines) && answer != Answer::picture)
      throw UsageError(std::string("--") + lines + " are lines of a picture, and no picture is written",
                       std::string("add -o x.svg (or .png, .pdf)") +
                           (std::string(lines) == "margins" ? "; sfg margins gives the numbers" : ""));
  if (task.arguments.has("margins") && task.arguments.text("of", "loop") != "loop")
    throw UsageError("--margins are those of the loop, and the picture is of --of " + task.arguments.text("of"),
                     "leave --of out, or --margins");
}

int run_frequency(Task& task, const std::string& verb, const Drawn& drawn) {
  const Answer answer = answer_of(task.arguments, curves);
  check_lines(task, answer);
  if (task.arguments.has("singular-values"))
    refuse_any(task.arguments, {"data"}, " is of single transfer functions, not of singular values");
  SweptInput input(task);
  const std::vector<Measurement> records = measurements(task, measurable(task, input.graph(0)));
  note_units(task, records);
  std::vector<Responses> found = responses_of(task, input, verb, measured_frequencies(records));
  for (Responses& set : found)
    for (FrequencyResponse& r : set) {
      const std::string output = task.unit_of(r.output), by = task.unit_of(r.input);
      if (!output.empty() && !by.empty()) r.unit = unit_quotient(output, by);
    }
  const bool hertz = task.arguments.has("hz"), bode = verb == "bode";
  if (task.arguments.has("singular-values")) return show_singular_values(task, input, found);
  const FrequencyColumns columns{.hertz = hertz, .group_delay = bode};
  const auto measured = beside_model(task, input, records);
  switch (answer) {
    case Answer::json:
      write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) {
        write_beside(out, measured[set], [&](std::ostream& text) { write_json(text, found[set], verb, bode); });
      });
      break;
    case Answer::csv:
      write_csv(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) {
        records.empty() ? write_csv(out, found[set], columns) : write_csv(out, measured[set], columns);
      });
      break;
    case Answer::picture: show_picture(task, input, found, measured, drawn); break;
    case Answer::text:
      show(task, page(input.sweep(), [&](std::size_t set) {
             Page whole = page(found[set], columns);
             if (!records.empty()) whole.add(page(measured[set]));
             return whole;
           }));
      break;
  }
  return 0;
}

std::vector<Option> frequency_verb_options(const std::string& verb) {
  std::vector<Option> options = frequency_options();
  for (Option& option : loop_options()) options.push_back(std::move(option));
  options.push_back(ratio_option());
  for (Option& option : data_options("frequency responses (CSV: f or w, OUT_db, OUT_deg, OUT_re, OUT_im)"))
    options.push_back(std::move(option));
  options.push_back({"--margins", "",
                     "in a picture (of a loop opened by --break unasked): gain and phase margin of the response taken for an "
                     "open loop, with their values"});
  if (verb != "bode") return options;
  options.push_back({"--asymptotes", "", "in a picture: the straight-line approximation, with its corners"});
  options.push_back({"--singular-values", "", "of all inputs and outputs as one matrix: its singular values over frequency"});
  return options;
}

Verb frequency_verb(const std::string& name, const std::string& summary, int (*run)(Task&)) {
  return {.name = name,
          .summary = summary,
          .details =
              "Values are exact to double precision, dead time included; those of graphs with more than 60 nodes carry a proven "
              "bound of their error, at most 1e-8, which the JSON states. JSON always gives rad/s; phases are continuous.",
          .options = frequency_verb_options(name),
          .examples = {"sfg " + name + " examples/vehicle.toml --from z1 --to Z -o " + name + ".svg",
                       "sfg " + name + " examples/vehicle.toml --from z1 --to Z --freq 0.1:100:200 --json",
                       "sfg " + name + " examples/vehicle.toml --from z1 --to Z --sweep h=1000,4000,16000 -o " + name + ".svg"},
          .run = run,
          .of_values = true};
}

}  // namespace

Verb bode() {
  return frequency_verb("bode", "magnitude and phase over frequency", [](Task& task) {
    return run_frequency(task, "bode", {bode_figure, add_measured_to_bode});
  });
}
Verb nyquist() {
  return frequency_verb("nyquist", "the frequency response in the complex plane", [](Task& task) {
    return run_frequency(task, "nyquist", {nyquist_figure, add_measured_to_nyquist});
  });
}
Verb nichols() {
  return frequency_verb("nichols", "magnitude over phase", [](Task& task) {
    return run_frequency(task, "nichols", {nichols_figure, add_measured_to_nichols});
  });
}

}  // namespace sfg::command
