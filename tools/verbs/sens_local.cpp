#include "tools/frame/arguments.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

int sens_local(Task& task) {
  const Study study = study_of(task);
  require_variation(study);
  throw UsageError("not there yet");
}

}  // namespace sfg::command
