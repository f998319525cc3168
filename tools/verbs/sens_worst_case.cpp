#include <cmath>
#include <optional>
#include <string>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/write/study/monte_carlo.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/frame/usage.hpp"
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

/// "3", or the share of what lies within, "99%"; three sigma where a covariance alone is stated, the box where neither is.
std::optional<EllipsoidLevel> level_of(const Arguments& arguments) {
  if (!arguments.has("level")) return arguments.has("covariance") ? std::optional(EllipsoidLevel{}) : std::nullopt;
  std::string text = arguments.text("level");
  const UsageError wrong("--level " + text + ": neither a number of sigmas above 0 nor a share between 0% and 100%",
                         "write --level 3 or --level 99%");
  const bool share = text.ends_with('%');
  if (share) text.pop_back();
  double size = 0;
  try {
    size = exact_value(parse_number(text)).to_double() / (share ? 100 : 1);
  } catch (const Error&) {
    throw wrong;
  }
  if (!(size > 0) || !std::isfinite(size) || (share && size >= 1)) throw wrong;
  return EllipsoidLevel{size, share};
}

/// A box holds every combination of its sides, and of the distributions only the lognormal one has other ends.
void check_box(Task& task, const Study& study, const WorstCaseOptions& options) {
  if (options.level) return;
  for (const std::string& stated : task.arguments.list("distribution")) {
    const Symbol* symbol = study.system.graph.symbols.find(stated.substr(0, stated.find('=')));
    if (!stated.ends_with("=lognormal") && symbol && symbol->distribution != Distribution::lognormal)
      throw UsageError("--distribution " + stated + ": the box is the same for it",
                       "add --level 3 for the ellipsoid of normal parameters, or leave it out");
  }
  if (!study.variation.correlated()) return;
  if (task.arguments.has("correlation"))
    throw UsageError("--correlation: a box holds every combination, so that correlations change nothing",
                     "add --level 3 for the ellipsoid of normal parameters, or leave it out");
  task.notes.push_back({{},
                        "correlations are not used: the box holds every combination of its sides",
                        "for the ellipsoid of normal parameters add --level 3",
                        Severity::warning});
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
  options.level = level_of(task.arguments);
  check_box(task, study, options);
  task.working("bounding the measures");
  const WorstCases found =
      as_usage_without_place([&] { return worst_cases(study.system, study.measures, study.variation, options); });
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
       {"--level", "K|P%",
        "over the ellipsoid of the normal parameters, K sigma wide or with so much of them inside, in place of their box (3 with "
        "--covariance)"},
       {"--gap", "G", "how far a bound may be from an attained value, relative", Option::Kind::number}});
  return all;
}

}  // namespace sfg::command
