#include "tools/verbs/simulation_statements.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/write/motion/motion.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/checkpoint.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

std::vector<Statement> statements(const Arguments& arguments, const std::string& option, const std::string& form,
                                  const std::vector<SimulationSettings::Entry>& stated) {
  std::vector<Statement> result;
  for (const std::string& word : arguments.list(option)) {
    if (option == "initial" && word.starts_with('@')) continue;  // a file of them
    auto [name, text] = named_text("--" + option, word, form);
    result.push_back({{std::move(name), std::move(text), {}}, "--" + option});
  }
  if (result.empty())
    for (const auto& entry : stated) result.push_back({entry, ""});
  return result;
}

void note_replaced(Task& task, const SimulationSettings& settings) {
  const auto note = [&](const std::string& option, const std::vector<SimulationSettings::Entry>& stated) {
    const std::vector<std::string>& given = task.arguments.list(option);
    if (given.empty()) return;
    std::string left;
    for (const auto& entry : stated)
      if (std::ranges::none_of(
              given, [&](const std::string& word) { return word.starts_with('@') || word.starts_with(entry.name + "="); }))
        left += (left.empty() ? "" : ", ") + entry.name + " = " + entry.text;
    if (left.empty()) return;
    task.notes.push_back({stated.front().where,
                          "--" + option + " replaces all of [simulation] " + (option == "input" ? "inputs" : option) + ": " +
                              left + " of the file does not hold",
                          "name them as well if they shall", Severity::warning});
  };
  note("input", settings.inputs);
  note("initial", settings.initial);
}

void refuse(const Statement& statement, const std::string& message, const Remedy& hint) {
  if (statement.option.empty()) throw Error(statement.where, message, hint);
  throw UsageError("option '" + statement.option + " " + statement.name + "=" + statement.text + "': " + message, hint);
}

GiNaC::ex expression_of(const Statement& statement, const SymbolTable& symbols) {
  GiNaC::ex result;
  try {
    result = stated_expression(statement, symbols);
  } catch (const Error& error) {
    if (statement.option.empty()) throw;
    const Diagnostic& problem = error.diagnostics().front();
    const std::string column = problem.where.column > 0 ? ", character " + std::to_string(problem.where.column) : "";
    refuse(statement, problem.message + column, problem.hint);
  }
  for (const std::string& name : symbol_names(result))
    if (name != "t") refuse(statement, "no value for the parameter '" + name + "'", "give --set " + name + "=…");
  return result;
}

double number_of(const Statement& statement, const SymbolTable& symbols) {
  const auto value = double_value(expression_of(statement, symbols));
  if (!value) refuse(statement, "that is no number", "write a number: 0.1, 1/3 or pi/4");
  return *value;
}

SampledSignal csv_of(const Statement& statement, const Arguments& arguments) {
  return stated_samples(statement, statement.option.empty() ? arguments.input() : "");
}

namespace {

std::vector<std::pair<std::string, double>> last_state(const std::string& path) {
  const auto wrong = [&](const std::string& what) {
    return UsageError("option '--initial @" + path + "': " + what,
                      "name what 'sfg simulate MODEL --json' of a nonlinear model or a mechanism has written");
  };
  const nlohmann::ordered_json answer = nlohmann::ordered_json::parse(text_of_file(path), nullptr, false);
  if (answer.is_discarded() || !answer.is_object()) throw wrong("that is no JSON object");
  const auto state = answer.find("last_state");
  if (state == answer.end() || !state->is_object()) throw wrong("it has no \"last_state\"");
  std::vector<std::pair<std::string, double>> found;
  for (const auto& [name, value] : state->items()) {
    if (!value.is_number()) throw wrong("the last value of '" + name + "' is no number");
    found.emplace_back(name, value.get<double>());
  }
  return found;
}

}  // namespace

std::vector<std::pair<std::string, double>> initial_values(const Arguments& arguments, const SimulationSettings& settings,
                                                           const SymbolTable& symbols) {
  std::vector<std::pair<std::string, double>> found;
  const auto put = [&](const std::string& name, double value) {
    for (auto& known : found)
      if (known.first == name) {
        known.second = value;
        return;
      }
    found.emplace_back(name, value);
  };
  bool from_file = false;
  for (const std::string& word : arguments.list("initial")) {
    if (!word.starts_with('@')) continue;
    from_file = true;
    for (const auto& [name, value] : last_state(word.substr(1))) put(name, value);
  }
  // What the model states is for a start of its own.
  const std::vector<SimulationSettings::Entry> none;
  for (const Statement& statement : statements(arguments, "initial", "NAME=VALUE", from_file ? none : settings.initial))
    put(statement.name, number_of(statement, symbols));
  return found;
}

RunsKept::RunsKept(Task& task, std::size_t sets)
    : task_(task), file_(task.arguments.text("checkpoint", task.arguments.text("resume"))) {
  const std::string resumed = task.arguments.text("resume");
  if (!file_.empty() && sets > 1) throw UsageError("a checkpoint is that of one run", "leave out --sweep, or the checkpoint");
  if (!resumed.empty()) run_.resume = Checkpoint::of(resumed).state;
  if (!file_.empty()) run_.keep = [this](const std::string& state) { deliver(Checkpoint{0, state}.text(), file_); };
  run_.progress = [this](double time, double until) {
    reached_ = time;
    until_ = until;
    constexpr double parts = 1e6;
    if (until > 0) task_.progress(static_cast<std::uint64_t>(parts * time / until), static_cast<std::uint64_t>(parts));
  };
}

void RunsKept::note_interruption() const {
  const std::string where = until_ > 0 ? " at t = " + print(reached_) + " of " + print(until_) : " near its start";
  task_.notes.push_back(
      {{},
       "the run ended" + where,
       file_.empty() ? "with --checkpoint FILE it could go on" : "go on with --resume " + file_ + " in place of --checkpoint",
       Severity::warning});
}

void RunsKept::note_idle() const {
  for (const char* option : {"checkpoint", "resume"})
    if (task_.arguments.has(option))
      task_.notes.push_back({{},
                             std::string("--") + option + " makes no difference here: nothing is integrated",
                             "leave it out",
                             Severity::warning});
}

void write_events(Task& task, const Sweep& sweep, const std::function<std::span<const RunEvent>(std::size_t)>& events) {
  if (!task.arguments.has("events")) return;
  std::ostringstream table;
  write_csv(table, sweep, [&](std::ostream& out, std::size_t set) { write_csv(out, events(set)); });
  deliver(table.str(), task.arguments.text("events"));
}

std::vector<Option> kept_run_options() {
  return {{"--events", "FILE", "what happens on the way (jumps, sticking, impacts) as a table, in CSV; JSON has it anyway"},
          {"--checkpoint", "FILE", "keeps the state of the run there, every ten seconds and when it is interrupted"},
          {"--resume", "FILE", "goes on from a checkpoint, to the same answer as without a break"}};
}

}  // namespace sfg::command
