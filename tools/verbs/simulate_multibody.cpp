#include "tools/verbs/simulate_multibody.hpp"

#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/model/prescribed.hpp"
#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/write/motion/motion.hpp"
#include "sfg/write/study/sweep.hpp"
#include "sfg/write/time_response.hpp"
#include "tools/frame/measurement.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/draw_mechanism.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

void refuse_of_mechanisms(const Arguments& arguments) {
  refuse_any(arguments, {"pade", "inject", "sample-time", "start", "linearize"},
             " has no use for a multibody model, whose equations are integrated as they are");
}

/// --data of coordinates, or of what --to names, and of inputs.
std::vector<Measurement> measured_motion(Task& task, const Subject& subject) {
  MeasurableNames names{.signals = task.arguments.list("to"), .axis = MeasuredAxis::time};
  if (task.arguments.has("data")) {
    const MultibodyEquations equations = subject.body_equations();
    if (names.signals.empty()) names.signals = coordinates_of(equations);
    for (const auto& input : equations.motion.inputs) names.inputs.push_back(input.name);
  }
  std::vector<Measurement> records = measurements(task, names);
  note_units(task, records);
  note_before_start(task, records);
  return records;
}

MechanismQuestion mechanism_question(const Arguments& arguments, const Subject& subject, const SweepSet& set,
                                     std::span<const Measurement> records) {
  const SimulationSettings& settings = subject.input().simulation;
  const auto& model = *subject.bodies();
  SymbolTable symbols = symbols_in_time(model.symbols, subject.terms().settings);
  for (const SweepSet::Value& entry : set.values)
    symbols.add({.name = entry.name, .value = GiNaC::ex(numeric_value(entry.value))});
  MechanismQuestion question;
  question.time = symbols.at("t").expr;
  question.outputs = arguments.list("to");
  for (const Statement& statement : statements(arguments, "input", "NAME=EXPRESSION or NAME=@FILE.csv", settings.inputs)) {
    if (model.control.contains(statement.name))
      refuse(statement, "'" + statement.name + "' follows from its control law",
             "leave it out, or take the law out of the model");
    if (statement.text.starts_with('@'))
      question.inputs.push_back({statement.name, csv_of(statement, arguments)});
    else
      question.inputs.push_back({statement.name, expression_of(statement, symbols)});
  }
  for (auto& [name, signal] : measured_inputs(records)) {
    std::erase_if(question.inputs, [&name = name](const MechanismQuestion::Input& input) { return input.name == name; });
    question.inputs.push_back({name, std::move(signal)});
  }
  for (const auto& [name, value] : initial_values(arguments, settings, symbols)) question.initial.push_back({name, value});
  return question;
}

/// An input that moves a constraint is no parameter that was forgotten to be one.
void forget_doubts(Task& task, const Multibody& model, const MechanismQuestion& question) {
  for (const MechanismQuestion::Input& input : question.inputs) {
    const Symbol* moved = model.symbols.find(input.name);
    if (moved && moved->kind == SymbolKind::parameter && moved->where.line > 0 && is_constrained(model, moved->expr))
      std::erase_if(task.notes,
                    [&](const Diagnostic& note) { return note.severity == Severity::remark && note.where == moved->where; });
  }
}

/// Constraints that follow from others are refused, unless they are to be dropped; parts of an aggregate have none.
void check_constraints(Task& task, const Subject& subject, const MechanismQuestion& question, const MechanismRun& run) {
  if (run.rank == run.constraints || task.arguments.has("drop-redundant")) return;
  std::map<std::string, double> start;
  for (const InitialValue& initial : question.initial) start[initial.name] = initial.value;
  require_independent(*subject.bodies(), subject.body_equations(),
                      {.how_to_drop = "pass --drop-redundant", .start = start, .budget = task.budget});
}

/// By the equations of motion, or as an aggregate. What is wrong with the names of the command line is a wrong usage.
template <class Run>
Run followed(Task& task, const Subject& subject, const MechanismQuestion& question, std::span<const double> times,
             const RunsKept& kept) {
  task.working("following the motion");
  constexpr bool of_equations = std::is_same_v<Run, MechanismRun>;
  return as_usage_without_place([&] {
    const MechanismOptions options{.rtol = task.arguments.number("rtol").value_or(1e-9),
                                   .atol = task.arguments.number("atol").value_or(1e-12),
                                   .budget = task.budget};
    Run run = kept.followed([&] {
      if constexpr (of_equations) return mechanism_run(*subject.bodies(), question, times, options, &kept.run());
      if constexpr (!of_equations) return aggregate_motion(*subject.bodies(), question, times, options);
    });
    if constexpr (of_equations) check_constraints(task, subject, question, run);
    if constexpr (of_equations) forget_doubts(task, *subject.bodies(), question);
    task.notes.insert(task.notes.end(), run.notes.begin(), run.notes.end());
    for (NamedResponse& signal : run.signals) signal.unit = task.unit_of(signal.name);
    return run;
  });
}

/// The motion once more, at the times of the samples.
template <class Run>
std::vector<std::vector<MeasuredSignal>> beside_motion(Task& task, SweptInput& input, std::span<const Measurement> records) {
  if (records.empty()) return {};
  const RunsKept unkept(task, 1);
  return input.each([&](std::size_t set) {
    const Subject there = input.at(set);
    const MechanismQuestion question = mechanism_question(task.arguments, there, input.sweep()[set], records);
    const std::vector<Diagnostic> said = task.notes;
    const Run run = followed<Run>(task, there, question, measured_times(records, "s"), unkept);
    task.notes = said;  // it is the same motion
    return beside(records, std::span<const NamedResponse>(run.signals), "s");
  });
}

template <class Run>
void write_runs(Task& task, SweptInput& input, std::span<const double> times, const RunsKept& kept,
                std::span<const Measurement> records) {
  std::vector<Run> runs = input.each([&](std::size_t set) {
    const Subject there = input.at(set);
    return followed<Run>(task, there, mechanism_question(task.arguments, there, input.sweep()[set], records), times, kept);
  });
  const auto measured = beside_motion<Run>(task, input, records);
  const auto of = [&](std::size_t set) { return measured.empty() ? std::vector<MeasuredSignal>() : measured[set]; };
  if constexpr (std::is_same_v<Run, MechanismRun>)
    write_events(task, input.sweep(), [&](std::size_t set) { return std::span<const RunEvent>(runs[set].events); });
  const Answer answer = answer_of(task.arguments, curves);
  if (answer == Answer::json)
    return write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) {
      write_beside(out, of(set), [&](std::ostream& text) { write_json(text, runs[set]); });
    });
  if (answer == Answer::text)
    return show(task, page(input.sweep(), [&](std::size_t set) {
                  Page whole = page(runs[set]);
                  if (!measured.empty()) whole.add(page(std::span<const MeasuredSignal>(measured[set])));
                  return whole;
                }));
  std::vector<std::vector<NamedResponse>> signals;
  for (Run& run : runs) signals.push_back(std::move(run.signals));
  write_responses(task, input, std::move(signals), "simulate", "Motion", false, {}, measured);
}

/// The motion as a moving mechanism.
int show_mechanism(Task& task, SweptInput& input, std::span<const double> times, const RunsKept& kept) {
  if (input.sweep().size() > 1)
    throw UsageError("a moving mechanism has one set of parameters", "leave out the sweep, or --as mechanism");
  refuse_any(task.arguments, {"to", "data"}, " has no meaning in a moving mechanism");
  const Subject there = input.at(0);
  MechanismQuestion question = mechanism_question(task.arguments, there, input.sweep()[0], {});
  task.working("deriving the equations");
  const MultibodyEquations equations = there.body_equations();
  question.outputs = coordinates_of(equations);
  write_moving_mechanism(task, there, equations, followed<MechanismRun>(task, there, question, times, kept));
  return 0;
}

}  // namespace

int simulate_multibody(Task& task, SweptInput& input) {
  refuse_of_mechanisms(task.arguments);
  const bool mechanism = task.arguments.text("as") == "mechanism";
  const std::vector<Measurement> records = mechanism ? std::vector<Measurement>() : measured_motion(task, input.subject());
  const auto last = last_measured(records);
  const TimeAxis axis = time_axis(task.arguments, input.input(), last.value_or(0));
  if (axis.until.empty() && !last) throw UsageError("how long the mechanism is to be simulated is not stated", "add --until T");
  const std::vector<double> times = even_times(axis);
  const bool aggregate = task.arguments.text("method") == "aggregate";
  if (aggregate && mechanism) throw UsageError("a moving mechanism is shown from its equations", "leave out --method aggregate");
  for (const char* option : {"events", "checkpoint", "resume"})
    if (aggregate && task.arguments.has(option))
      throw UsageError(std::string("--") + option + " is of equations of motion", "leave it out, or --method aggregate");
  const RunsKept kept(task, input.sweep().size());
  note_replaced(task, input.input().simulation);
  if (mechanism) return show_mechanism(task, input, times, kept);
  if (aggregate)
    write_runs<AggregateMotion>(task, input, times, kept, records);
  else
    write_runs<MechanismRun>(task, input, times, kept, records);
  return 0;
}

}  // namespace sfg::command
