#include "sfg/write/study/sweep.hpp"
#include "tools/frame/forms.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

namespace {

int run_tf(Task& task) {
  check_form(task.arguments);
  if (task.arguments.has("as") && task.arguments.text("form", "rational") != "approximate")
    throw UsageError("--as says how an approximation is written", "write --form approximate --as standard, or leave it out");
  SweptInput input(task);
  std::vector<FormAnswer> found = input.each([&](std::size_t set) {
    const SignalFlowGraph graph = input.at(set).regular_graph();
    return in_form(task, graph, questions_of(task.arguments, graph));
  });
  if (std::holds_alternative<std::string>(found.front()))
    write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { out << std::get<std::string>(found[set]); });
  else
    show(task, page(input.sweep(), [&](std::size_t set) { return std::get<Page>(std::move(found[set])); }));
  return 0;
}

}  // namespace

Verb tf() {
  std::vector<Option> options = form_options();
  options.insert(options.begin() + 1, sweep_option());
  options.insert(options.begin() + 2, {"--as", "FORM", "how the approximate form is written: rational (default), standard",
                                       Option::Kind::choice, {"rational", "standard"}});
  for (Option& option : loop_options()) options.push_back(std::move(option));
  return {
      .name = "tf",
      .summary = "transfer functions in closed form",
      .details =
          "Every answer is checked by a second, independent method before it is shown. The forms numeric and zpk use the values "
          "that the input states.",
      .options = std::move(options),
      .examples = {"sfg tf graph.dot", "sfg tf examples/vehicle.toml --from z1 --to Z --numbers",
                   "sfg tf loop.dot --break Y,e --of sensitivity", "sfg tf graph.dot --from x1 --to C --ratio R --notation latex",
                   "sfg tf examples/ua741.cir --form approximate --within 1 --freq 1:1e7"},
      .run = run_tf};
}

}  // namespace sfg::command
