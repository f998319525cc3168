#include "tools/frame/study.hpp"

#include <algorithm>

#include "sfg/control/open_loop.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/tolerance.hpp"
#include "sfg/multibody/mechanism_run.hpp"
#include "sfg/nonlinear/transient.hpp"
#include "sfg/study/sweep.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/simulation_statements.hpp"

namespace sfg::command {

namespace {

/// NAME=VALUE, or a value for everything.
std::pair<std::string, std::string> split_at_sign(const std::string& text) {
  const std::size_t at = text.find('=');
  return at == std::string::npos ? std::pair(std::string(), text) : std::pair(text.substr(0, at), text.substr(at + 1));
}

void require_parameter(const char* option, const std::string& name, const SymbolTable& symbols) {
  const Symbol* symbol = symbols.find(name);
  if (symbol && symbol->kind == SymbolKind::parameter) return;
  std::vector<std::string> names;
  for (const Symbol& known : symbols.all())
    if (known.kind == SymbolKind::parameter) names.push_back(known.name);
  const std::string near = nearest(name, names);
  throw UsageError(std::string(option) + " " + name + ": there is no parameter of that name",
                   near.empty() ? "" : "did you mean '" + near + "'?");
}

}  // namespace

namespace {

/// The one transfer function that is asked for, and the open loop of --break.
MeasuredSystem system_of(Task& task, SignalFlowGraph graph) {
  const Arguments& arguments = task.arguments;
  MeasuredSystem system{approximated(task, sampled(arguments, std::move(graph))), {}, {}};
  const std::vector<Question> questions = questions_of(arguments, system.graph);
  if (questions.size() != 1) throw UsageError("a study is of one transfer function", "name it by --from and --to");
  system.question = questions.front();
  if (arguments.has("break")) {
    OpenLoop loop = loop_opened_at(system.graph, arguments.text("break"));
    system.loop = {std::move(loop.graph), loop.question};
  }
  return system;
}

/// The model with these values; what its derivation has to say was said for the stated ones.
Input with_values(const Input& input, std::span<const std::string> names, std::span<const double> values) {
  SweepSet set;
  for (std::size_t k = 0; k < names.size(); ++k) set.values.push_back({names[k], exact::Rational::of(values[k]), ""});
  Input there = input;
  if (const auto* graph = std::get_if<SignalFlowGraph>(&input.content))
    there.content = at(*graph, set);
  else
    there.content = at(std::get<Model>(input.content), set);
  return there;
}

MeasuredSystem derived_anew(const Task& task, Input there) {
  std::vector<Diagnostic> said;
  Task quiet{task.arguments, task.budget, task.out, said, [](const char*) {}};
  return system_of(quiet, graph_of(quiet, std::move(there)));
}

/// As of a linear model: the change from where the step found it.
TimeResponse from_start(TimeResponse response) {
  if (response.value.empty()) return response;
  const double start = response.value.front();
  for (double& value : response.value) value -= start;
  return response;
}

/// Where a model of energies rests.
std::vector<InitialValue> rest_of(const Input& input, const SignalFlowGraph& graph, const Budget& budget) {
  const Model* model = std::get_if<Model>(&input.content);
  const Lagrangian* energies = model ? std::get_if<Lagrangian>(model) : nullptr;
  std::vector<InitialValue> found;
  if (!energies || !energies->equilibrium || graph.linear()) return found;
  const LagrangeEquations equations = lagrange_equations(*energies, budget);
  for (const auto& [name, value] : equations.equilibrium->values)
    if (value != 0 && graph.find(name)) found.push_back({name, value});
  return found;
}

/// The response of a graph with its laws to a step of this height at the input of the question, from rest.
TimeResponse simulated_step(const MeasuredSystem& system, std::vector<InitialValue> rest, double height,
                            std::span<const double> times, const Budget& budget) {
  const SymbolTable symbols = symbols_in_time(system.graph.symbols);
  const SimulationQuestion question{.drives = {{system.question.input, GiNaC::ex(height)}},
                                    .initial = std::move(rest),
                                    .outputs = {system.question.output},
                                    .time = symbols.at("t").expr};
  const ForcedOptions options{.budget = budget};
  return from_start(depends_on_laws(system.graph, question)
                        ? transient(system.graph, question, times, options).front().value
                        : responses(simulation(system.graph, question, budget), times, options).front().value);
}

/// The same of a mechanism, with all that is nonlinear in it.
TimeResponse simulated_step(const Multibody& model, const MeasuredSystem& system, double height, std::span<const double> times,
                            const Budget& budget) {
  const SymbolTable symbols = symbols_in_time(model.symbols);
  const MechanismQuestion question{.inputs = {{system.graph[system.question.input].name, GiNaC::ex(height)}},
                                   .time = symbols.at("t").expr,
                                   .outputs = {system.graph[system.question.output].name}};
  const MechanismRun run = mechanism_run(model, question, times, {.budget = budget});
  if (run.time.size() < times.size()) throw NoAnswer("the motion ends before the last time", "lower the last time");
  return from_start(run.signals.front().value);
}

/// The nonlinear model itself, whose response to a step is simulated for every set of values.
MeasuredSystem simulated_system(Task& task, const Input& input) {
  if (task.arguments.verb() == "sens" && !searched_anew(task.arguments))
    throw UsageError("--nonlinear: a simulated response has no derivatives",
                     "add --monte-carlo N, --tornado, --morris R or --sobol N");
  if (task.arguments.has("break")) throw UsageError("--nonlinear: a simulated response has no margins", "leave --break out");
  const Model* model = std::get_if<Model>(&input.content);
  const bool bodies = model && std::holds_alternative<Multibody>(*model);
  // A mechanism needs no graph of its laws: that of its linearisation names input and output.
  const Arguments arguments = bodies ? task.arguments.with("nonlinear", {}) : task.arguments;
  Task named{arguments, task.budget, task.out, task.notes, task.working};
  MeasuredSystem system = system_of(named, graph_of(named, input));
  const double height = task.arguments.number("amplitude").value_or(1);
  const auto response = [&task, input, height, bodies, system](std::span<const std::string> names, std::span<const double> values,
                                                               std::span<const double> times) {
    const Input there = with_values(input, names, values);
    if (bodies) return simulated_step(std::get<Multibody>(std::get<Model>(there.content)), system, height, times, task.budget);
    const MeasuredSystem anew = derived_anew(task, there);
    return simulated_step(anew, rest_of(there, anew.graph, task.budget), height, times, task.budget);
  };
  system.simulated = SimulatedStep{.response = response,
                                   .until = task.arguments.has("until") ? value_of("--until", task.arguments.text("until")) : 0};
  return system;
}

}  // namespace

MeasuredSystem measured_system_of(Task& task) {
  const Input input = input_of(task);
  if (task.arguments.has("nonlinear")) return simulated_system(task, input);
  if (task.arguments.has("amplitude")) throw UsageError("--amplitude is of --nonlinear", "leave it out, or add --nonlinear");
  MeasuredSystem system = system_of(task, regular_graph_of(task, input));
  if (task.point_searched && searched_anew(task.arguments))
    system.anew = [&task, input](std::span<const std::string> names, std::span<const double> values) {
      return derived_anew(task, with_values(input, names, values));
    };
  return system;
}

std::vector<Measure> measures_of(const Arguments& arguments, const SymbolTable& symbols) {
  std::vector<Measure> result;
  for (const std::string& text : arguments.list("measure"))
    result.push_back(as_usage("--measure", [&] { return measure_of(text, symbols); }));
  return result;
}

StudiedGraph studied_of(const Arguments& arguments, const SignalFlowGraph& graph, StudyParameter::Role gains) {
  return as_usage("--wrt", [&] { return studied(graph, arguments.list("wrt"), gains); });
}

std::vector<Spec> specs_of(const Arguments& arguments, const SymbolTable& symbols, bool equality) {
  std::vector<Spec> result;
  for (const std::string& text : arguments.list("spec"))
    result.push_back(as_usage("--spec", [&] { return spec_of(text, symbols, equality); }));
  return result;
}

StatedVariation stated_variation(const Arguments& arguments, const SymbolTable& symbols) {
  StatedVariation stated;
  for (const std::string& text : arguments.list("tolerance")) {
    const auto [name, word] = split_at_sign(text);
    const Tolerance tolerance = as_usage("--tolerance", [&] { return parse_tolerance(word); });
    if (name.empty()) {
      stated.everything = tolerance;
    } else {
      require_parameter("--tolerance", name, symbols);
      stated.tolerances[name] = tolerance;
    }
  }
  for (const std::string& text : arguments.list("distribution")) {
    const auto [name, word] = split_at_sign(text);
    if (name.empty()) throw UsageError("--distribution " + text + " names no parameter", "write --distribution NAME=normal");
    require_parameter("--distribution", name, symbols);
    stated.distributions[name] = as_usage("--distribution", [&] { return parse_distribution(word); });
  }
  return stated;
}

void note_subjects(Task& task, const MeasuredSystem& system, const std::vector<Measure>& measures) {
  if (!system.loop) return;
  std::vector<std::string> names;
  for (const Measure& measure : measures)
    for (const BaseMeasure& base : measure.bases)
      if (const std::string name = to_string(base); !is_margin(base.kind) && std::ranges::find(names, name) == names.end())
        names.push_back(name);
  if (names.empty()) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  task.notes.push_back({{},
                        list + (names.size() == 1 ? " is" : " are") + " of " + system.graph[system.question.input].name + " -> " +
                            system.graph[system.question.output].name +
                            " with the loop closed; margins and crossovers are of the loop opened at " +
                            task.arguments.text("break"),
                        "",
                        task.arguments.verb() == "tune" ? Severity::warning : Severity::remark});
}

Study study_of(Task& task) {
  Study study{measured_system_of(task), {}, {}};
  const SymbolTable& symbols = study.system.graph.symbols;
  study.measures = measures_of(task.arguments, symbols);
  note_subjects(task, study.system, study.measures);
  const StatedVariation stated = stated_variation(task.arguments, symbols);
  study.variation = variation_of(symbols, stated);
  return study;
}

void require_variation(const Study& study) {
  if (study.variation.parameters.empty())
    throw UsageError("nothing varies: no parameter has a tolerance",
                     "add --tolerance 5%, --tolerance NAME=5%, or tolerance = \"5%\" to parameters of the model");
}

std::map<std::string, double> numbers_of(const std::vector<StudyParameter>& parameters, const SymbolTable& symbols) {
  const GiNaC::exmap values = symbols.values();
  std::map<std::string, double> numbers;
  for (const StudyParameter& parameter : parameters)
    if (const auto value = rational_value(parameter.nominal.subs(values))) numbers[parameter.name] = value->to_double();
  return numbers;
}

FigureOptions figure_options(const Task& task, const Study& study) {
  FigureOptions options{.hertz = task.arguments.has("hz")};
  for (const Symbol& symbol : study.system.graph.symbols.all()) options.units[symbol.name] = symbol.unit;
  for (const Measure& measure : study.measures) options.units[measure.text] = measure.unit;
  return options;
}

std::vector<Option> measure_options() {
  return {{"--measure",
           "M",
           "a number of the transfer function: dc, gain@W, peak, bandwidth, phase-margin, rise, step@T, abscissa, "
           "frequency:N, … or an expression of them and of parameters; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--amplitude", "A", "with --nonlinear: height of the step that is simulated (default 1)", Option::Kind::number},
          {"--break", "FROM,TO", "margins and crossovers are those of the loop opened there, all else of the closed one"}};
}

std::vector<Option> tolerance_options() {
  return {{"--tolerance",
           "T|NAME=T",
           "how far parameters vary: 5% or 0.05 of the value, ±2 in its unit; repeatable",
           Option::Kind::text,
           {},
           true},
          {"--distribution",
           "NAME=KIND",
           "uniform, triangular, normal (σ a third of the tolerance) or lognormal; repeatable",
           Option::Kind::text,
           {},
           true}};
}

}  // namespace sfg::command
