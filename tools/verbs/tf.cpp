#include <optional>
#include <sstream>

#include "sfg/ask/loop.hpp"
#include "sfg/control/asymptotic_gain.hpp"
#include "sfg/write/forms/approximate.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/forms.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/tf_blocks.hpp"

namespace sfg::command {

namespace {

void check_asymptotic(const Arguments& arguments) {
  if (!arguments.has("break")) throw UsageError("--asymptotic is of a loop, and none is opened", "add --break FROM,TO");
  refuse_any(arguments, {"of", "form", "parallel", "digits"}, " has no place beside --asymptotic", "leave one of the two out");
}

/// By what the loop of --break does to it.
FormAnswer by_loop(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  const LoopPlace place = loop_place(graph, task.arguments.text("break"));
  std::vector<AsymptoticGain> gains;
  for (const Question& question : questions)
    gains.push_back(asymptotic_gain(graph, place, question, {.budget = task.budget, .seed = task.arguments.count("seed", 1)}));
  if (form_of(task.arguments) != Form::json) return page(graph, gains, detail_of(task.arguments));
  std::ostringstream out;
  write_json(out, graph, gains);
  return std::move(out).str();
}

int run_tf(Task& task) {
  check_form(task.arguments);
  if (task.arguments.has("as") && task.arguments.text("form", "rational") != "approximate")
    throw UsageError("--as says how an approximation is written", "write --form approximate --as standard, or leave it out");
  if (task.arguments.has("asymptotic")) check_asymptotic(task.arguments);
  if (task.arguments.text("form", "rational") == "blocks") return tf_blocks(task);
  SweptInput input(task);
  std::vector<FormAnswer> found = input.each([&](std::size_t set) {
    std::optional<Subject> swept;
    if (!input.sweep().empty()) swept.emplace(input.at(set));
    const SignalFlowGraph& graph = (swept ? *swept : input.subject()).regular_graph();
    const std::vector<Question> questions = questions_of(task.arguments, graph);
    return task.arguments.has("asymptotic") ? by_loop(task, graph, questions) : in_form(task, graph, questions);
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
  options.insert(options.begin() + 2, {"--as",
                                       "FORM",
                                       "how the approximate form is written: rational (default), standard",
                                       Option::Kind::choice,
                                       {"rational", "standard"}});
  for (Option& option : loop_options()) options.push_back(std::move(option));
  options.push_back(ratio_option());
  options.push_back({"--asymptotic", "", "by what the loop of --break does: T = A_inf L/(1 + L) + A_0/(1 + L)"});
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
