// bode, nyquist and nichols: one computation, three pictures.
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/write/frequency_response.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

using FigureOf = Figure (*)(std::span<const FrequencyResponse>, const FigureOptions&);

int run(Task& task, FigureOf figure) {
  const Answer answer = answer_of(task.arguments, curves);
  const Arguments& arguments = task.arguments;
  const SignalFlowGraph graph = sampled(arguments, graph_of(task));
  SweepOptions sweep{.seed = arguments.count("seed", 1), .budget = task.budget};
  if (arguments.has("freq")) sweep.frequency = frequencies_of(arguments);
  if (arguments.has("pade")) sweep.pade = arguments.count("pade", 4);
  const std::vector<Question> questions = questions_of(arguments, graph);
  task.working("evaluating frequency responses");
  const std::vector<FrequencyResponse> responses = frequency_responses(graph, questions, sweep);
  const FigureOptions options{.dark = arguments.has("dark"), .hertz = arguments.has("hz")};
  switch (answer) {
    case Answer::json: write_json(task.out, responses, task.arguments.verb()); break;
    case Answer::csv: write_csv(task.out, responses); break;
    case Answer::picture: put(task, figure(responses, options)); break;
    case Answer::text: write_text(task.out, responses); break;
  }
  return 0;
}

Verb verb(const std::string& name, const std::string& summary, int (*run)(Task&)) {
  return {.name = name,
          .summary = summary,
          .details =
              "Values are exact to double precision, dead time included; those of graphs with more than 60 nodes carry a proven "
              "bound of their error, at most 1e-8, which the JSON states. JSON, CSV and text always give rad/s; phases are "
              "continuous.",
          .options = frequency_options(),
          .examples = {"sfg " + name + " examples/vehicle.toml --from z1 --to Z -o " + name + ".svg",
                       "sfg " + name + " examples/vehicle.toml --from z1 --to Z --freq 0.1:100:200 --json"},
          .run = run};
}

}  // namespace

Verb bode() {
  return verb("bode", "magnitude and phase over frequency", [](Task& task) { return run(task, bode_figure); });
}
Verb nyquist() {
  return verb("nyquist", "the frequency response in the complex plane", [](Task& task) { return run(task, nyquist_figure); });
}
Verb nichols() {
  return verb("nichols", "magnitude over phase", [](Task& task) { return run(task, nichols_figure); });
}

}  // namespace sfg::command
