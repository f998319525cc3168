#include "tools/frame/forms.hpp"
#include "tools/frame/load.hpp"

namespace sfg::command {

namespace {

int run(Task& task) {
  check_form(task.arguments);
  const SignalFlowGraph graph = regular_graph_of(task);
  write_in_form(task, graph, questions_of(task.arguments, graph));
  return 0;
}

}  // namespace

Verb tf() {
  return {
      .name = "tf",
      .summary = "transfer functions in closed form",
      .details =
          "Every answer is checked by a second, independent method before it is shown. The forms numeric and zpk use the values "
          "that the input states.",
      .options = form_options(),
      .examples = {"sfg tf graph.dot", "sfg tf examples/vehicle.toml --from z1 --to Z --numbers",
                   "sfg tf graph.dot --from x1 --to C --ratio R --notation latex",
                   "sfg tf examples/ua741.cir --form approximate --within 1 --freq 1:1e7"},
      .run = run};
}

}  // namespace sfg::command
