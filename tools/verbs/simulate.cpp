// simulate: the response of a model to any inputs.
#include <filesystem>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/read/csv.hpp"
#include "sfg/read/spice/netlist_questions.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/write/study/sweep.hpp"
#include "sfg/write/time_response.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/measurement.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/simulate_multibody.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

NodeId input_of(const Statement& statement, const SignalFlowGraph& graph, bool inject) {
  const auto node = graph.find(statement.name);
  std::vector<std::string> names;
  for (const NodeId input : graph.stated_inputs()) names.push_back(graph[input].name);
  if (!node) {
    const std::string near = nearest(statement.name, names);
    std::string hint = "the inputs are";
    for (const std::string& name : names) hint += " " + name;
    refuse(statement, "there is no signal '" + statement.name + "'", near.empty() ? hint : "did you mean '" + near + "'?");
  }
  if (!graph.entering(*node).empty() && !inject)
    refuse(statement, "node '" + statement.name + "' has entering branches, so that it is no input",
           "add --inject to add the signal there");
  return *node;
}

/// Sources that the model states as constants, where no signal is given for them.
void add_constants(SimulationQuestion& question, const SignalFlowGraph& graph) {
  for (const auto& [source, rest] : rest_inputs(graph)) {
    const bool driven =
        std::ranges::any_of(question.drives, [&source = source](const auto& drive) { return drive.node == source; });
    if (rest.lasts && !driven && !rest.value.is_zero()) question.drives.push_back({source, GiNaC::ex(numeric_value(rest.value))});
  }
}

/// The velocity v(1) of a network is the rate of its displacement x(1).
std::string state_named(const std::string& name, const SignalFlowGraph& graph) {
  if (!name.starts_with("v(")) return name;
  const std::string displacement = "x" + name.substr(1);
  return graph.find(displacement) ? graph.op.name_of_rate(displacement) : name;
}

/// What was measured of the inputs takes the place of what is stated.
void add_measured_inputs(SimulationQuestion& question, const SignalFlowGraph& graph, std::span<const Measurement> records) {
  for (auto& [name, signal] : measured_inputs(records)) {
    const NodeId node = *graph.find(name);
    std::erase_if(question.drives, [&](const Drive& drive) { return drive.node == node; });
    question.drives.push_back({node, std::move(signal)});
  }
}

/// @param rests  the model states where it starts
SimulationQuestion question_of(const Arguments& arguments, const SimulationSettings& settings, const SignalFlowGraph& graph,
                               const SymbolTable& symbols, bool rests = false, std::span<const Measurement> records = {}) {
  SimulationQuestion question;
  question.time = symbols.at("t").expr;
  question.inject = arguments.has("inject");
  question.outputs = outputs_of(arguments, graph);
  for (const Statement& statement : statements(arguments, "input", "NAME=EXPRESSION or NAME=@FILE.csv", settings.inputs)) {
    const NodeId node = input_of(statement, graph, question.inject);
    if (statement.text.starts_with('@'))
      question.drives.push_back({node, csv_of(statement, arguments)});
    else
      question.drives.push_back({node, expression_of(statement, symbols)});
  }
  for (const auto& [name, value] : initial_values(arguments, settings, symbols))
    question.initial.push_back({state_named(name, graph), value});
  add_measured_inputs(question, graph, records);
  add_constants(question, graph);
  if (question.drives.empty() && question.initial.empty() && !arguments.has("start") && !rests)
    throw UsageError("the simulation has no input",
                     "add --input NAME=EXPRESSION, --input NAME=@FILE.csv or --initial NAME=VALUE, or a column of it to --data");
  return question;
}

/// Coordinates of which no initial value is given are where the model's equilibrium is.
void start_at_equilibrium(Task& task, const Subject& subject, const SignalFlowGraph& graph, SimulationQuestion& question) {
  std::string text;
  const auto rest = subject.rest();
  for (const auto& [name, value] : *rest) {
    const bool given =
        std::ranges::any_of(question.initial, [&name = name](const InitialValue& each) { return each.name == name; });
    if (given || value == 0 || !graph.find(name)) continue;
    question.initial.push_back({name, value});
    text += (text.empty() ? "" : ", ") + name + " = " + exact::decimal(exact::Rational::of(value), 6);
  }
  if (!text.empty())
    task.notes.push_back(
        {{}, "the motion starts at the equilibrium of the model: " + text, "give other values by --initial", Severity::warning});
}

/// A graph and what is asked of it; of a linear one ready to be answered.
struct Case {
  SignalFlowGraph graph;
  SimulationQuestion question;
  std::optional<Simulation> linear = {};
};

/// The symbols of --input and --initial take the values of the set, too.
Case case_of(Task& task, SweptInput& input, std::size_t set, std::span<const Measurement> records) {
  const SignalFlowGraph graph = input.graph(set);
  SymbolTable symbols = symbols_in_time(graph.symbols, input.subject().terms().settings);
  for (const SweepSet::Value& entry : input.sweep()[set].values)
    symbols.add({.name = entry.name, .value = GiNaC::ex(numeric_value(entry.value))});
  const bool rests = input.subject().states_rest() && !graph.linear();
  Case made{graph, question_of(task.arguments, input.input().simulation, graph, symbols, rests, records)};
  if (rests) start_at_equilibrium(task, input.at(set), graph, made.question);
  if (!depends_on_laws(graph, made.question)) made.linear = simulation(graph, made.question, task.budget);
  return made;
}

/// A simulation of a nonlinear model is expected to be one.
void note_what_is_left_out(Task& task, const Subject& subject) {
  if (subject.terms().nonlinear == NonlinearTerms::linearized && subject.leaves_out_terms().value_or(true))
    task.notes.push_back({{},
                          "the model is simulated as linearised at its equilibrium, and it is nonlinear",
                          "add --nonlinear to keep its nonlinear terms",
                          Severity::warning});
  for (Diagnostic& note : task.notes) {
    if (note.severity != Severity::note || !note.message.ends_with(signals_are_deviations)) continue;
    note.message += ": transistors are linear here, whatever the signal is";
    note.hint = "keep it small, or follow the circuit in a simulator";
    note.severity = Severity::warning;
  }
}

/// Which of the inputs the model itself states, and of which it states what does not last.
void note_constants(Task& task, const SignalFlowGraph& graph) {
  std::string constants, begun;
  for (const auto& [source, rest] : rest_inputs(graph)) {
    const std::string name = graph[source].name;
    if (std::ranges::any_of(task.arguments.list("input"), [&](const auto& word) { return word.starts_with(name + "="); }))
      continue;
    if (!rest.lasts)
      begun += (begun.empty() ? "'" : ", '") + name + "'";
    else if (!rest.value.is_zero())
      constants += (constants.empty() ? "" : ", ") + name + " = " + exact::decimal(rest.value, 6);
  }
  if (!constants.empty())
    task.notes.push_back(
        {{}, constants + " from t = 0 on, as the model states", "--input NAME=EXPRESSION states another", Severity::remark});
  if (!begun.empty())
    task.notes.push_back({{},
                          "the waveform of " + begun + " is not followed: 0 is taken",
                          "state it by --input NAME=EXPRESSION",
                          Severity::warning});
}

void note_inputs_at_zero(Task& task, const Case& asked) {
  std::set<NodeId> driven;
  for (const Drive& drive : asked.question.drives) driven.insert(drive.node);
  note_unstated_inputs(task, asked.graph, driven, "--input", "the signal of", Severity::remark);
}

/// Inputs that are stated and measured.
void note_measured_inputs(Task& task, const Input& input, std::span<const Measurement> records) {
  for (const auto& [name, signal] : measured_inputs(records))
    for (const Statement& statement :
         statements(task.arguments, "input", "NAME=EXPRESSION or NAME=@FILE.csv", input.simulation.inputs))
      if (statement.name == name)
        task.notes.push_back({statement.where,
                              "the input '" + name + "' follows its measured column, and not " + name + " = " + statement.text,
                              "take the column out of the file, or leave the other out", Severity::warning});
}

/// The last state of another run has no place for what laws remember.
void note_memories(Task& task, const SignalFlowGraph& graph) {
  const auto given = task.arguments.list("initial");
  if (remembers(graph) && std::ranges::any_of(given, [](const auto& word) { return word.starts_with('@'); }))
    task.notes.push_back({{},
                          "what backlash and hysteresis remember is not in the last state of a run: they begin as at rest",
                          "ask for one run over the whole time, kept by --checkpoint",
                          Severity::warning});
}

ForcedOptions forced_options(const Task& task) {
  const Arguments& arguments = task.arguments;
  return {.rtol = arguments.number("rtol").value_or(1e-9),
          .atol = arguments.number("atol").value_or(1e-12),
          .pade_order = arguments.count("pade", 8),
          .budget = task.budget};
}

/// Parts between commas that lie outside of parentheses: "x=1,v(a,b)=2".
std::vector<std::string> parts_of_list(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<std::vector<InitialValue>> starts_of(const Arguments& arguments, const SymbolTable& symbols) {
  std::vector<std::vector<InitialValue>> starts;
  for (const std::string& word : arguments.list("start")) {
    starts.emplace_back();
    for (const std::string& part : parts_of_list(word)) {
      const auto [name, text] = named_text("--start", part, "x=1,Dx=0");
      starts.back().push_back({name, number_of({{name, text, {}}, "--start"}, symbols)});
    }
  }
  return starts;
}

const std::string portraits = "--phase", curves_over_time = "curves over time";

/// What a portrait has no place for.
void check_phase(const Arguments& arguments) {
  if (!arguments.has("phase")) return;
  if (arguments.has("to")) throw UsageError("--phase names the signals that are shown", "leave --to out");
  if (arguments.has("json") || answer_of(arguments, curves) != Answer::picture)
    throw UsageError("a phase portrait is a picture", "add -o portrait.svg (or .png, .pdf), or ask for numbers by --to");
}

void note_rest(Task& task, const PhasePortrait& portrait) {
  if (!portrait.rest)
    task.notes.push_back({{}, "no states of rest are marked: " + portrait.no_rest, {}, Severity::remark});
  else if (!portrait.rest->complete)
    task.notes.push_back({{},
                          "there may be states of rest besides those that are marked",
                          "say where to look: --box SIGNAL=LO:HI",
                          Severity::warning});
}

int run_phase(Task& asked) {
  const std::vector<std::string> signals = parts_of_list(asked.arguments.text("phase"));
  if (signals.size() != 2 || signals[0].empty() || signals[1].empty())
    throw UsageError("option '--phase " + asked.arguments.text("phase") + "' names no two signals", "write --phase x,Dx");
  const Arguments arguments = asked.arguments.with("to", signals);
  Task task{arguments, asked.budget, asked.out, asked.notes, asked.working};
  SweptInput input(task);
  if (input.subject().bodies())
    throw UsageError("a mechanism has no phase portrait: its trajectories in a plane are projections of a larger space",
                     "ask for both signals: --to " + signals[0] + " --to " + signals[1] + " -o motion.csv");
  TimeAxis axis = time_axis(arguments, input.input(), 0);
  axis.points = arguments.text("points");
  if (axis.until.empty()) throw UsageError("how long the trajectories are is not stated", "add --until T");
  constexpr std::size_t smooth = 4001;
  axis.usual = smooth;
  note_what_is_left_out(task, input.subject());
  const SignalFlowGraph graph = input.graph(0);
  const std::vector<double> times = graph.op.discrete() ? sample_times(axis, graph.op.period()) : even_times(axis);
  const SymbolTable symbols = symbols_in_time(graph.symbols, input.subject().terms().settings);
  const PhaseQuestion question{.motion = question_of(arguments, input.input().simulation, graph, symbols),
                               .starts = starts_of(arguments, symbols),
                               .box = boxes_of(arguments, graph)};
  task.working("following trajectories");
  const PhasePortrait portrait = phase_portrait(graph, question, times, forced_options(task));
  note_rest(task, portrait);
  put(task, phase_figure(portrait, {task.unit_of(portrait.x), task.unit_of(portrait.y)}));
  return 0;
}

/// An exact answer has no tolerances, and one without dead time in a loop no approximant.
void note_exact(Task& task, const std::vector<std::vector<NamedResponse>>& found) {
  bool exact = true, rational = true;
  for (const std::vector<NamedResponse>& set : found)
    for (const NamedResponse& each : set) {
      const std::string& method = each.value.method;
      exact = exact && !each.value.error && method.find("within") == std::string::npos;
      for (const std::string& note : each.value.notes) rational = rational && note.find("approximant") == std::string::npos;
    }
  for (const auto& [option, idle] : {std::pair{"rtol", exact}, {"atol", exact}, {"pade", rational}})
    if (task.arguments.has(option) && idle)
      task.notes.push_back({{}, std::string("--") + option + " makes no difference here", "leave it out", Severity::remark});
}

/// The measured time, else one that shows everything settle.
double time_range(const Task& task, const SweptInput& input, const std::vector<Case>& cases,
                  std::span<const Measurement> records) {
  if (const auto last = last_measured(records)) return *last;
  double range = 0;
  for (const Case& each : cases)
    if (each.linear)
      range = std::max(range, settling_range(*each.linear));
    else if (time_axis(task.arguments, input.input(), 0).until.empty())
      throw UsageError("how long a nonlinear model is to be simulated is not stated", "add --until T");
  return range;
}

std::vector<Measurement> measurements_of(Task& task, SweptInput& input) {
  if (!task.arguments.has("data")) return measurements(task, {});
  const SignalFlowGraph graph = input.graph(0);
  std::vector<Measurement> records = measurements(task, measurable_signals(graph, outputs_of(task.arguments, graph)));
  note_units(task, records);
  note_before_start(task, records);
  note_measured_inputs(task, input.input(), records);
  return records;
}

/// The model once more, at the times of the samples.
std::vector<std::vector<MeasuredSignal>> beside_simulation(const Task& task, SweptInput& input, const std::vector<Case>& cases,
                                                           std::span<const Measurement> records) {
  std::vector<std::vector<MeasuredSignal>> measured;
  if (records.empty()) return measured;
  const Operator& op = cases.front().graph.op;
  const std::vector<double> times = measured_times(records, op);
  const ForcedOptions options = forced_options(task);
  return input.each([&](std::size_t set) {
    const Case& each = cases[set];
    const auto model =
        each.linear ? responses(*each.linear, times, options) : transient(each.graph, each.question, times, options);
    return beside(records, std::span<const NamedResponse>(model), op);
  });
}

int run_simulate(Task& task) {
  const Arguments& arguments = task.arguments;
  check_phase(arguments);
  if (arguments.has("phase")) return run_phase(task);
  SweptInput input(task);
  if (input.subject().bodies()) return simulate_multibody(task, input);
  refuse_any(task.arguments, {"as", "method", "drop-redundant"}, " is about a multibody model");
  note_what_is_left_out(task, input.subject());
  const std::vector<Measurement> records = measurements_of(task, input);
  task.working("finding transfer functions");
  const std::vector<Case> cases = input.each([&](std::size_t set) { return case_of(task, input, set, records); });
  note_constants(task, cases.front().graph);
  note_inputs_at_zero(task, cases.front());
  note_memories(task, cases.front().graph);
  note_replaced(task, input.input().simulation);
  task.working("evaluating time responses");
  const Operator& op = cases.front().graph.op;
  const TimeAxis axis = time_axis(arguments, input.input(), time_range(task, input, cases, records));
  const std::vector<double> times = op.discrete() ? sample_times(axis, op.period()) : even_times(axis);
  const ForcedOptions options = forced_options(task);
  std::vector<RunRecord> runs(cases.size());
  const RunsKept kept(task, cases.size());
  const auto found = input.each([&](std::size_t set) {
    const Case& each = cases[set];
    if (each.linear) return responses(*each.linear, times, options);
    return kept.followed([&] { return transient(each.graph, each.question, times, options, &runs[set], &kept.run()); });
  });
  note_exact(task, found);
  const bool integrated = !op.discrete() && std::ranges::any_of(cases, [](const Case& each) { return !each.linear; });
  if (!integrated) kept.note_idle();
  write_events(task, input.sweep(), [&](std::size_t set) { return std::span<const RunEvent>(runs[set].events); });
  const auto measured = beside_simulation(task, input, cases, records);
  if (integrated && answer_of(arguments, curves) == Answer::json)
    write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) {
      write_beside(out, measured.empty() ? std::vector<MeasuredSignal>() : measured[set],
                   [&](std::ostream& text) { write_json(text, found[set], runs[set]); });
    });
  else
    write_responses(task, input, found, "simulate", "Response", op.discrete(), {}, measured);
  return 0;
}

std::vector<Option> options() {
  std::vector<Option> all{
      {"--input",
       "NAME=EXPR|@CSV",
       "the signal at an input: an expression of t, or a file; repeatable",
       Option::Kind::text,
       {},
       true},
      {"--initial",
       "NAME=VALUE|@JSON",
       "the value of a state just before t = 0, or the last state of another simulation (its answer in JSON); repeatable",
       Option::Kind::text,
       {},
       true},
      {"--phase", "A,B", "a picture of signal B over signal A (x,Dx), with the states of rest"}};
  add(all, {portraits},
      {{"--start", "A=X,B=Y", "initial values of one trajectory of --phase; repeatable", Option::Kind::text, {}, true}});
  add(all, {},
      {{"--until", "T", "last time, s (default: what the file states, else until all has settled)"},
       {"--points", "N", "number of times, 0 and T included (default 201, in a picture 1001)", Option::Kind::count},
       {"--rtol", "R", "tolerance of an input without exact form, of its largest value (default 1e-9)", Option::Kind::number},
       {"--atol", "A", "the same, absolute (default 1e-12)", Option::Kind::number}});
  add(all, {curves_over_time},
      {{"--drop-redundant", "", "multibody: constraints that follow from others are no error"},
       {"--as",
        "FORM",
        "multibody: curves (default), or mechanism: its motion, animated in -o x.html, at nine times in -o x.svg",
        Option::Kind::choice,
        {"curves", "mechanism"}},
       {"--method",
        "METHOD",
        "multibody: equations of motion (default), or aggregate: parts and connections without loops, in numbers",
        Option::Kind::choice,
        {"equations", "aggregate"}},
       {"--pade", "N", "order of the Padé approximant where dead time inside a loop needs one (default 8)", Option::Kind::count},
       sweep_option()});
  add(all, {curves_over_time}, kept_run_options());
  add(all, {curves_over_time}, data_options("signals (CSV: t, SIGNAL; a column of an input drives it)"));
  add(all, {}, {sample_time_option(), notation_option(), width_option(), theme_option(), dark_option()});
  return all;
}

}  // namespace

Verb simulate() {
  return {
      .name = "simulate",
      .summary = "time response of a linear or nonlinear model to any inputs",
      .details =
          "Inputs that are sums and products of constants, t, exp, sin, cos and step(t - t0) are answered exactly by partial "
          "fractions; any other expression is followed by polynomials to --rtol and --atol; a CSV signal (time, value) is "
          "straight between its points. Several inputs are added. The result says which way was taken. A multibody model is "
          "followed with all that is nonlinear in it, its loops, stops and friction; --to takes positions x(BODY), forces "
          "fx(JOINT) and energies T, V, E, too.",
      .options = options(),
      .examples = {"sfg simulate examples/servo.dot --input 'ref=step(t) - step(t-2)' --until 4 -o servo.svg",
                   "sfg simulate examples/vehicle.toml --input z1=0.1*sin(3*t) --input z2=@road.csv --to Z",
                   "sfg simulate examples/double_pendulum.toml --initial s1=2 --until 10 --as mechanism -o pendulum.html",
                   "sfg simulate examples/slider_crank.toml --to theta --to 'x(slider)' --to 'fy(G)' -o motion.svg",
                   "sfg simulate examples/van_der_pol.dot --phase x,Dx --start x=0.1 --start x=3,Dx=3 --until 30 -o cycle.svg"},
      .run = run_simulate,
      .refuses = {{"--from", "name the inputs: --input NAME=EXPRESSION"}, {"--ratio", "a simulation has signals for its inputs"}},
      .ways = {{portraits, {"--phase"}}, {curves_over_time, {}}},
      .of_values = true};
}

}  // namespace sfg::command
