#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/graph/inspect.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

/// That nodal equations are solved for other unknowns than their own is how circuits are, and nothing to look after.
SignalFlowGraph checked_graph(Task& task) {
  Input input = input_of(task);
  const auto* model = std::get_if<Model>(&input.content);
  const bool circuit = model && std::holds_alternative<Circuit>(*model);
  const auto read = static_cast<std::ptrdiff_t>(task.notes.size());
  SignalFlowGraph graph = graph_of(task, std::move(input));
  const auto of_course = [&](const Diagnostic& note) { return circuit && note.severity == Severity::note; };
  task.notes.erase(std::remove_if(task.notes.begin() + read, task.notes.end(), of_course), task.notes.end());
  return graph;
}

/// Everything there is to say about the input, as far as it can be read, derived and made a graph.
std::vector<Diagnostic> problems_of(Task& task) {
  std::vector<Diagnostic> problems;
  try {
    SignalFlowGraph graph = checked_graph(task);
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

struct Report {
  std::string file, summary;
  std::vector<Diagnostic> problems;
  int status = 0;
};

Report report_of(Task& task, const std::string& file, bool alone) {
  const Arguments arguments = task.arguments.with_input(file);
  Task one{arguments, task.budget, task.out, task.notes, task.working};
  Report report{file, "no problems", {}, 0};
  try {
    report.problems = problems_of(one);
  } catch (const LimitReached& limit) {
    if (alone) throw;
    const SourceSpan place{std::make_shared<const std::string>(file)};
    report.problems.push_back({place, limit.what(), limit.remedy()});
    report.status = 4;
  }
  const auto is_error = [](const Diagnostic& problem) { return problem.severity == Severity::error; };
  if (report.status == 0 && std::ranges::any_of(report.problems, is_error)) report.status = 3;
  if (!report.problems.empty())
    report.summary = count_of(report.problems, Severity::error, "error") + ", " +
                     count_of(report.problems, Severity::warning, "warning") + ", " +
                     count_of(report.problems, Severity::note, "note");
  return report;
}

nlohmann::ordered_json document_of(const Report& report) {
  nlohmann::ordered_json json{{"schema", "sfg/check/1"}, {"file", report.file}};
  json["problems"] = nlohmann::ordered_json::parse(json_of(report.problems));
  json["summary"] = report.summary;
  return json;
}

int run(Task& task) {
  const std::string file = task.arguments.text("output"), extension = extension_of(file);
  if (!task.arguments.has("json") && !extension.empty() && extension != "txt")
    throw UsageError("nothing is written as '" + file + "'", "end the name in .json or .txt");
  const std::vector<std::string>& files = task.arguments.inputs();
  const bool alone = files.size() == 1;
  std::vector<Diagnostic> all;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  int worst = 0;
  for (const std::string& input : files) {
    Report report = report_of(task, input, alone);
    worst = std::max(worst, report.status);
    if (task.arguments.has("json"))
      list.push_back(document_of(report));
    else
      task.out << report.file << ": " << report.summary << '\n';
    std::ranges::move(report.problems, std::back_inserter(all));
  }
  if (task.arguments.has("json"))
    task.out << (alone ? list.front() : list).dump(2) << '\n';
  else
    task.notes = std::move(all);
  return worst;
}

}  // namespace

Verb check() {
  return {.name = "check",
          .summary = "every problem of the input at once, with places and fixes",
          .details =
              "The input is read, derived where it is a model, and looked over; nothing else happens. The exit status is 3 when "
              "there is an error, 0 when there are only warnings; of several files, the worst of theirs.",
          .options = {},
          .examples = {"sfg check examples/vehicle.toml", "sfg check graph.dot --json", "sfg check *.toml *.cir"},
          .run = run,
          .about_input = true,
          .refuses = {{"--ratio", "no response is asked for"}, {"--inject", "no response is asked for"}},
          .many_inputs = true};
}

}  // namespace sfg::command
