#include "sfg/study/local/sensitivity.hpp"

#include <algorithm>
#include <array>

#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/sensitivity_sequence.hpp"
#include "sfg/write/study/sensitivity.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

namespace {

/// What is too large for one fraction fits a sequence; Mason's sums have no derivatives here.
TransferFunction expanded(const SignalFlowGraph& graph, const Question& question, const TransferOptions& options) {
  try {
    return transfer_function(graph, question, options);
  } catch (const LimitReached& failure) {
    const auto& steps = failure.remedy().steps();
    if (std::ranges::none_of(steps, [](const Remedy::Step& step) { return step.advice == Advice::ask_unexpanded; })) throw;
    throw LimitReached(failure.what(), Advice::raise_memory_limit | Advice::ask_sequence);
  }
}

SensitivityReport report_of(Task& task, Subject subject) {
  const SignalFlowGraph graph = approximated(task, sampled(task.arguments, subject.regular_graph()));
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (questions.size() != 1) throw UsageError("sensitivities are those of one transfer function", "name it by --from and --to");
  const Question& question = questions.front();
  const TransferOptions options{.budget = task.budget, .seed = task.arguments.count("seed", 1)};
  const StudiedGraph studied = studied_of(task.arguments, graph);
  SensitivityReport report{graph[question.input].name, graph[question.output].name, {}, {}, graph.op.symbol()};
  task.working("differentiating");
  if (task.arguments.has("freq")) report.values = sensitivity_values(studied, question, frequencies_of(task.arguments), options);
  if (task.arguments.has("freq") && !task.arguments.has("second")) return report;
  const TransferFunction transfer = expanded(studied.graph, question, options);
  report.parameters = sensitivities(transfer, studied, task.budget);
  if (task.arguments.has("second")) report.second = second_sensitivities(transfer, studied, task.budget);
  return report;
}

int in_sequence(Task& task) {
  const Answer answer = answer_of(task.arguments, {});
  refuse_any(task.arguments, {"freq", "second", "sweep"}, " does not go with --form sequence", "leave one of them out");
  const SignalFlowGraph graph = approximated(task, sampled(task.arguments, regular_graph_of(task)));
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (questions.size() != 1) throw UsageError("sensitivities are those of one transfer function", "name it by --from and --to");
  task.working("differentiating");
  const SensitivitySequence found = sensitivity_sequence(studied_of(task.arguments, graph), questions.front(),
                                                         {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
  if (answer == Answer::json)
    write_json(task.out, graph, found);
  else
    show(task, page(graph, found, detail_of(task.arguments)));
  return 0;
}

}  // namespace

int sens_symbolic(Task& task) {
  refuse_idle_break(task.arguments);
  if (task.arguments.text("form") == "sequence") return in_sequence(task);
  constexpr std::array pictures{Answer::picture};
  const Answer answer = answer_of(task.arguments, task.arguments.has("freq") ? pictures : std::span<const Answer>{});
  for (const char* option : {"hz", "sweep"})
    if (task.arguments.has(option) && !task.arguments.has("freq"))
      throw UsageError(std::string("--") + option + " is of the numbers at --freq",
                       std::string("add --freq LO:HI:N, or leave --") + option + " out");
  SweptInput input(task);
  const std::vector<SensitivityReport> found =
      input.each([&](std::size_t set) { return report_of(task, input.subject().stating(input.sweep()[set])); });
  const bool hertz = task.arguments.has("hz");
  if (answer == Answer::picture) {
    if (found.size() > 1) throw UsageError("a picture of sensitivities is of one set of values", "leave --sweep out");
    put(task,
        sensitivity_figure(transfer_caption(found.front().input, found.front().output), found.front().values, {.hertz = hertz}));
    return 0;
  }
  if (answer == Answer::json)
    write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_json(out, found[set]); });
  else
    show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set], hertz); }));
  return 0;
}

}  // namespace sfg::command
