#include "tools/frame/linearize_in_time.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

bool is_source(const SignalFlowGraph& graph, const std::string& name) {
  const auto node = graph.find(name);
  return node && graph.entering(*node).empty();
}

/// What the options say goes before what the model says; where neither does, sources have their values at rest.
SimulationQuestion motion_of(const Arguments& arguments, const SignalFlowGraph& graph, const Subject& subject) {
  const SimulationSettings& settings = subject.input().simulation;
  const SymbolTable symbols = symbols_in_time(graph.symbols, subject.terms().settings);
  SimulationQuestion question;
  question.time = symbols.at("t").expr;
  const auto drive = [&](const Statement& statement) {
    const NodeId node = *graph.find(statement.name);
    if (std::ranges::any_of(question.drives, [&](const Drive& known) { return known.node == node; })) return;
    if (statement.text.starts_with('@'))
      question.drives.push_back({node, csv_of(statement, arguments)});
    else
      question.drives.push_back({node, expression_of(statement, symbols)});
  };
  const auto begin = [&](const Statement& statement) {
    if (std::ranges::any_of(question.initial, [&](const InitialValue& known) { return known.name == statement.name; })) return;
    question.initial.push_back({statement.name, number_of(statement, symbols)});
  };
  for (const std::string& word : arguments.list("at")) {
    const auto [name, text] = named_text("--at", word, "NAME=EXPRESSION");
    is_source(graph, name) ? drive({{name, text, {}}, "--at"}) : begin({{name, text, {}}, "--at"});
  }
  for (const auto& entry : settings.inputs)
    if (is_source(graph, entry.name)) drive({entry, ""});
  for (const auto& entry : settings.initial) begin({entry, ""});
  for (const auto& [source, rest] : rest_inputs(graph))
    if (rest.lasts && !rest.value.is_zero()) drive({{graph[source].name, rest.value.text(), graph[source].where}, ""});
  if (const auto rest = subject.rest())
    for (const auto& [name, value] : *rest) {
      const auto given = [&name = name](const InitialValue& known) { return known.name == name; };
      if (value != 0 && graph.find(name) && std::ranges::none_of(question.initial, given))
        question.initial.push_back({name, value});
    }
  return question;
}

std::string place_of(const PointInTime& found) {
  std::string text;
  for (const auto& [name, value] : found.point) text += (text.empty() ? "" : ", ") + name + " = " + exact::decimal(value, 6);
  if (found.error) text += "; two runs agree to " + exact::decimal(exact::Rational::of(*found.error), 1);
  return text;
}

}  // namespace

SubjectTerms::Linearized linearized_in_time(Task& task, const SignalFlowGraph& graph, const Subject& subject) {
  const Arguments& arguments = task.arguments;
  for (const char* option : {"box", "want", "free"})
    if (arguments.has(option))
      throw UsageError(std::string("--") + option + " is of states of rest, and --at-time of a motion",
                       "leave one of the two out");
  const double time = value_of("--at-time", arguments.text("at-time"));
  if (!(time >= 0))
    throw UsageError("--at-time " + arguments.text("at-time") + " lies before the motion", "state a time from 0 on");
  const SimulationQuestion question = motion_of(arguments, graph, subject);
  if (question.drives.empty() && question.initial.empty())
    throw UsageError("--at-time: nothing moves the model",
                     "state an input by --at NAME=EXPRESSION of t, or where the motion starts by --at NAME=VALUE");
  std::set<NodeId> driven;
  for (const Drive& drive : question.drives) driven.insert(drive.node);
  note_unstated_inputs(task, graph, driven, "--at");
  task.working("following the motion to the time of linearisation");
  PointInTime found = point_in_time(graph, question, time, task.budget);
  task.notes.push_back({{},
                        "linearised at t = " + print(time) + ": " + place_of(found) +
                            "; the answer is of small deviations from the motion, with the slopes of that time",
                        "--at and [simulation] state the motion",
                        Severity::remark});
  note_fixed_point(task, graph.where, "the point on the motion");
  SignalFlowGraph linear = linearized(found.graph, found.point);
  return {std::move(linear), std::move(found.point), true};
}

}  // namespace sfg::command
