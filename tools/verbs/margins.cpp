#include "sfg/control/margins.hpp"

#include "sfg/control/open_loop.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/write/margins.hpp"
#include "sfg/write/sweep.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

namespace {

/// FROM,TO; names may have commas themselves.
OpenLoop broken(const SignalFlowGraph& graph, const std::string& text) {
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    const auto from = graph.find(text.substr(0, comma)), to = graph.find(text.substr(comma + 1));
    if (from && to) return open_loop(graph, *from, *to);
  }
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw UsageError("option '--break " + text + "' names no branch", "write --break FROM,TO");
  node_named(graph, "--break", text.substr(0, comma));
  node_named(graph, "--break", text.substr(comma + 1));
  throw UsageError("option '--break " + text + "' names no branch", "write --break FROM,TO");
}

ExactTransfer open_loop_of(Task& task, const SignalFlowGraph& graph) {
  if (task.arguments.has("break")) {
    for (const char* option : {"from", "to", "ratio", "inject"})
      if (task.arguments.has(option))
        throw UsageError(std::string("--break says what the open loop is: --") + option + " has no place beside it",
                         "leave it out");
    const OpenLoop loop = broken(graph, task.arguments.text("break"));
    task.working("finding the open loop");
    return exact_transfers(loop.graph, std::span(&loop.question, 1), {.budget = task.budget}).front();
  }
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (questions.size() != 1)
    throw UsageError("margins are those of one open loop", "name it by --from and --to, or give --break FROM,TO");
  if (passes_through_loop(graph, questions.front()))
    task.notes.push_back({graph.where,
                          "the transfer function '" + graph[questions.front().input].name + "' -> '" +
                              graph[questions.front().output].name +
                              "' passes through a loop: it is that of a closed loop, and is taken for the open loop here",
                          "open the loop with --break FROM,TO if its margins are meant", Severity::warning});
  return transfers_of(task, graph).front();
}

int run(Task& task) {
  const Answer answer = answer_of(task.arguments, {});
  SweptInput input(task);
  const std::vector<Margins> found = input.each([&](std::size_t set) {
    return sfg::margins(approximated(task.arguments, {open_loop_of(task, input.graph(set))}).front());
  });
  const bool hertz = task.arguments.has("hz");
  if (answer == Answer::json)
    write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_json(out, found[set]); });
  else
    show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set], hertz); }));
  return 0;
}

}  // namespace

Verb margins() {
  return {.name = "margins",
          .summary = "gain, phase, modulus and delay margin of an open loop",
          .details =
              "The transfer function is the open loop of a negative unity feedback; --break opens a loop of the graph instead. "
              "Every crossing is found: they are roots of exact polynomials. Whether the closed loop is stable is said first.",
          .options = {{"--break", "FROM,TO", "open the loop at this branch: L is minus its return ratio"},
                      {"--hz", "", "frequencies in Hz; JSON keeps rad/s"},
                      sweep_option(),
                      sample_time_option(),
                      pade_option(),
                      notation_option(),
                      width_option()},
          .examples = {"sfg margins open_loop.dot --from R --to Y", "sfg margins examples/servo.dot --break theta,err"},
          .run = run};
}

}  // namespace sfg::command
