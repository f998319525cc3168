#include "tools/frame/load.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "sfg/derive/derive.hpp"
#include "sfg/derive/joined.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/derive/nonlinear_equations.hpp"
#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/derive/ports.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/output_signal.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/transfer/singular.hpp"
#include "tools/frame/decimals.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

NodeId node_named(const SignalFlowGraph& graph, const std::string& option, const std::string& name) {
  if (const auto node = graph.find(name)) return *node;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(node.name);
  const std::string near = nearest(name, names);
  throw UsageError(option + " " + name + ": the graph has no node of that name",
                   near.empty() ? "'sfg graph' lists the nodes" : "did you mean '" + near + "'?");
}

OpenLoop loop_opened_at(const SignalFlowGraph& graph, const std::string& text) {
  if (const auto node = graph.find(text)) return open_loop(graph, *node);
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    const auto from = graph.find(text.substr(0, comma)), to = graph.find(text.substr(comma + 1));
    if (from && to) return open_loop(graph, *from, *to);
  }
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos || text.find('(') != std::string::npos) node_named(graph, "--break", text);
  node_named(graph, "--break", text.substr(0, comma));
  node_named(graph, "--break", text.substr(comma + 1));
  throw UsageError("option '--break " + text + "' names no branch", "write --break FROM,TO");
}

std::optional<InputFormat> stated_format(const Arguments& arguments) {
  if (const auto format = format_named(arguments.text("format"))) return format;
  if (arguments.input() == "-")
    throw UsageError("standard input has no name to tell its format", "add --format " + listed_format_names());
  return {};
}

namespace {

SymbolTable& symbols_of(Input& input) {
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return graph->symbols;
  return std::visit([](auto& model) -> SymbolTable& { return model.symbols; }, std::get<Model>(input.content));
}

void put_in(Input& input, const GiNaC::exmap& values) {
  if (values.empty()) return;
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) {
    *graph = graph->substituted(values);
    graph->symbols = without(graph->symbols, values);
  } else {
    auto& model = std::get<Model>(input.content);
    model = substituted(model, values);
  }
}

void rename_operator(Input& input, const std::string& name) {
  if (!is_name(name)) throw UsageError("word '" + name + "' is no name of an operator", "write --variable s, p or z");
  auto* graph = std::get_if<SignalFlowGraph>(&input.content);
  if (!graph) return std::visit([&](auto& model) { model.op = name; }, std::get<Model>(input.content));
  if (const Symbol* known = graph->symbols.find(name); known && known->value)
    throw UsageError("--variable " + name + ": the graph has a parameter of that name with a value",
                     "name the operator of the gains");
  if (Symbol* before = graph->symbols.find(graph->op.symbol())) before->kind = SymbolKind::parameter;
  graph->op = Operator(name, graph->op.sample_time());
  graph->op.declare(graph->symbols);
}

/// A circuit has the signals that it is asked for: voltages between nodes, currents of elements.
void measure(const Arguments& arguments, Input& input) {
  auto* model = std::get_if<Model>(&input.content);
  auto* circuit = model ? std::get_if<Circuit>(model) : nullptr;
  auto* joined = model ? std::get_if<Joined>(model) : nullptr;
  if (!circuit && !joined) return;
  for (const std::string& expression : arguments.list("to")) {
    if (circuit) sfg::measure(*circuit, expression);
    if (joined) sfg::measure(*joined, expression);
  }
}

/// The equations of a circuit that --from port(A,B) drives, with its own sources off: a current enters there and the voltage is
/// z, a voltage lies there and the current is y, or a wave comes in and s goes out.
std::optional<EquationSystem> driven_at_port(const Arguments& arguments, const Model& model) {
  const auto* circuit = std::get_if<Circuit>(&model);
  const std::vector<std::string> from = arguments.list("from"), to = arguments.list("to");
  if (circuit == nullptr || from.empty()) return {};
  try {
    const std::optional<Port> port = read_port(from.front(), *circuit);
    if (!port) return {};
    if (from.size() > 1) throw UsageError("one port is driven at a time", "leave one --from; 'sfg ports' knows several ports");
    const auto asked = [&](const char* name) { return std::ranges::find(to, name) != to.end(); };
    EquationSystem system = port_equations(*circuit, *port,
                                           asked("y")   ? PortParameters::y
                                           : asked("s") ? PortParameters::s
                                                        : PortParameters::z);
    system.sources.back().name = system.inputs.front() = from.front();
    return system;
  } catch (const Error& error) {
    throw UsageError("--from " + from.front() + ": " + error.diagnostics().front().message, error.diagnostics().front().hint);
  }
}

/// The signals that --to asks for are nodes: those that are none yet are added.
void add_outputs(const Arguments& arguments, SignalFlowGraph& graph, std::span<const EquationSystem::Definition> definitions) {
  for (const std::string& text : arguments.list("to")) {
    try {
      output_signal(graph, text, definitions);
    } catch (const Error& error) {
      if (is_name(text)) continue;  // no node of that name: said where the node is asked for
      throw UsageError("--to " + text + ": " + error.diagnostics().front().message, error.diagnostics().front().hint);
    }
  }
}

std::vector<NodeId> nodes_named(const Arguments& arguments, const SignalFlowGraph& graph, const char* option) {
  std::vector<NodeId> nodes;
  for (const std::string& name : arguments.list(option)) nodes.push_back(node_named(graph, std::string("--") + option, name));
  return nodes;
}

Question question_of(const Arguments& arguments, const SignalFlowGraph& graph, NodeId from, NodeId to) {
  if (arguments.has("inject")) return {from, to, Question::Mode::inject, {}};
  if (arguments.has("ratio")) return {from, to, Question::Mode::ratio, node_named(graph, "--ratio", arguments.text("ratio"))};
  if (graph.entering(from).empty()) return {from, to, Question::Mode::source, {}};
  throw UsageError("node '" + graph[from].name + "' has entering branches: a gain from there is ambiguous",
                   "add --ratio SOURCE for the ratio of the two signals' responses to SOURCE, or --inject for the response to a "
                   "unit signal added there");
}

/// What does not fit in its dimensions: an error to check, a warning to whoever wants an answer all the same.
void note_dimensions(Task& task, const Dimensions& dimensions) {
  const Severity severity = task.arguments.verb() == "check" ? Severity::error : Severity::warning;
  for (Diagnostic conflict : dimensions.conflicts) {
    conflict.severity = severity;
    task.notes.push_back(std::move(conflict));
  }
  task.unit_of = [dimensions](const std::string& signal) { return dimensions.unit(signal); };
}

}  // namespace

GiNaC::exmap settings_of(const Arguments& arguments, SymbolTable& symbols) {
  try {
    return settings(arguments.list("set"), symbols);
  } catch (const Error& error) {
    throw UsageError(error.diagnostics().front().message, error.diagnostics().front().hint);
  }
}

/// In a report a parameter stays one that a reader can move: it starts from the value that is set.
static void keep_all(SymbolTable& symbols, GiNaC::exmap& values) {
  for (const std::string& name : symbols.names()) {
    Symbol& symbol = *symbols.find(name);
    const auto set = values.find(symbol.expr);
    if (set == values.end()) continue;
    symbol.value = set->second;
    values.erase(set);
  }
}

/// Where tolerances matter, a parameter that has one is set to another value and stays a parameter: it varies about that.
static void keep_varying(const Arguments& arguments, SymbolTable& symbols, GiNaC::exmap& values) {
  if (arguments.verb() == "report") return keep_all(symbols, values);
  if (arguments.verb() != "sens" || !searched_anew(arguments)) return;
  const std::vector<std::string> stated = arguments.list("tolerance");
  const auto varies = [&](const Symbol& symbol) {
    return symbol.tolerance || std::ranges::any_of(stated, [&](const std::string& text) {
             return text.find('=') == std::string::npos || text.starts_with(symbol.name + "=");
           });
  };
  for (const std::string& name : symbols.names()) {
    Symbol& symbol = *symbols.find(name);
    const auto set = values.find(symbol.expr);
    if (set == values.end() || !varies(symbol)) continue;
    symbol.value = set->second;
    values.erase(set);
  }
}

/// --numbers is of all but what the answer is in: the parameters of --in, --region and --interval.
static void keep_asked(const Arguments& arguments, const SymbolTable& symbols, GiNaC::exmap& values) {
  if (arguments.verb() != "routh" && arguments.verb() != "rlocus") return;
  const auto keep = [&](const std::string& name) {
    if (const Symbol* symbol = symbols.find(name)) values.erase(symbol->expr);
  };
  keep(arguments.text("in"));
  const std::string region = arguments.text("region");
  keep(region.substr(0, region.find(',')));
  if (const std::size_t comma = region.find(','); comma != std::string::npos) keep(region.substr(comma + 1));
  if (!arguments.has("kharitonov")) return;
  for (const std::string& text : arguments.list("interval")) keep(text.substr(0, text.find('=')));
}

/// A list of branches has no place for parameters: one that no gain has may be set, which is said.
static void admit_settings(Task& task, SymbolTable& symbols) {
  for (const std::string& setting : task.arguments.list("set")) {
    const std::string name = setting.substr(0, setting.find('='));
    if (!is_name(name) || symbols.find(name)) continue;
    const std::string near = nearest(name, symbols.names());
    task.notes.push_back({{},
                          "no gain has the parameter '" + name + "'",
                          near.empty() ? Remedy() : Remedy("did you mean '" + near + "'?"),
                          Severity::warning});
    symbols.symbol(name);
  }
}

Input input_of(Task& task) {
  const auto format = stated_format(task.arguments);
  task.working("reading");
  if (task.given != nullptr) return input_of(task, read(task.given->text, format.value_or(InputFormat::dot), task.given->name));
  return input_of(task, read_file(task.arguments.input(), format));
}

Input input_of(Task& task, Input input) {
  const Arguments& arguments = task.arguments;
  task.notes.insert(task.notes.end(), input.notes.begin(), input.notes.end());
  note_dimensions(task, input.dimensions);
  measure(arguments, input);
  if (arguments.has("variable")) rename_operator(input, arguments.text("variable"));
  if (arguments.has("set")) {
    if (input.format == InputFormat::csv) admit_settings(task, symbols_of(input));
    GiNaC::exmap values = settings_of(arguments, symbols_of(input));
    keep_varying(arguments, symbols_of(input), values);
    put_in(input, values);
  }
  if (arguments.has("numbers")) {
    task.decimal_typed = decimal_typed(input, symbols_of(input), task);
    GiNaC::exmap values = symbols_of(input).values();
    keep_asked(arguments, symbols_of(input), values);
    put_in(input, values);
  }
  return input;
}

namespace {

/// Whether the equilibrium, found at 0, is there for the stated values alone.
bool moves(Lagrangian model, const Budget& budget) {
  model.equilibrium->follow = true;
  const LagrangeEquations equations = lagrange_equations(model, budget);
  return std::ranges::any_of(equations.equilibrium->exact, [](const auto& entry) { return !symbol_names(entry.second).empty(); });
}

/// An equilibrium that was searched stands where the stated values put it, whatever varies a parameter afterwards.
void note_equilibrium(Task& task, const Lagrangian& model, const LagrangeEquations& equations) {
  if (!equations.equilibrium || !equations.equilibrium->found) return;
  const auto& values = equations.equilibrium->values;
  if (equations.equilibrium->follows) {
    if (std::ranges::all_of(equations.equilibrium->exact, [](const auto& entry) { return symbol_names(entry.second).empty(); }))
      return;
    if (task.arguments.has("second"))
      throw NoAnswer("the equilibrium moves with the parameters and is searched: its second derivatives are not known",
                     "state it as expressions of the parameters", model.equilibrium->where);
    task.notes.push_back({model.equilibrium->where,
                          "the equilibrium moves with the parameters: derivatives are total ones, at the stated values", "",
                          Severity::note});
    return;
  }
  const bool at_zero = std::ranges::all_of(values, [](const auto& entry) { return entry.second == 0; });
  const bool moved = searched_anew(task.arguments) || makes_movable(task.arguments);
  if (at_zero && !(moved && moves(model, task.budget))) return;
  note_fixed_point(task, model.equilibrium->where, "the equilibrium");
}

/// Derivatives at the stated values take the equilibrium along; what goes further from them does not.
Lagrangian followed_by_sensitivities(const Arguments& arguments, Lagrangian model) {
  if (!model.equilibrium || arguments.verb() != "sens") return model;
  model.equilibrium->follow = !searched_anew(arguments);
  return model;
}

/// Verbs that are about laws keep the nonlinear terms of a Lagrange model; the others do when they are asked to.
bool keeps_laws(const Arguments& arguments) {
  static const std::set<std::string> about_laws{"balance", "absolute"};
  return arguments.has("nonlinear") || arguments.has("principal") || about_laws.contains(arguments.verb()) ||
         arguments.text("as") == "reduced";
}

/// A simulation of a nonlinear model is expected to be one.
void note_linearization(Task& task, const Model& model) {
  if (task.arguments.verb() != "simulate") return;
  try {
    if (nonlinear_equations(model, task.budget).laws.empty()) return;
  } catch (const Failure&) {
    task.budget.check("the equations");
  }
  task.notes.push_back({{},
                        "the model is simulated as linearised at its equilibrium, and it is nonlinear",
                        "add --nonlinear to keep its nonlinear terms",
                        Severity::warning});
}

EquationSystem linearized_bodies(Task& task, const Multibody& model) {
  MultibodyLinearization linear = linearized(model, multibody_equations(model, {}, task.budget), task.budget);
  task.notes.insert(task.notes.end(), linear.notes.begin(), linear.notes.end());
  if (!linear.exact) note_fixed_point(task, model.equilibrium ? model.equilibrium->where : model.where, "the position");
  return std::move(linear.equations);
}

}  // namespace

EquationSystem equations_of(Task& task, const Model& model) {
  if (std::optional<EquationSystem> at_port = driven_at_port(task.arguments, model)) return *std::move(at_port);
  task.working("deriving the equations");
  if (const auto* joined = std::get_if<Joined>(&model)) return joined_equations(*joined, task.budget, &task.notes);
  if (const auto* network = std::get_if<PolarNetwork>(&model)) {
    PolarDerivation derivation = polar_derivation(*network, task.budget);
    task.notes.insert(task.notes.end(), derivation.notes.begin(), derivation.notes.end());
    return std::move(derivation.equations);
  }
  const auto* bodies = std::get_if<Multibody>(&model);
  if (bodies && !keeps_laws(task.arguments)) return linearized_bodies(task, *bodies);
  const auto* lagrangian = std::get_if<Lagrangian>(&model);
  if (!lagrangian && !bodies) return derive(model, task.budget);
  if (keeps_laws(task.arguments)) return nonlinear_equations(model, task.budget);
  note_linearization(task, model);
  const LagrangeEquations equations = lagrange_equations(followed_by_sensitivities(task.arguments, *lagrangian), task.budget);
  task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
  note_equilibrium(task, *lagrangian, equations);
  return equations.equations();
}

SignalFlowGraph graph_of(Task& task, GraphLayout layout) { return graph_of(task, input_of(task), layout); }

SignalFlowGraph graph_of(Task& task, Input input, GraphLayout layout) {
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) {
    add_outputs(task.arguments, *graph, {});
    return linearized_if_asked(task, std::move(*graph));
  }
  return graph_of(task, equations_of(task, std::get<Model>(input.content)), layout);
}

SignalFlowGraph graph_of(Task& task, const EquationSystem& equations, GraphLayout layout) {
  task.working("making the graph");
  GraphFromEquations made = from_equations(equations, {.layout = layout});
  task.notes.insert(task.notes.end(), made.assignment.notes.begin(), made.assignment.notes.end());
  add_outputs(task.arguments, made.graph, equations.definitions);
  return linearized_if_asked(task, std::move(made.graph));
}

SignalFlowGraph regular_graph_of(Task& task) { return regular_graph_of(task, input_of(task)); }

static SignalFlowGraph regular(Task& task, SignalFlowGraph graph, bool of_circuit) {
  if (!singular_with_values(graph, task.budget)) return graph;
  const char* const message = "with the stated values the equations have no unique solution";
  if (of_circuit) throw NoAnswer(message, "change a value", graph.where);
  task.notes.push_back(
      {graph.where, std::string(message) + ": the answer holds for other values", "change a value", Severity::warning});
  return graph;
}

SignalFlowGraph regular_graph_of(Task& task, Input input) {
  const Model* model = std::get_if<Model>(&input.content);
  const bool of_circuit = model && std::holds_alternative<Circuit>(*model);
  return regular(task, graph_of(task, std::move(input)), of_circuit);
}

SignalFlowGraph regular_graph_of(Task& task, const EquationSystem& equations, bool of_circuit) {
  return regular(task, graph_of(task, equations), of_circuit);
}

std::vector<NodeId> outputs_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  std::vector<NodeId> to = arguments.has("to") ? nodes_named(arguments, graph, "to") : graph.stated_outputs();
  if (to.empty()) throw UsageError("the graph has no sink to end at", "say --to NODE");
  return to;
}

std::vector<Question> questions_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  const std::vector<NodeId> from = arguments.has("from") ? nodes_named(arguments, graph, "from") : graph.stated_inputs();
  if (from.empty()) throw UsageError("the graph has no source to start from", "say --from NODE with --inject or --ratio SOURCE");
  const std::vector<NodeId> to = outputs_of(arguments, graph);
  std::vector<Question> questions;
  for (const NodeId input : from)
    for (const NodeId output : to) questions.push_back(question_of(arguments, graph, input, output));
  return questions;
}

void mark_ends(const Arguments& arguments, SignalFlowGraph& graph) {
  if (arguments.has("from")) graph.inputs = nodes_named(arguments, graph, "from");
  if (arguments.has("to")) graph.outputs = nodes_named(arguments, graph, "to");
}

void note_ends(Task& task, const SignalFlowGraph& graph, const std::string& what) {
  for (const char* option : {"from", "to"})
    if (!nodes_named(task.arguments, graph, option).empty())
      task.notes.push_back({{}, std::string("--") + option + " does not matter: " + what, "leave it out", Severity::remark});
}

void state_ends(const Arguments& arguments, SignalFlowGraph& graph) {
  if (arguments.has("ratio"))
    throw UsageError("--ratio is no response to an input", "ask for equations from a source, or add --inject");
  mark_ends(arguments, graph);
  if (arguments.has("inject")) return;
  for (const NodeId input : graph.stated_inputs())
    if (!graph.entering(input).empty())
      throw UsageError("node '" + graph[input].name + "' has entering branches and is no input by itself",
                       "add --inject: a unit signal added there is the input");
}

Form form_of(const Arguments& arguments, std::span<const Form> besides) {
  static const std::map<std::string, Form> kinds{{"json", Form::json}, {"tex", Form::page}, {"md", Form::page},
                                                 {"html", Form::page}, {"htm", Form::page}, {"toml", Form::toml},
                                                 {"dot", Form::dot},   {"gv", Form::dot},   {"graphml", Form::graphml}};
  static const std::set<std::string> never{"csv", "eps", "jpg", "m", "pdf", "png", "svg", "tikz", "xml"};
  if (arguments.has("json")) return Form::json;
  const auto writes = [&](Form form) {
    return form == Form::json || form == Form::page || std::find(besides.begin(), besides.end(), form) != besides.end();
  };
  const std::string extension = extension_of(arguments.text("output"));
  const auto kind = kinds.find(extension);
  if (kind == kinds.end() && !never.contains(extension)) return Form::page;
  if (kind != kinds.end() && writes(kind->second)) return kind->second;
  std::string names;
  for (const auto& [name, form] : kinds)
    if (writes(form) && name != "htm") names += (names.empty() ? "." : ", .") + name;
  throw UsageError("nothing is written as '" + arguments.text("output") + "'", "end the name in " + names + " or .txt");
}

}  // namespace sfg::command
