#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/graph/inspect.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

/// Everything there is to say about the input, as far as it can be read, derived and made a graph.
std::vector<Diagnostic> problems_of(Task& task) {
  std::vector<Diagnostic> problems;
  try {
    SignalFlowGraph graph = graph_of(task);
    mark_ends(task.arguments, graph);
    problems = inspect(graph);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    problems.assign(error.diagnostics().begin(), error.diagnostics().end());
  } catch (const NoAnswer& error) {
    problems.push_back({error.where(), error.what(), error.remedy()});
  }
  problems.insert(problems.begin(), task.notes.begin(), task.notes.end());
  task.notes.clear();
  const SourceSpan file{std::make_shared<const std::string>(task.arguments.input())};
  for (Diagnostic& problem : problems)
    if (!problem.where.file) problem.where.file = file.file;
  return problems;
}

std::string count_of(const std::vector<Diagnostic>& problems, Severity severity, const std::string& name) {
  const auto is_one = [&](const Diagnostic& p) {
    return p.severity == severity || (severity == Severity::warning && p.severity == Severity::remark);
  };
  const auto number = std::count_if(problems.begin(), problems.end(), is_one);
  return std::to_string(number) + " " + name + (number == 1 ? "" : "s");
}

int run(Task& task) {
  const std::string file = task.arguments.text("output"), extension = extension_of(file);
  const bool json = task.arguments.has("json");
  if (!json && !extension.empty() && extension != "txt")
    throw UsageError("nothing is written as '" + file + "'", "end the name in .json or .txt");
  const std::vector<Diagnostic> problems = problems_of(task);
  const std::string summary = problems.empty() ? "no problems"
                                               : count_of(problems, Severity::error, "error") + ", " +
                                                     count_of(problems, Severity::warning, "warning") + ", " +
                                                     count_of(problems, Severity::note, "note");
  if (json) {
    nlohmann::ordered_json report{{"schema", "sfg/check/1"}, {"problems", nlohmann::ordered_json::parse(json_of(problems))}};
    report["summary"] = summary;
    task.out << report.dump(2) << '\n';
  } else {
    task.notes = problems;
    task.out << task.arguments.input() << ": " << summary << '\n';
  }
  const bool wrong = std::any_of(problems.begin(), problems.end(), [](const auto& p) { return p.severity == Severity::error; });
  return wrong ? 3 : 0;
}

}  // namespace

Verb check() {
  return {.name = "check",
          .summary = "every problem of the input at once, with places and fixes",
          .details =
              "The input is read, derived where it is a model, and looked over; nothing else happens. The exit status is 3 when "
              "there is an error, 0 when there are only warnings.",
          .options = {},
          .examples = {"sfg check examples/vehicle.toml", "sfg check graph.dot --json"},
          .run = run,
          .about_input = true,
          .refuses = {{"--ratio", "no response is asked for"}, {"--inject", "no response is asked for"}}};
}

}  // namespace sfg::command
