#include "sfg/study/sensitivity.hpp"

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/write/sensitivity.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

int run(Task& task) {
  const Answer answer = answer_of(task.arguments, {});
  if (task.arguments.has("hz") && !task.arguments.has("freq"))
    throw UsageError("--hz is of the numbers of --freq", "add --freq LO:HI:N, or leave --hz out");
  const SignalFlowGraph graph = sampled(task.arguments, regular_graph_of(task));
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (questions.size() != 1) throw UsageError("sensitivities are those of one transfer function", "name it by --from and --to");
  const Question& question = questions.front();
  const TransferOptions options{.budget = task.budget, .seed = task.arguments.count("seed", 1)};
  SensitivityReport report{graph[question.input].name, graph[question.output].name, {}, {}};
  task.working("differentiating");
  if (task.arguments.has("freq"))
    report.values = sensitivity_values(graph, question, frequencies_of(task.arguments), options);
  else
    report.parameters = sensitivities(transfer_function(graph, question, options), graph, task.budget);
  if (answer == Answer::json)
    write_json(task.out, report);
  else
    write_text(task.out, report);
  return 0;
}

}  // namespace

Verb sens() {
  return {.name = "sens",
          .summary = "sensitivities of a transfer function to every parameter",
          .details =
              "In closed form: dT/dk and Bode's (k/T) dT/dk; with --freq their values at frequencies. What is derived from a "
              "parameter (b = 3*a) moves with it.",
          .options = {{"--freq", "LO:HI:N|W1,W2", "values at these frequencies, rad/s"},
                      {"--hz", "", "frequencies in Hz"},
                      sample_time_option()},
          .examples = {"sfg sens graph.dot --from R --to C", "sfg sens examples/vehicle.toml --from z1 --to Z --freq 1,8"},
          .run = run};
}

}  // namespace sfg::command
