#include <algorithm>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/sensitivity.hpp"
#include "sfg/write/study/sensitivity.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

int sens_response(Task& task) {
  const Arguments& arguments = task.arguments;
  refuse_idle_break(arguments);
  const Answer answer = answer_of(arguments, curves);
  const SignalFlowGraph graph = approximated(task, sampled(arguments, regular_graph_of(task)));
  const std::vector<Question> questions = questions_of(arguments, graph);
  if (questions.size() != 1) throw UsageError("sensitivities are those of one transfer function", "name it by --from and --to");
  const TimeAxis axis{arguments.text("until"), arguments.text("points"), 1};
  const std::vector<double> times = graph.op.discrete() ? sample_times(axis, graph.op.period()) : even_times(axis);
  task.working("differentiating the step response");
  const StudiedGraph studied = studied_of(arguments, graph);
  const ResponseSensitivity found =
      step_sensitivity(studied, questions.front(), times, {.budget = task.budget, .seed = arguments.count("seed", 1)});
  switch (answer) {
    case Answer::json: write_json(task.out, found); break;
    case Answer::csv: write_csv(task.out, found); break;
    case Answer::picture: put(task, sensitivity_figure(found, numbers_of(studied.parameters, graph.symbols))); break;
    case Answer::text: show(task, page(found));
  }
  return 0;
}

}  // namespace sfg::command
