// step and impulse responses.
#include "sfg/analysis/time_response.hpp"
#include "sfg/draw/figures.hpp"
#include "sfg/write/control.hpp"
#include "tools/plot.hpp"

namespace sfg::command {

namespace {

/// The output's name; with its input where several inputs act.
std::string name_of(const ExactTransfer& transfer, const std::vector<ExactTransfer>& all) {
  for (const ExactTransfer& other : all)
    if (other.input != transfer.input) return transfer.output + " (" + transfer.input + ")";
  return transfer.output;
}

/// Figures do not depend on the points that are shown: they are read off a fine response until all has settled.
StepFigures figures_of(const ExactTransfer& transfer, double amplitude) {
  constexpr std::size_t fine = 801;
  const double until = settling_range(transfer);
  std::vector<double> times(fine);
  for (std::size_t i = 0; i < fine; ++i) times[i] = until * static_cast<double>(i) / static_cast<double>(fine - 1);
  return step_figures(transfer, step_response(transfer, times, amplitude));
}

int run(Task& task, bool step) {
  const Answer answer = answer_of(task.arguments);
  const std::vector<ExactTransfer> transfers = approximated(task.arguments, transfers_of(task));
  task.working("evaluating time responses");
  const std::vector<double> times = times_of(task.arguments, transfers);
  const double amplitude = value_of("--amplitude", task.arguments.text("amplitude", "1"));
  std::vector<NamedResponse> responses;
  for (const ExactTransfer& transfer : transfers) {
    task.budget.check("the time response");
    NamedResponse response{
        name_of(transfer, transfers), (step ? step_response : impulse_response)(transfer, times, amplitude, 8), {}, {}};
    if (step) response.figures = figures_of(transfer, amplitude);
    responses.push_back(std::move(response));
  }
  const std::string verb = task.arguments.verb();
  switch (answer) {
    case Answer::json: write_json(task.out, responses, verb); break;
    case Answer::csv: write_csv(task.out, responses); break;
    case Answer::picture:
      put(task, response_figure(responses, step ? "Step response" : "Impulse response", {.dark = task.arguments.has("dark")}));
      break;
    case Answer::text: write_text(task.out, responses, verb); break;
  }
  return 0;
}

Verb verb(const std::string& name, const std::string& summary, int (*run)(Task&)) {
  return {.name = name,
          .summary = summary,
          .details =
              "By partial fractions in exact arithmetic: every sample is correct to double precision, for multiple poles and "
              "order 100 too.",
          .options = time_options(),
          .examples = {"sfg " + name + " examples/vehicle.toml --from z1 --to Z --until 10 -o " + name + ".svg"},
          .run = run};
}

}  // namespace

Verb step() {
  return verb("step", "response to a step, with rise and settling time and overshoot",
              [](Task& task) { return run(task, true); });
}
Verb impulse() {
  return verb("impulse", "response to an impulse", [](Task& task) { return run(task, false); });
}

}  // namespace sfg::command
