#include "sfg/plot/worst_case_figure.hpp"
#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/write/study/worst_case.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

namespace {

constexpr int incomplete = 4;  // as of a run that a limit has ended

/// The magnitudes at the frequencies of --freq, after what --measure names.
void add_magnitudes(std::vector<Measure>& measures, const Arguments& arguments) {
  for (const double w : frequencies_of(arguments)) {
    Measure gain = measure_of("gain@1", {});
    gain.bases.front().at = w;
    gain.text = to_string(gain.bases.front());
    measures.push_back(std::move(gain));
  }
}

}  // namespace

int sens_worst_case(Task& task) {
  const Answer answer = answer_of(task.arguments, pictures);
  Study study = study_of(task);
  require_variation(study);
  if (task.arguments.has("freq")) add_magnitudes(study.measures, task.arguments);
  if (study.measures.empty())
    throw UsageError("--worst-case is that of measures, and none is named", "add --measure gain@10, or --freq LO:HI:N");
  WorstCaseOptions options{.budget = task.budget};
  options.gap = task.arguments.number("gap").value_or(options.gap);
  task.working("bounding the measures");
  const WorstCases found = worst_cases(study.system, study.measures, study.variation, options);
  if (answer == Answer::json)
    write_json(task.out, found);
  else if (answer == Answer::picture)
    put(task, worst_case_figure(found, figure_options(task, study)));
  else
    show(task, page(found));
  return found.complete() ? 0 : incomplete;
}

std::vector<Option> worst_case_options() {
  std::vector<Option> all;
  add(all, {"--worst-case"},
      {{"--worst-case", "", "guaranteed bounds of the measures over all tolerances"},
       {"--gap", "G", "how far a bound may be from an attained value, relative", Option::Kind::number}});
  return all;
}

}  // namespace sfg::command
