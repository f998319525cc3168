// export --target analog: the program of an analog computer, as a table or as a netlist.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/write/analog_program.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"
#include "tools/verbs/export.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

/// With stated inputs one run of them; else a unit step of each input in turn.
std::vector<AnalogRun> runs_of(const Arguments& arguments, const SimulationSettings& settings, const SignalFlowGraph& graph,
                               const AnalogEnds& ends, const GiNaC::ex& time) {
  const bool use_file = !graph.linear();
  const std::vector<Statement> stated =
      statements(arguments, "input", "NAME=VALUE", use_file ? settings.inputs : std::vector<SimulationSettings::Entry>());
  std::vector<AnalogRun> runs;
  if (stated.empty() && !arguments.has("initial") && !(use_file && !settings.initial.empty())) {
    for (std::size_t i = 0; i < ends.inputs.size(); ++i) {
      runs.push_back({"step of " + graph[ends.inputs[i]].name, std::vector<GiNaC::ex>(ends.inputs.size(), 0)});
      runs.back().inputs[i] = 1;
    }
    if (runs.empty())
      throw UsageError("the run has neither input nor initial value", "add --input NAME=EXPRESSION or --initial NAME=VALUE");
    return runs;
  }
  AnalogRun run{"response", std::vector<GiNaC::ex>(ends.inputs.size(), 0)};
  for (const Statement& statement : stated) {
    const auto input = std::ranges::find(ends.inputs, statement.name, [&](NodeId node) { return graph[node].name; });
    if (input == ends.inputs.end()) {
      std::string names;
      for (const NodeId node : ends.inputs) names += " " + graph[node].name;
      refuse(statement, "there is no input '" + statement.name + "'", "the inputs are" + names);
    }
    if (statement.text.starts_with('@'))
      refuse(statement, "an analog program has no signal of a file", "write the input as an expression of t");
    const SymbolTable symbols = symbols_in_time(graph.symbols, arguments.list("set"));
    run.inputs[static_cast<std::size_t>(input - ends.inputs.begin())] =
        expression_of(statement, symbols).subs(symbols.at("t").expr == time);
  }
  runs.push_back(std::move(run));
  return runs;
}

/// As stated; else of a linear graph as `step` shows it.
double until_of(Task& task, const Input& input, const SignalFlowGraph& graph) {
  const Arguments& arguments = task.arguments;
  if (arguments.has("until")) return positive_value_of("--until", arguments.text("until")).to_double();
  for (const auto& stated : {input.simulation.until, input.analyses.until})
    if (stated) return positive_value_of("until", *stated).to_double();
  if (!graph.linear()) throw UsageError("it is not known how long the run of a nonlinear graph lasts", "add --until T");
  double range = 0;
  for (const ExactTransfer& transfer : transfers_of(task, graph)) range = std::max(range, step_range(transfer));
  return range;
}

std::size_t points_of_run(const Arguments& arguments, const Input& input) {
  const std::string stated = arguments.has("points") ? arguments.text("points") : input.simulation.points.value_or("");
  return stated.empty() ? 201 : even_times({.until = "1", .points = stated}).size();
}

/// Each statement is checked alone, so that what is wrong is said of it.
std::map<std::string, double> values_of(const std::vector<Statement>& stated, const SignalFlowGraph& graph,
                                        const std::function<void(const std::string&, double)>& check) {
  std::map<std::string, double> values;
  for (const Statement& statement : stated) {
    const double value = values[statement.name] = number_of(statement, graph.symbols);
    try {
      check(statement.name, value);
    } catch (const Error& error) {
      refuse(statement, error.diagnostics().front().message, error.diagnostics().front().hint);
    }
  }
  return values;
}

/// What no analog computer does is in the power of other targets.
AnalogEquations equations_of_targets(const SignalFlowGraph& graph, const AnalogEnds& ends, const Budget& budget) {
  try {
    return analog_equations(graph, ends, budget);
  } catch (const Error& error) {
    std::vector<Diagnostic> found(error.diagnostics().begin(), error.diagnostics().end());
    found.front().hint = found.front().hint | Remedy("export it to json, csv or latex, which write it as it stands");
    throw Error(std::move(found));
  } catch (const NoAnswer& none) {
    throw NoAnswer(none.what(), none.remedy() | Remedy("export it to json, csv or latex, which write it as it stands"),
                   none.where());
  }
}

AnalogProgram asked_program(Task& task) {
  const Arguments& arguments = task.arguments;
  Subject subject = subject_of(task);
  const Input& input = subject.input();
  SignalFlowGraph graph = subject.graph();
  state_ends(arguments, graph);
  const AnalogEnds ends{graph.stated_inputs(), graph.stated_outputs()};
  task.working("finding the analog program");
  AnalogEquations equations = equations_of_targets(graph, ends, task.budget);
  AnalogOptions options{.time_scale = arguments.number("time-scale"), .budget = task.budget};
  options.machine_unit = arguments.number("machine-unit").value_or(1);
  options.maxima = values_of(statements(arguments, "maximum", "NAME=VALUE", {}), graph,
                             [&](const std::string& name, double value) { check_maximum(equations, name, value); });
  const auto stated = graph.linear() ? std::vector<SimulationSettings::Entry>() : input.simulation.initial;
  options.initial =
      values_of(statements(arguments, "initial", "NAME=VALUE", stated), graph, [&](const std::string& name, double value) {
        set_initial_values(equations, {{name, value}});
      });
  options.runs = runs_of(arguments, input.simulation, graph, ends, equations.time);
  options.until = until_of(task, input, graph);
  options.points = points_of_run(arguments, input);
  task.working("running the analog program");
  AnalogProgram program = analog_program(std::move(equations), options);
  program.title = graph.title;
  program.output_names.clear();
  for (const NodeId node : ends.outputs) program.output_names.push_back(graph[node].name);
  return program;
}

/// A name that files and netlists may have.
std::string analog_name(const Arguments& arguments) {
  std::string name = arguments.text("name");
  if (name.empty() && arguments.has("output")) name = std::filesystem::path(arguments.text("output")).stem().string();
  if (name.empty() || name == "-") name = std::filesystem::path(arguments.input()).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name.empty() ? "analog" : name;
}

AnalogNetlist netlist_of(const Arguments& arguments) {
  const std::string kind = arguments.text("netlist", "user");
  return kind == "machine" ? AnalogNetlist::machine : kind == "amplifiers" ? AnalogNetlist::amplifiers : AnalogNetlist::user;
}

/// The largest output in machine units E, to three decimals.
double rounded_peak(const AnalogProgram& program) {
  double peak = 0;
  for (const AnalogElement& element : program.elements)
    if (element.kind != AnalogKind::REF) peak = std::max(peak, element.peak / program.machine_unit);
  return std::round(1000 * peak) / 1000;
}

void put_netlist(Task& task, const AnalogProgram& program) {
  const std::string file = std::filesystem::path(task.arguments.input()).filename().string();
  write_netlist(task.out, program,
                {.kind = netlist_of(task.arguments),
                 .name = analog_name(task.arguments),
                 .header = {"made by: sfg export " + file + " --target analog",
                            "verified: the patching table was interpreted; its largest output is " +
                                print(rounded_peak(program)) + " machine units"},
                 .points = program.times.size()});
}

}  // namespace

std::vector<Option> run_options() {
  using Kind = Option::Kind;
  return {{"--until", "T", "last time, s (default: what the file states, else of a linear model until all has settled)"},
          {"--points", "N", "number of times, 0 and T included (default 201)", Kind::count},
          {"--input",
           "NAME=EXPR",
           "the signal at an input, an expression of t (default: [simulation] of a nonlinear model, else unit steps); repeatable",
           Kind::text,
           {},
           true},
          {"--initial", "NAME=VALUE", "the value of a state at t = 0; repeatable", Kind::text, {}, true}};
}

std::vector<Option> analog_run_options() {
  std::vector<Option> options = run_options();
  for (Option& option : analog_options()) options.push_back(std::move(option));
  return options;
}

std::vector<Option> analog_options() {
  using Kind = Option::Kind;
  return {
      {"--machine-unit", "E", "analog: the largest output of an element (default 1)", Kind::number},
      {"--time-scale", "LAMBDA", "analog: machine seconds for a second (default: gains of the integrators near 1)", Kind::number},
      {"--maximum", "NAME=VALUE", "analog: largest |value| of a variable, for its scale; repeatable", Kind::text, {}, true}};
}

AnalogProgram analog_program_of(Task& task) {
  AnalogProgram program = asked_program(task);
  task.notes.insert(task.notes.end(), program.notes.begin(), program.notes.end());
  return program;
}

int export_analog(Task& task) {
  const Arguments& arguments = task.arguments;
  const std::string extension = extension_of(arguments.text("output"));
  const bool netlist = !arguments.has("json") && (extension == "cir" || extension == "sp");
  if (arguments.has("netlist") && !netlist) throw UsageError("--netlist is about a netlist", "add -o NAME.cir");
  constexpr std::array tables{Answer::csv};
  const Answer answer = netlist ? Answer::text : answer_of(arguments, tables);
  const AnalogProgram program = asked_program(task);
  if (arguments.has("points") && answer != Answer::json && !netlist)
    task.notes.push_back({{}, "--points makes no difference: the table has no times", "leave it out", Severity::remark});
  if (answer != Answer::text || netlist)  // a page has them itself
    task.notes.insert(task.notes.end(), program.notes.begin(), program.notes.end());
  if (netlist)
    put_netlist(task, program);
  else if (answer == Answer::json)
    write_json(task.out, program);
  else if (answer == Answer::csv)
    write_csv(task.out, program);
  else
    show(task, page(program));
  return 0;
}

}  // namespace sfg::command
