#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/expr/constant.hpp"
#include "sfg/graph/components.hpp"
#include "sfg/graph/inspect.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

bool is_error(const Diagnostic& problem) { return problem.severity == Severity::error; }

/// A netlist that asks for nothing has all of its signals for outputs, those of its supplies, too, which no input moves.
void leave_out_supplies(SignalFlowGraph& graph) {
  std::vector<bool> moved(graph.nodes().size());
  for (const NodeId input : graph.stated_inputs()) {
    const std::vector<bool> reached = reached_from(graph, input);
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = moved[i] || reached[i];
  }
  std::vector<NodeId> outputs = graph.stated_outputs();
  std::erase_if(outputs, [&](NodeId output) { return !moved[output.index]; });
  if (!outputs.empty()) graph.outputs = std::move(outputs);
}

/// That nodal equations are solved for other unknowns than their own is how circuits are, and nothing to look after.
SignalFlowGraph checked_graph(Task& task, Subject& subject) {
  const bool circuit = subject.circuit() != nullptr, asks_for_nothing = circuit && subject.circuit()->outputs.empty();
  const auto read = static_cast<std::ptrdiff_t>(task.notes.size());
  SignalFlowGraph graph = subject.graph();
  const auto of_course = [&](const Diagnostic& note) { return circuit && note.severity == Severity::note; };
  if (asks_for_nothing) leave_out_supplies(graph);
  task.notes.erase(std::remove_if(task.notes.begin() + read, task.notes.end(), of_course), task.notes.end());
  return graph;
}

struct Found {
  std::vector<Diagnostic> problems = {};
  std::optional<ConstraintCheck> mechanism = {};
};

/// Initial values that the file states for a simulation, as far as they are numbers.
std::map<std::string, double> start_of_motion(const Subject& bodies) {
  std::map<std::string, double> start;
  for (const SimulationSettings::Entry& entry : bodies.input().simulation.initial)
    if (const auto number = double_value(expression_of({entry, ""}, symbols_in_time(bodies.symbols(), bodies.terms().settings))))
      start[entry.name] = *number;
  return start;
}

/// Of bodies: whether there can be such, and how they may move.
void check_mechanism(Task& task, const Subject& bodies, Found& found) {
  const auto add = [&](const std::vector<Diagnostic>& more) {
    found.problems.insert(found.problems.end(), more.begin(), more.end());
  };
  add(body_problems(*bodies.bodies()));
  if (std::ranges::any_of(found.problems, is_error)) return;
  task.working("deriving the equations");
  const MultibodyEquations equations = bodies.body_equations();
  task.working("looking at the constraints");
  found.mechanism = constraint_check(*bodies.bodies(), equations,
                                     {.drop_redundant = task.arguments.has("drop-redundant"),
                                      .how_to_drop = "pass --drop-redundant",
                                      .start = start_of_motion(bodies),
                                      .budget = task.budget});
  add(found.mechanism->problems);
  if (task.arguments.has("drop-redundant") && found.mechanism->calculated && found.mechanism->redundant.empty())
    add({{{}, "--drop-redundant makes no difference: no constraint follows from others", "leave it out", Severity::note}});
}

/// A mechanism alone is linearised where a point for that is stated.
bool is_linearised(const Subject& subject, const Found& found) {
  if (std::ranges::any_of(found.problems, is_error)) return false;
  return !subject.bodies() || subject.bodies()->equilibrium.has_value();
}

/// Everything there is to say about the input, as far as it can be read, derived and made a graph.
Found problems_of(Task& task) {
  Found found;
  try {
    Subject subject = subject_of(task, Severity::error);
    if (subject.bodies()) check_mechanism(task, subject, found);
    for (const Subject& part : subject.parts())
      if (part.bodies()) check_mechanism(task, part, found);
    if (is_linearised(subject, found)) {
      SignalFlowGraph graph = checked_graph(task, subject);
      mark_ends(task.arguments, graph);
      const std::vector<Diagnostic> of_graph = inspect(graph);
      found.problems.insert(found.problems.end(), of_graph.begin(), of_graph.end());
    }
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    found.problems.insert(found.problems.end(), error.diagnostics().begin(), error.diagnostics().end());
  } catch (const NoAnswer& error) {
    found.problems.push_back({error.where(), error.what(), error.remedy()});
  }
  found.problems.insert(found.problems.begin(), task.notes.begin(), task.notes.end());
  task.notes.clear();
  const SourceSpan file{std::make_shared<const std::string>(task.arguments.input())};
  for (Diagnostic& problem : found.problems)
    if (!problem.where.file) problem.where.file = file.file;
  return found;
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
  std::optional<ConstraintCheck> mechanism = {};
  int status = 0;
};

Report report_of_file(Task& task, const std::string& file, bool alone) {
  const Arguments arguments = task.arguments.with_input(file);
  Task one{arguments, task.budget, task.out, task.notes, task.working};
  one.given = task.given;
  Report report{file, "no problems", {}, {}, 0};
  try {
    Found found = problems_of(one);
    report.problems = std::move(found.problems);
    report.mechanism = std::move(found.mechanism);
  } catch (const LimitReached& limit) {
    if (alone) throw;
    const SourceSpan place{std::make_shared<const std::string>(file)};
    report.problems.push_back({place, limit.what(), limit.remedy()});
    report.status = 4;
  }
  say_in_options(report.problems, "check");
  if (report.status == 0 && std::ranges::any_of(report.problems, is_error)) report.status = 3;
  if (!report.problems.empty())
    report.summary = count_of(report.problems, Severity::error, "error") + ", " +
                     count_of(report.problems, Severity::warning, "warning") + ", " +
                     count_of(report.problems, Severity::note, "note");
  return report;
}

nlohmann::ordered_json document_of(const ConstraintCheck& mechanism) {
  nlohmann::ordered_json json{{"bodies", mechanism.bodies},
                              {"particles", mechanism.particles},
                              {"joints", mechanism.joints},
                              {"loops", mechanism.loops},
                              {"coordinates", mechanism.speeds},
                              {"constraints", mechanism.constraints},
                              {"rank", nullptr},
                              {"degrees_of_freedom", nullptr}};
  if (mechanism.calculated) {
    json["rank"] = mechanism.rank;
    json["degrees_of_freedom"] = mechanism.freedoms();
    json["rank_at_start"] = mechanism.rank_at_start;
  }
  json["redundant"] = nlohmann::ordered_json::array();
  for (const auto& row : mechanism.redundant) json["redundant"].push_back({{"row", row.row}, {"combination_of", row.of}});
  const auto& free = mechanism.free_bodies;
  json["free_bodies"] = {
      {"coordinates", free.coordinates}, {"rows", free.rows}, {"rank", nullptr}, {"naive_count", free.naive_freedoms()}};
  if (mechanism.calculated) json["free_bodies"]["rank"] = free.rank;
  return json;
}

nlohmann::ordered_json document_of(const Report& report) {
  nlohmann::ordered_json json{{"schema", "sfg/check/1"}, {"file", report.file}};
  json["problems"] = nlohmann::ordered_json::parse(json_of(report.problems));
  if (report.mechanism) json["mechanism"] = document_of(*report.mechanism);
  json["summary"] = report.summary;
  return json;
}

int run_check(Task& task) {
  const std::string file = task.arguments.text("output"), extension = extension_of(file);
  if (!task.arguments.has("json") && !extension.empty() && extension != "txt")
    throw UsageError("nothing is written as '" + file + "'", "end the name in .json or .txt");
  const std::vector<std::string>& files = task.arguments.inputs();
  const bool alone = files.size() == 1;
  std::vector<Diagnostic> all;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  int worst = 0;
  for (const std::string& input : files) {
    Report report = report_of_file(task, input, alone);
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
              "there is an error, 0 when there are only warnings; of several files, the worst of theirs. Of bodies and joints: "
              "how many degrees of freedom they have, which constraints follow from others or contradict them.",
          .options = {{"--drop-redundant", "", "constraints that follow from others are no error"}},
          .examples = {"sfg check examples/vehicle.toml", "sfg check graph.dot --json", "sfg check *.toml *.cir"},
          .run = run_check,
          .about_input = true,
          .refuses = {{"--ratio", "no response is asked for"}, {"--inject", "no response is asked for"}},
          .many_inputs = true};
}

}  // namespace sfg::command
