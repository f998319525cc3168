#include <filesystem>

#include "sfg/read/input.hpp"
#include "tools/serve/serving.hpp"
#include "tools/serve/workbench.hpp"

namespace sfg::command {

namespace {

WorkbenchStart start_of(const Arguments& arguments) {
  if (arguments.input().empty()) return {};
  if (arguments.input() == "-") throw UsageError("standard input is no file to begin with", "name a file, or none");
  return {std::filesystem::path(arguments.input()).filename().string(), text_of_file(arguments.input())};
}

int run_serve(Task& task) {
  Workbench workbench(start_of(task.arguments), question_limits(task.arguments, QuestionLimits().seconds));
  return serve_until_interrupted(task, {.answer = [&](const Visit& visit, Door& door) { return workbench.answer(visit, door); },
                                        .look = {},
                                        .end = [&] { workbench.end(); }});
}

std::vector<Refusal> serve_refusals() {
  std::vector<Refusal> all;
  for (const char* option : {"--output",  "--json",      "--from",      "--to",        "--ratio",   "--inject", "--set",
                             "--numbers", "--nonlinear", "--linearize", "--at",        "--box",     "--want",   "--free",
                             "--at-time", "--variable",  "--format",    "--max-terms", "--threads", "--seed"})
    all.push_back({option, "questions are asked in the page"});
  return all;
}

}  // namespace

Verb serve() {
  return {
      .name = "serve",
      .summary = "a workbench in the browser: a model at the left, its report at the right",
      .details =
          "Serves a page on 127.0.0.1, for the browser of this machine alone: an editor with examples, errors at their line as "
          "one types, the report of the model, and every format as a download. The address that is printed holds a secret; "
          "without it, from another page or another machine nothing is answered. Nothing is kept, no file is written. Each "
          "question is answered by a process of its own, within --time-limit (default 20 s) and --memory-limit (default "
          "1024 MiB). A FILE is what the editor begins with. Ctrl-C ends it (status 130).",
      .options = serving_options(),
      .examples = {"sfg serve", "sfg serve examples/vehicle.toml --open", "sfg serve --tcp-port 8080 --time-limit 60"},
      .run = run_serve,
      .needs_input = false,
      .refuses = serve_refusals(),
      .lasts = [](const Arguments&) { return true; }};
}

}  // namespace sfg::command
