#include "tools/verbs/sens.hpp"

#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

namespace {

/// The options that choose a question; one at a time.
struct Way {
  const char* option;
  int (*run)(Task&);
};
constexpr Way ways[]{{"monte-carlo", sens_monte_carlo},
                     {"worst-case", sens_worst_case},
                     {"sobol", sens_global},
                     {"morris", sens_global},
                     {"tornado", sens_global}};

int run(Task& task) {
  const Way* chosen = nullptr;
  for (const Way& way : ways) {
    if (!task.arguments.has(way.option)) continue;
    if (chosen)
      throw UsageError(std::string("--") + chosen->option + " and --" + way.option + " are different questions",
                       "ask one at a time");
    chosen = &way;
  }
  if (chosen) return chosen->run(task);
  if (task.arguments.has("until")) return sens_response(task);
  for (const char* option : {"measure", "poles", "zeros"})
    if (task.arguments.has(option)) return sens_local(task);
  return sens_symbolic(task);
}

std::vector<Option> options() {
  std::vector<Option> all{{"--freq", "LO:HI:N|W1,W2", "values at these frequencies, rad/s"},
                          {"--hz", "", "frequencies in Hz; JSON keeps rad/s"},
                          {"--form",
                           "FORM",
                           "rational (one fraction each), or sequence: nothing is expanded, for large graphs",
                           Option::Kind::choice,
                           {"rational", "sequence"}},
                          {"--second", "", "second derivatives, too"},
                          {"--wrt",
                           "NAME|FROM,TO",
                           "only of this parameter, or of the gain of this branch; repeatable",
                           Option::Kind::text,
                           {},
                           true},
                          {"--poles", "", "how the poles move"},
                          {"--zeros", "", "how the zeros move"}};
  for (const auto& more : {measure_options(), tolerance_options(), monte_carlo_options(), worst_case_options(), global_options()})
    all.insert(all.end(), more.begin(), more.end());
  all.insert(all.end(), {sweep_option(), sample_time_option(), pade_option(), theme_option(), dark_option(), notation_option(),
                         width_option()});
  return all;
}

}  // namespace

Verb sens() {
  return {.name = "sens",
          .summary = "sensitivities, tolerances, worst cases and indices of a transfer function",
          .details =
              "In closed form: dT/dk and Bode's (k/T) dT/dk; with --freq their values at frequencies; with --measure those of "
              "numbers such as peak or phase-margin. With tolerances: --monte-carlo, --worst-case, --sobol, --morris, --tornado. "
              "What is derived from a parameter (b = 3*a) moves with it.",
          .options = options(),
          .examples = {"sfg sens graph.dot --from R --to C", "sfg sens examples/vehicle.toml --from z1 --to Z --freq 1,8",
                       "sfg sens examples/vehicle.toml --from z1 --to Z --measure peak --monte-carlo 10000 --tolerance 5%"},
          .run = run};
}

}  // namespace sfg::command
