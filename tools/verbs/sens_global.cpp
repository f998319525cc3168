#include "tools/frame/arguments.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

int sens_global(Task& task) {
  const Study study = study_of(task);
  require_variation(study);
  throw UsageError("not there yet");
}

std::vector<Option> global_options() {
  return {{"--sobol", "N", "Sobol indices from N base samples"},
          {"--morris", "R", "Morris' elementary effects along R trajectories"},
          {"--tornado", "", "each parameter alone at both ends of its tolerance"}};
}

}  // namespace sfg::command
