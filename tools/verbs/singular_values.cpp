#include "tools/verbs/singular_values.hpp"

#include <algorithm>

#include "sfg/plot/figures.hpp"
#include "sfg/response/singular_values.hpp"
#include "sfg/write/frequency_response.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

/// Where units differ, so do the values with each choice of them.
void note_unlike_units(Task& task, std::span<const FrequencyResponse> responses) {
  if (std::ranges::all_of(responses, [&](const auto& r) { return r.unit == responses.front().unit; })) return;
  task.notes.push_back({{},
                        "the entries of the matrix have unlike units: singular values depend on the units that are chosen",
                        "scale inputs and outputs by what counts as much in each",
                        Severity::warning});
}

}  // namespace

int show_singular_values(Task& task, SweptInput& input, std::span<const std::vector<FrequencyResponse>> responses) {
  for (const char* lines : {"margins", "asymptotes"})
    if (task.arguments.has(lines))
      throw UsageError(std::string("--") + lines + " are of single transfer functions, not of singular values",
                       std::string("leave --") + lines + " out, or --singular-values");
  const Answer answer = answer_of(task.arguments, curves);
  std::vector<SingularValues> found;
  for (const auto& set : responses) found.push_back(singular_values(set));
  note_unlike_units(task, responses.front());
  const bool hertz = task.arguments.has("hz");
  switch (answer) {
    case Answer::json:
      write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_json(out, found[set]); });
      break;
    case Answer::csv:
      write_csv(task.out, input.sweep(),
                [&](std::ostream& out, std::size_t set) { write_csv(out, found[set], {.hertz = hertz}); });
      break;
    case Answer::picture:
      put(task,
          singular_value_figure(found, {.hertz = hertz, .sets = input.sets_of_curves(found.front().values.front().size())}));
      break;
    case Answer::text:
      show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set], {.hertz = hertz}); }));
      break;
  }
  return 0;
}

}  // namespace sfg::command
