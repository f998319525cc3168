#include "tools/verbs/sens.hpp"

#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

namespace {

const std::string closed_forms = "closed forms", derivatives = "--measure, --poles and --zeros";

/// The questions, each with the options that choose it.
const std::vector<Way>& ways() {
  static const std::vector<Way> all{{"--monte-carlo", {"--monte-carlo"}, sens_monte_carlo, Parameters::sampled},
                                    {"--worst-case", {"--worst-case"}, sens_worst_case, Parameters::sampled},
                                    {"--sobol", {"--sobol"}, sens_global, Parameters::sampled},
                                    {"--morris", {"--morris"}, sens_global, Parameters::sampled},
                                    {"--tornado", {"--tornado"}, sens_global, Parameters::sampled},
                                    {"--until", {"--until"}, sens_response},
                                    {derivatives, {"--measure", "--poles", "--zeros"}, sens_local},
                                    {closed_forms, {}, sens_symbolic}};
  return all;
}

int run_sens(Task& task) {
  refuse_idle_hertz(task.arguments);
  return way_of(ways(), task.arguments)->run(task);
}

std::vector<Option> sens_options() {
  std::vector<Option> all;
  add(all, {"--monte-carlo", "--worst-case", closed_forms},
      {{"--freq", "LO:HI:N|W1,W2", "values at these frequencies, rad/s"}, {"--hz", "", "frequencies in Hz; JSON keeps rad/s"}});
  add(all, {closed_forms},
      {{"--form",
        "FORM",
        "rational (one fraction each), or sequence: nothing is expanded, for large graphs",
        Option::Kind::choice,
        {"rational", "sequence"}},
       {"--second", "", "second derivatives, too"}});
  add(all, {"--until", derivatives, closed_forms},
      {{"--wrt",
        "NAME|FROM,TO",
        "only of this parameter, or of the gain of this branch; repeatable",
        Option::Kind::text,
        {},
        true}});
  add(all, {derivatives}, {{"--poles", "", "how the poles move"}, {"--zeros", "", "how the zeros move"}});
  add(all, {"--monte-carlo", "--worst-case", "--sobol", "--morris", "--tornado", derivatives}, measure_options());
  const std::vector<Option> tolerances = tolerance_options();
  add(all, {"--monte-carlo", "--worst-case", "--sobol", "--morris", "--tornado"}, {tolerances.front()});
  add(all, {"--monte-carlo", "--worst-case", "--sobol"}, {tolerances.begin() + 1, tolerances.end()});  // the others: of the ends
  for (const auto& more : {monte_carlo_options(), worst_case_options(), global_options()})
    all.insert(all.end(), more.begin(), more.end());
  add(all, {closed_forms}, {sweep_option()});
  add(all, {}, loop_options());
  add(all, {}, {ratio_option()});
  add(all, {}, {sample_time_option(), pade_option(), theme_option(), dark_option(), notation_option(), width_option()});
  return all;
}

}  // namespace

Verb sens() {
  return {.name = "sens",
          .summary = "sensitivities, tolerances, worst cases and indices of a transfer function",
          .details =
              "In closed form: dT/dk and Bode's (k/T) dT/dk; with --freq their values at frequencies; with --measure those of "
              "numbers such as peak or phase-margin. With tolerances: --monte-carlo, --worst-case, --sobol, --morris, --tornado. "
              "With --break the margins are those of the loop opened there, all else of the closed transfer function; with --of "
              "all of it is that answer's. What is derived from a parameter (b = 3*a) moves with it.",
          .options = sens_options(),
          .examples = {"sfg sens graph.dot --from R --to C", "sfg sens examples/vehicle.toml --from z1 --to Z --freq 1,8",
                       "sfg sens examples/vehicle.toml --from z1 --to Z --measure peak --monte-carlo 10000 --tolerance 5%"},
          .run = run_sens,
          .ways = ways(),
          .parameters = Parameters::differentiated};
}

}  // namespace sfg::command
