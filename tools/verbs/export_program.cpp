// export --target octave, c, json …: files that a writer of libsfg/sfg/export makes of a graph.
#include "tools/verbs/export_program.hpp"

#include <algorithm>
#include <filesystem>

#include "sfg/expr/constant.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/plot.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

/// The words of the command, but for the folders of its files: the same bytes wherever it is made.
std::string command_of(const Arguments& arguments) {
  std::string text = "sfg export";
  const auto append = [&](const std::string& word) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`;&|<>()*?[]#~!{}") == std::string::npos;
    std::string quoted;
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += plain ? " " + word : " '" + quoted + "'";
  };
  append(arguments.input() == "-" ? "-" : std::filesystem::path(arguments.input()).filename().string());
  for (const char* option : {"format",      "target",  "from",      "to",     "set",   "numbers", "variable",
                             "linearize",   "at",      "box",       "want",   "free",  "at-time", "operating-point",
                             "temperature", "name",    "until",     "points", "freq",  "hz",      "sample-time",
                             "input",       "initial", "precision", "fixed",  "break", "of",      "ratio-of"})
    for (const std::string& value : arguments.list(option)) {
      text += std::string(" --") + option;
      const bool file = std::string_view(option) == "operating-point";
      if (!value.empty()) append(file ? std::filesystem::path(value).filename().string() : value);
    }
  return text;
}

std::string name_of(const Arguments& arguments) {
  std::string name = arguments.text("name");
  if (name.empty() && arguments.has("output")) name = std::filesystem::path(arguments.text("output")).stem().string();
  if (name.empty() || name == "-") name = std::filesystem::path(arguments.input()).stem().string();
  return name.empty() || name == "-" ? "model" : name;
}

void note_lost_terms(Task& task, const Subject& subject) {
  if (!subject.leaves_out_terms().value_or(false)) return;
  task.notes.push_back({{},
                        "the file has the model as linearised at its equilibrium, and it is nonlinear",
                        subject.bodies() ? "the targets c, octave and python have the equations of motion"
                                         : "the targets octave, python and c keep the nonlinear terms",
                        Severity::warning});
}

void state_drives(Task& task, const SimulationSettings& settings, ExportSubject& subject) {
  const SymbolTable symbols = symbols_in_time(subject.graph.symbols, task.arguments.list("set"));
  subject.time = symbols.at("t").expr;
  note_replaced(task, settings);
  for (const Statement& statement : statements(task.arguments, "input", "NAME=EXPRESSION", settings.inputs)) {
    if (statement.text.starts_with('@'))
      refuse(statement, "a file of samples is no expression of time", "write one: NAME=EXPRESSION");
    if (!subject.graph.find(statement.name)) refuse(statement, "there is no signal '" + statement.name + "'", "");
    subject.drives.emplace_back(statement.name, expression_of(statement, symbols));
  }
  subject.initial = initial_values(task.arguments, settings, symbols);
}

std::vector<double> times_of(Task& task, const Input& input, const ExportSubject& subject) {
  const SignalFlowGraph& graph = subject.graph;
  TimeAxis axis = time_axis(task.arguments.with("output", {}), input, 0);  // no picture stands behind --output
  if (axis.until.empty()) {
    if (!graph.linear()) throw UsageError("how long a nonlinear model is to be simulated is not stated", "add --until T");
    double range = 0;
    for (const ExactTransfer& transfer : transfers_of(task, graph)) range = std::max(range, step_range(transfer));
    axis.otherwise = range;
  }
  return graph.op.discrete() ? sample_times(axis, graph.op.period()) : even_times(axis);
}

std::vector<double> frequencies_of(Task& task, const Input& input, const ExportSubject& subject) {
  refuse_idle_hertz(task.arguments);
  if (!subject.graph.linear()) return {};
  if (task.arguments.has("freq")) return frequencies_of(task.arguments);
  if (!input.analyses.frequency.empty()) return input.analyses.frequency;
  const std::vector<FrequencyResponse> found = frequency_responses(subject.graph, subject.questions, {.budget = task.budget});
  return found.empty() ? std::vector<double>() : found.front().frequency;
}

}  // namespace

void note_without_tables(Task& task) {
  std::string unused;
  for (const char* option : {"until", "points", "freq", "hz", "input", "initial"})
    if (task.arguments.has(option)) unused += (unused.empty() ? "--" : ", --") + std::string(option);
  if (!unused.empty())
    task.notes.push_back(
        {{}, unused + ": this file prints no responses, so that it does not matter to it", {}, Severity::remark});
}

namespace {

/// What the file has no place for.
void note_useless(Task& task, const ExportSubject& subject) {
  const std::string target = task.arguments.text("target");
  const auto note = [&](const char* option, const char* why) {
    task.notes.push_back({{}, std::string(option) + " makes no difference: " + why, "leave it out", Severity::remark});
  };
  if (subject.sample_time && target != "verilog" && target != "c" && target != "cpp")  // those ask for --fixed
    note("--sample-time", "the model is not in z, and the file has it as it is");
  if (task.arguments.has("name") && (target == "csv" || target == "json" || target == "graphml"))
    note("--name", "nothing in the file bears it");
}

}  // namespace

ExportSubject export_subject(Task& task, ProgramNeeds needs, Subject stated) {
  const Input& input = stated.input();
  ExportSubject subject;
  if (!needs.laws) note_lost_terms(task, stated);
  if (needs.laws && stated.energies() && !task.arguments.has("linearize") && !stated.of_transfer())
    stated = stated.taking(NonlinearTerms::kept_if_any);
  subject.graph = stated.graph();
  if (stated.model()) subject.equations = stated.equations();
  if (subject.graph.op.discrete())
    subject.graph = sampled(task.arguments, std::move(subject.graph));
  else if (task.arguments.has("sample-time"))
    subject.sample_time = positive_value_of("--sample-time", task.arguments.text("sample-time"));
  if (needs.questions)
    subject.questions = questions_of(task.arguments, subject.graph);
  else
    mark_ends(task.arguments, subject.graph);
  subject.name = name_of(task.arguments);
  subject.command = command_of(task.arguments);
  subject.fixed_points = fixed_points(task);
  note_useless(task, subject);
  if (!needs.samples) {
    note_without_tables(task);
    return subject;
  }
  if (!subject.graph.linear()) state_drives(task, input.simulation, subject);
  subject.times = times_of(task, input, subject);
  subject.frequencies = frequencies_of(task, input, subject);
  return subject;
}

std::vector<Option> program_options() {
  using Kind = Option::Kind;
  return {{"--precision", "KIND", "c, cpp: numbers of the code", Kind::choice, {"double", "single"}},
          {"--fixed", "QI.F", "c: a step in whole numbers with F binary places, Q15.16; of a model in z, or with --sample-time"}};
}

int export_program(Task& task, ProgramNeeds needs, ProgramWriter write) {
  return export_program(task, needs, write, subject_of(task));
}

int export_program(Task& task, ProgramNeeds needs, ProgramWriter write, const Subject& stated) {
  const ExportSubject subject = export_subject(task, needs, stated);
  task.working("writing the file");
  write(task.out, subject, task.budget);
  return 0;
}

}  // namespace sfg::command
