#include "tools/frame/arguments.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

int sens_monte_carlo(Task& task) {
  const Study study = study_of(task);
  require_variation(study);
  throw UsageError("not there yet");
}

std::vector<Option> monte_carlo_options() {
  return {{"--monte-carlo", "N", "so many samples of the parameters within their tolerances"},
          {"--sampling", "KIND", "random, lhs (Latin hypercube) or sobol", Option::Kind::choice, {"random", "lhs", "sobol"}},
          {"--spec",
           "'M < VALUE'",
           "the share of samples that meet it, with a confidence interval; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--until", "T", "the step responses up to this time"},
          {"--points", "N", "number of their points", Option::Kind::count},
          {"--checkpoint", "FILE", "keeps the state of the study there"},
          {"--resume", "FILE", "goes on from a checkpoint"}};
}

}  // namespace sfg::command
