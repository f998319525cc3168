#include "tools/frame/arguments.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

int sens_worst_case(Task& task) {
  const Study study = study_of(task);
  require_variation(study);
  throw UsageError("not there yet");
}

std::vector<Option> worst_case_options() {
  return {{"--worst-case", "", "guaranteed bounds of the measures over all tolerances"},
          {"--gap", "G", "how far a bound may be from an attained value, relative", Option::Kind::number}};
}

}  // namespace sfg::command
