#include "tools/frame/arguments.hpp"
#include "tools/frame/study.hpp"

namespace sfg::command {

namespace {

int run(Task& task) {
  const MeasuredSystem system = measured_system_of(task);
  throw UsageError("not there yet");
}

}  // namespace

Verb tune() {
  return {.name = "tune",
          .summary = "values of parameters that meet specs or are best",
          .details = "",
          .options = {{"--vary", "NAME=LO:HI", "a parameter and its bounds; repeatable", Option::Kind::text, {}, true}},
          .examples = {},
          .run = run};
}

}  // namespace sfg::command
