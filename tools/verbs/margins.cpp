#include "sfg/control/margins.hpp"

#include <algorithm>
#include <iterator>

#include "sfg/control/open_loop.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/write/margins.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

namespace {

/// The transfer function that is asked for, as it is.
Question as_stated(Task& task, const SignalFlowGraph& graph) {
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (questions.size() != 1)
    throw UsageError("margins are those of one open loop", "name it by --from and --to, or give --break FROM,TO");
  const Question& question = questions.front();
  if (passes_through_loop(graph, question))
    task.notes.push_back({graph.where,
                          "the transfer function '" + graph[question.input].name + "' -> '" + graph[question.output].name +
                              "' passes through a loop: it is that of a closed loop, and is taken for the open loop here",
                          "open the loop with --break FROM,TO if its margins are meant", Severity::warning});
  return question;
}

Margins margins_of(Task& task, const Subject& subject) {
  const SignalFlowGraph graph = sampled(task.arguments, subject.graph());
  const Question question = subject.terms().loop ? questions(graph).front() : as_stated(task, graph);
  task.working("finding the open loop");
  const ExactTransfer open = approximated(task, exact_transfers(graph, std::span(&question, 1), {.budget = task.budget})).front();
  Margins found = sfg::margins(open);
  found.error_constants = error_constants(graph, question, open, task.budget);
  return found;
}

/// Each of the loops that are opened, the others as they are asked for.
std::vector<LoopMargins> margins_of_loops(Task& task, const Subject& subject) {
  const std::vector<std::string> places = task.arguments.list("break");
  std::vector<LoopMargins> found;
  for (const std::string& place : places) {
    LoopTerms loop{.where = place, .others_open = task.arguments.has("others-open")};
    std::ranges::copy_if(places, std::back_inserter(loop.others), [&](const std::string& other) { return other != place; });
    const Subject about = subject.about(std::move(loop));
    found.push_back({place, margins_of(task, found.empty() ? about : about.quiet())});
  }
  return found;
}

/// Whether several loops are opened. @throws UsageError for what has no sense of them
bool several_loops(const Arguments& arguments) {
  const std::vector<std::string> places = arguments.list("break");
  if (arguments.text("of", "loop") != "loop")
    throw UsageError("margins are those of the loop, not of --of " + arguments.text("of"), "leave --of out");
  if (places.size() == 1 && arguments.has("others-open"))
    throw UsageError("--others-open is of several --break, and there is one", "add another --break, or leave it out");
  for (std::size_t i = 0; i < places.size(); ++i)
    if (std::ranges::count(places, places[i]) > 1)
      throw UsageError("--break " + places[i] + " is given twice", "give each place once");
  return places.size() > 1;
}

template <class Answers>
void write_answers(Task& task, const SweptInput& input, Answer answer, const std::vector<Answers>& found) {
  const bool hertz = task.arguments.has("hz");
  if (answer == Answer::json)
    write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_json(out, found[set]); });
  else
    show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set], hertz); }));
}

int run_margins(Task& task) {
  const Answer answer = answer_of(task.arguments, {});
  const bool several = several_loops(task.arguments);
  SweptInput input(task);
  if (several)
    write_answers(task, input, answer, input.each([&](std::size_t set) { return margins_of_loops(task, input.at(set)); }));
  else
    write_answers(task, input, answer, input.each([&](std::size_t set) { return margins_of(task, input.at(set)); }));
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
      .options = {{"--break",
                   "WHERE",
                   "open the loop: at a branch FROM,TO; at a node's only entering or leaving branch; at a controlled source of "
                   "a circuit: L is minus the return ratio; repeatable: each in turn, the others closed",
                   Option::Kind::text,
                   {},
                   true},
                  loop_options().back(),
                  {"--others-open", "", "of several --break: each with the others open"},
                  {"--hz", "", "frequencies in Hz; JSON keeps rad/s"},
                  sweep_option(),
                  sample_time_option(),
                  pade_option(),
                  notation_option(),
                  width_option()},
      .examples = {"sfg margins open_loop.dot --from R --to Y", "sfg margins examples/servo.dot --break theta,err",
                   "sfg margins examples/inverting_stage.cir --break E1",
                   "sfg margins cascade.dot --break y,e --break w,f --others-open"},
      .run = run_margins,
      .of_values = true};
}

}  // namespace sfg::command
