#include "sfg/study/identifiable/identifiable.hpp"

#include <sstream>

#include "sfg/write/study/fit.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

/// The names of --known.
std::vector<std::string> known_of(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const std::string& text : arguments.list("known")) {
    std::istringstream in(text);
    for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  }
  return names;
}

int run_identifiable(Task& task) {
  const Form form = form_of(task.arguments);
  const SignalFlowGraph graph = subject_of(task).regular_graph();
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  IdentifiableHeading heading{{}, known_of(task.arguments)};
  for (const Question& question : questions)
    heading.transfers.push_back(graph[question.output].name + "/" + graph[question.input].name);
  task.working("solving for the parameters");
  const IdentifiableOptions options{.known = heading.known, .budget = task.budget, .seed = task.arguments.count("seed", 1)};
  const Identifiable found = as_usage("--known", [&] { return sfg::identifiable(graph, questions, options); });
  if (form == Form::json)
    write_json(task.out, found, heading);
  else
    show(task, page(found, heading));
  return 0;
}

}  // namespace

Verb identifiable() {
  return {.name = "identifiable",
          .summary = "which parameters transfer functions determine, and which combinations of the others",
          .details =
              "From the closed form alone, exactly, whatever values are stated, over the complex numbers in general position: a "
              "parameter has one value, several (finitely many), or a whole curve of values that gives the same transfer "
              "functions, all of --from and --to together. What cannot be found alone may be found in combination.",
          .options = {{"--known", "NAME,…", "parameters whose values are known", Option::Kind::text, {}, true},
                      loop_options().front(),
                      loop_options().back(),
                      ratio_option(),
                      notation_option(),
                      width_option()},
          .examples = {"sfg identifiable examples/vehicle.toml --from z1 --to Z",
                       "sfg identifiable filter.cir --from V1 --to 'v(out)' --known C1,C2"},
          .run = run_identifiable,
          .refuses = {{"--numbers",
                       "it is asked which values can be found, so that none is put in; --known names those that are known"}}};
}

}  // namespace sfg::command
