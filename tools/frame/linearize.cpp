#include "tools/frame/linearize.hpp"

#include <algorithm>
#include <map>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/rest/summed_signals.hpp"
#include "tools/frame/linearize_in_time.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

/// Whether what is made goes on with parameters that others move: a page, a program.
bool goes_on(Parameters parameters) { return parameters == Parameters::moved || parameters == Parameters::kept; }

/// How a note ends that a file is to say, too.
constexpr const char* when_moved = " when a parameter is moved in the file";

exact::Rational number_of(const std::string& option, const std::string& word, const std::string& text, SymbolTable symbols) {
  const std::string quoted = "option '" + option + " " + word + "'";
  const auto value =
      as_usage(quoted, [&] { return rational_value(substituted(parse_value(text, symbols, {}), symbols.values(), {})); });
  if (!value) throw UsageError(quoted + ": that is no number", "write a number: 0.1 or 1/3");
  return *value;
}

/// What --at says: constants at sources, and values of other signals.
struct Stated {
  std::map<NodeId, double> inputs;
  LinearizationPoint signals;
};

Stated stated_point(const Arguments& arguments, const SignalFlowGraph& graph) {
  Stated stated;
  for (const std::string& word : arguments.list("at")) {
    const auto [name, text] = named_text("--at", word, "NAME=VALUE");
    const exact::Rational value = number_of("--at", word, text, graph.symbols);
    const auto node = graph.find(name);
    if (node && graph.entering(*node).empty()) stated.inputs[*node] = value.to_double();
    if (!node && !name.starts_with("D")) node_named(graph, "--at", name);
    stated.signals[name] = value;
  }
  stated.signals = with_sums(graph, std::move(stated.signals));
  return stated;
}

/// Whether every signal that a law depends on is stated.
bool complete(const SignalFlowGraph& graph, const LinearizationPoint& point) {
  const PrincipalForm form = principal_form(graph);
  return std::ranges::all_of(form.arguments,
                             [&](const auto& argument) { return argument.rate || point.contains(argument.signal); });
}

/// "Vg = 12, Vd = 0.4": what the sources are.
std::string constants_of(const SignalFlowGraph& graph, const Stated& stated) {
  std::map<NodeId, double> all = stated.inputs;
  for (const auto& [source, rest] : rest_inputs(graph)) all.try_emplace(source, rest.value.to_double());
  std::string text;
  for (const auto& [source, value] : all)
    text += (text.empty() ? " with " : ", ") + graph[source].name + " = " + exact::decimal(exact::Rational::of(value), 6);
  return text;
}

LinearizationPoint found_point(Task& task, const SignalFlowGraph& graph, const Stated& stated) {
  task.working("searching the operating point");
  std::set<NodeId> known;
  for (const auto& [source, value] : stated.inputs) known.insert(source);
  Trim trim = trim_of(task.arguments, graph);
  known.insert(trim.freed.begin(), trim.freed.end());
  note_unstated_inputs(task, graph, known, "--at");
  const OperatingPoints found = operating_points(graph, {.inputs = stated.inputs,
                                                         .box = boxes_of(task.arguments, graph),
                                                         .outputs = {},
                                                         .wanted = std::move(trim.wanted),
                                                         .freed = std::move(trim.freed),
                                                         .sensitivities = false,
                                                         .budget = task.budget});
  if (found.points.empty())
    throw NoAnswer(std::string("there is no operating point") + (!found.complete     ? " that could be found"
                                                                 : found.box.empty() ? ""
                                                                                     : " in the box that was searched"),
                   "change the constants of the inputs (--at NAME=VALUE), or say where to look: --box SIGNAL=LO:HI", graph.where);
  if (found.points.size() > 1) {
    std::string all;
    for (const auto& point : found.points) all += (all.empty() ? "" : "; ") + described(point, found.shown());
    throw NoAnswer("there are " + std::to_string(found.points.size()) + " operating points: " + all,
                   "choose one by --box SIGNAL=LO:HI, or state it by --at SIGNAL=VALUE", graph.where);
  }
  const auto& point = found.points.front();
  if (!point.set.empty())
    throw NoAnswer("the states of rest fill a set: " + described(point, found.shown()), "choose one by --at SIGNAL=VALUE",
                   graph.where);
  task.notes.push_back({{},
                        "linearised at " + described(point, found.shown()) + constants_of(graph, stated) +
                            (!found.complete ? ""
                                             : std::string(", the only state of rest") +
                                                   (found.box.empty() ? "" : " in the box that was searched")),
                        "--at and --box choose another",
                        Severity::remark});
  note_fixed_point(task, graph.where, "the operating point");
  LinearizationPoint result = linearization_point(point);
  for (const auto& [name, value] : stated.signals) result.insert_or_assign(name, value);
  return with_sums(graph, std::move(result), stated.signals);
}

}  // namespace

void note_unstated_inputs(Task& task, const SignalFlowGraph& graph, const std::set<NodeId>& stated, const char* option,
                          const std::string& what, Severity severity) {
  const auto rest = rest_inputs(graph);
  std::string names;
  for (const NodeId input : graph.stated_inputs())
    if (graph.entering(input).empty() && !graph.leaving(input).empty() && !stated.contains(input) && !rest.contains(input))
      names += (names.empty() ? "'" : ", '") + graph[input].name + "'";
  if (names.empty()) return;
  task.notes.push_back({{},
                        "nothing states " + what + " " + names + ": 0 is taken",
                        std::string("state it by ") + option + " NAME=VALUE, or in the model",
                        severity});
}

std::vector<std::string> fixed_points(const Task& task) {
  std::vector<std::string> said;
  for (const Diagnostic& note : task.notes)
    if (note.message.ends_with(when_moved)) said.push_back(note.message);
  return said;
}

void note_fixed_point(Task& task, const SourceSpan& where, const char* what) {
  const Parameters parameters = task.arguments.parameters();
  if (goes_on(parameters))
    task.notes.push_back({where, std::string(what) + " was searched: it stays that of the stated values" + when_moved,
                          "state it as expressions of the parameters, or make the file again with --set", Severity::warning});
  if (parameters != Parameters::ranged && parameters != Parameters::differentiated) return;
  task.notes.push_back(
      {where, std::string(what) + " was searched with the stated values and does not move when a parameter is varied here",
       "state it as expressions of the parameters, or compare with --set, which searches again", Severity::warning});
}

std::string described(const OperatingPoints::Point& point, const std::vector<std::string>& signals) {
  std::string text;
  const auto number = [](double value) { return exact::decimal(exact::Rational::of(value), 6); };
  for (const std::string& signal : signals) {
    const auto range = point.set.find(signal);
    text += (text.empty() ? "" : ", ") + signal +
            (range == point.set.end() ? " = " + number(point.signals.at(signal))
                                      : " from " + number(range->second.first) + " to " + number(range->second.second));
  }
  return text;
}

Trim trim_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  Trim trim;
  for (const std::string& word : arguments.list("want")) {
    const auto [name, text] = named_text("--want", word, "SIGNAL=VALUE");
    const NodeId signal = node_named(graph, "--want", name);
    trim.wanted.emplace_back(signal, number_of("--want", word, text, graph.symbols).to_double());
  }
  for (const std::string& name : arguments.list("free")) {
    const NodeId input = node_named(graph, "--free", name);
    if (!graph.entering(input).empty())
      throw UsageError("option '--free " + name + "': '" + name + "' has entering branches, so that it is no input",
                       "free a source of the graph");
    if (std::ranges::find(trim.freed, input) != trim.freed.end())
      throw UsageError("option '--free " + name + "': '" + name + "' is freed twice", "leave one out");
    if (std::ranges::any_of(trim.wanted, [&](const auto& known) { return known.first == input; }))
      throw UsageError("option '--free " + name + "': '" + name + "' is wanted, too", "state its value by --input");
    trim.freed.push_back(input);
  }
  if (trim.wanted.size() != trim.freed.size())
    throw UsageError("--want and --free: " + std::to_string(trim.wanted.size()) + " wanted and " +
                         std::to_string(trim.freed.size()) + " freed",
                     "free as many inputs as signals have wanted values");
  return trim;
}

std::map<std::string, std::pair<double, double>> boxes_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  std::map<std::string, std::pair<double, double>> boxes;
  for (const std::string& word : arguments.list("box")) {
    const auto [name, text] = named_text("--box", word, "SIGNAL=LO:HI");
    node_named(graph, "--box", name);
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) throw UsageError("option '--box " + word + "' is no range", "write --box " + name + "=LO:HI");
    const double low = number_of("--box", word, text.substr(0, colon), graph.symbols).to_double();
    const double high = number_of("--box", word, text.substr(colon + 1), graph.symbols).to_double();
    if (!(low < high)) throw UsageError("option '--box " + word + "': the range is empty", "write the smaller end first");
    boxes[name] = {low, high};
  }
  return boxes;
}

SubjectTerms::Linearized linearized_if_asked(Task& task, SignalFlowGraph graph, const Subject& subject) {
  const Arguments& arguments = task.arguments;
  if (!arguments.has("linearize")) {
    const bool of_laws = arguments.keeps_laws() || arguments.has("phase");
    for (const char* option : {"at", "box", "want", "free", "at-time"})
      if ((!of_laws || std::string_view(option) == "at-time") && arguments.has(option))
        throw UsageError(std::string("--") + option + " is of the operating point", "add --linearize, or leave it out");
    return {std::move(graph)};
  }
  if (graph.linear()) {
    task.notes.push_back({{}, "--linearize does not matter: the graph is linear", "leave it out", Severity::remark});
    return {std::move(graph)};
  }
  if (arguments.has("at-time")) return linearized_in_time(task, graph, subject);
  const Stated stated = stated_point(arguments, graph);
  const bool trimmed = arguments.has("want") || arguments.has("free");
  const bool stays = !trimmed && complete(graph, stated.signals);
  if (stays && goes_on(arguments.parameters()))
    task.notes.push_back(
        {graph.where, std::string("the operating point stays as --at states it") + when_moved, "", Severity::remark});
  const LinearizationPoint point = stays ? stated.signals : found_point(task, graph, stated);
  return {linearized(graph, point), point, !stays};
}

}  // namespace sfg::command
