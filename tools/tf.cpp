#include <map>

#include "sfg/analysis/transfer.hpp"
#include "sfg/write/transfer.hpp"
#include "tools/load.hpp"

namespace sfg::command {

namespace {

const std::map<std::string, TransferForm>& forms() {
  static const std::map<std::string, TransferForm> table{
      {"mason", TransferForm::mason}, {"numeric", TransferForm::numeric}, {"rational", TransferForm::rational}};
  return table;
}

int run(Task& task) {
  const TransferForm form = forms().at(task.arguments.text("form", "rational"));
  const SignalFlowGraph graph = graph_of(task);
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  task.working("finding transfer functions");
  const auto transfers = transfer_functions(graph, questions, {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
  if (task.arguments.has("json"))
    write_json(task.out, graph, transfers, form);
  else
    write_text(task.out, graph, transfers, form, notation_of(task.arguments));
  return 0;
}

}  // namespace

Verb tf() {
  return {
      .name = "tf",
      .summary = "transfer functions in closed form",
      .details =
          "Every answer is checked by a second, independent method before it is shown. The form numeric uses the values "
          "that the input states.",
      .options = {{"--form",
                   "FORM",
                   "rational: one fraction in lowest terms (default); mason: sums over paths and loops; numeric: coefficients",
                   Option::Kind::choice,
                   {"rational", "mason", "numeric"}},
                  notation_option()},
      .examples = {"sfg tf graph.dot", "sfg tf examples/vehicle.toml --from z1 --to Z --numbers",
                   "sfg tf graph.dot --from x1 --to C --ratio R --notation latex"},
      .run = run};
}

}  // namespace sfg::command
