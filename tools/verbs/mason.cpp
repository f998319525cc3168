#include "sfg/transfer/mason.hpp"

#include "sfg/write/mason.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

int run_mason(Task& task) {
  const SignalFlowGraph graph = regular_graph_of(task);
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  const MasonOptions options{.limit = task.arguments.count("limit", 0), .budget = task.budget};
  const bool json = form_of(task.arguments) == Form::json;
  if (json && questions.size() > 1)
    throw UsageError("JSON holds one derivation, and here are " + std::to_string(questions.size()) + " pairs of input and output",
                     "say which with --from and --to");
  task.working("listing paths and loops");
  Page all;
  for (const Question& question : questions) {
    const MasonListing listing = mason(graph, question, options);
    if (json) {
      write_json(task.out, listing);
      continue;
    }
    if (&question != &questions.front()) all.add(Gap{});
    all.add(page(listing));
  }
  if (!json) show(task, all);
  return 0;
}

}  // namespace

Verb mason() {
  return {.name = "mason",
          .summary = "the derivation by Mason's rule",
          .details = "Forward paths, loops, sets of non-touching loops, the determinant, the cofactors and the assembled gain.",
          .options = {{"--limit", "N", "list at most N paths, loops and sets each; the rest is counted", Option::Kind::count},
                      loop_options().front(),
                      loop_options().back(),
                      notation_option(),
                      width_option()},
          .examples = {"sfg mason graph.dot", "sfg mason graph.dot --from R --to C --notation latex",
                       "sfg mason graph.dot --limit 100 --json"},
          .run = run_mason};
}

}  // namespace sfg::command
