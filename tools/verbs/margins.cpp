#include "sfg/control/margins.hpp"

#include "sfg/control/open_loop.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/write/margins.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

namespace {

OpenLoop opened(Task& task, Subject subject) {
  for (const char* option : {"from", "to", "ratio", "inject"})
    if (task.arguments.has(option))
      throw UsageError(std::string("--break says what the open loop is: --") + option + " has no place beside it",
                       "leave it out");
  const std::string where = task.arguments.text("break");
  std::optional<SignalFlowGraph> opened = subject.opened_at(where);
  if (!opened) return loop_opened_at(subject.graph(), where);
  OpenLoop loop{*std::move(opened), {}};
  loop.question = questions(loop.graph).front();
  return loop;
}

/// The transfer function that is asked for, as it is.
OpenLoop as_stated(Task& task, Subject subject) {
  OpenLoop loop{subject.graph(), {}};
  const SignalFlowGraph& graph = loop.graph;
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (questions.size() != 1)
    throw UsageError("margins are those of one open loop", "name it by --from and --to, or give --break FROM,TO");
  loop.question = questions.front();
  if (passes_through_loop(graph, loop.question))
    task.notes.push_back({graph.where,
                          "the transfer function '" + graph[loop.question.input].name + "' -> '" +
                              graph[loop.question.output].name +
                              "' passes through a loop: it is that of a closed loop, and is taken for the open loop here",
                          "open the loop with --break FROM,TO if its margins are meant", Severity::warning});
  return loop;
}

Margins margins_of(Task& task, Subject subject) {
  OpenLoop loop = task.arguments.has("break") ? opened(task, std::move(subject)) : as_stated(task, std::move(subject));
  loop.graph = sampled(task.arguments, std::move(loop.graph));
  task.working("finding the open loop");
  const std::vector<ExactTransfer> open = exact_transfers(loop.graph, std::span(&loop.question, 1), {.budget = task.budget});
  Margins found = sfg::margins(approximated(task, open).front());
  found.error_constants = error_constants(loop.graph, loop.question, open.front(), task.budget);
  return found;
}

int run_margins(Task& task) {
  const Answer answer = answer_of(task.arguments, {});
  SweptInput input(task);
  const std::vector<Margins> found = input.each([&](std::size_t set) { return margins_of(task, input.at(set)); });
  const bool hertz = task.arguments.has("hz");
  if (answer == Answer::json)
    write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_json(out, found[set]); });
  else
    show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set], hertz); }));
  return 0;
}

}  // namespace

Verb margins() {
  return {
      .name = "margins",
      .summary = "gain, phase, modulus, delay and disk margins of an open loop, its type and error constants",
      .details =
          "The transfer function is the open loop of a negative unity feedback; --break opens a loop of the graph or circuit "
          "instead. "
          "Every crossing is found: they are roots of exact polynomials. Whether the closed loop is stable is said first. Disk "
          "margins bear gain and phase at once, of skew 0, 1 (of S) and -1 (of T); the error constants Kp, Kv, Ka are closed "
          "forms.",
      .options = {{"--break", "WHERE",
                   "open the loop: at a branch FROM,TO; at a node's only entering or leaving branch; at a controlled source of "
                   "a circuit: L is minus the return ratio"},
                  {"--hz", "", "frequencies in Hz; JSON keeps rad/s"},
                  sweep_option(),
                  sample_time_option(),
                  pade_option(),
                  notation_option(),
                  width_option()},
      .examples = {"sfg margins open_loop.dot --from R --to Y", "sfg margins examples/servo.dot --break theta,err",
                   "sfg margins examples/inverting_stage.cir --break E1"},
      .run = run_margins,
      .of_values = true};
}

}  // namespace sfg::command
