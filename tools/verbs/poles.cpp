#include "sfg/control/poles.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/write/poles.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

/// Of the transfer functions asked for; of the whole model when none is.
std::vector<PolesZeros> poles_of(Task& task, std::size_t digits) {
  bool asked = false;  // of a transfer function
  for (const char* option : {"from", "to", "ratio", "inject", "pade"}) asked = asked || task.arguments.has(option);
  Input input = input_of(task);
  std::vector<PolesZeros> result;
  if (!asked && std::holds_alternative<Model>(input.content)) {
    const EquationSystem equations = equations_of(task, std::get<Model>(input.content));
    task.working("finding the characteristic polynomial");
    result.push_back(poles_zeros(characteristic_coefficients(equations, task.budget), equations.op, digits));
    return result;
  }
  const SignalFlowGraph graph = sampled(task.arguments, graph_of(task, std::move(input)));
  task.working("finding transfer functions");
  const auto transfers = exact_transfers(graph, questions_of(task.arguments, graph), {.budget = task.budget});
  task.working("finding roots");
  for (const ExactTransfer& transfer : approximated(task.arguments, transfers)) result.push_back(poles_zeros(transfer, digits));
  return result;
}

int run(Task& task) {
  const Answer answer = answer_of(task.arguments, std::array{Answer::picture});
  const std::size_t digits = task.arguments.count("precision", 17);
  const std::vector<PolesZeros> poles = poles_of(task, digits);
  if (answer == Answer::json)
    write_json(task.out, poles, digits);
  else if (answer == Answer::picture)
    put(task, pole_figure(poles, {.dark = task.arguments.has("dark")}));
  else
    write_text(task.out, poles, digits);
  return 0;
}

}  // namespace

Verb poles() {
  return {.name = "poles",
          .summary = "poles, zeros, gain, natural frequencies and damping ratios",
          .details =
              "Roots are certified: every digit shown is correct, for multiple and clustered ones too. Of a model without --from "
              "and --to, the poles of the whole model; else of the transfer function in lowest terms, and cancelled modes are "
              "named. Frequency and damping of a pole in z "
              "are those of ln(z)/h.",
          .options = {{"--precision", "N", "correct digits (default 17)", Option::Kind::count},
                      sample_time_option(),
                      pade_option(),
                      dark_option()},
          .examples = {"sfg poles examples/vehicle.toml", "sfg poles examples/vehicle.toml --from z1 --to Z --precision 40",
                       "sfg poles graph.dot -o poles.svg"},
          .run = run};
}

}  // namespace sfg::command
