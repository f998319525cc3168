#include "tools/frame/load.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sfg/expr/parse.hpp"
#include "sfg/read/signal_names.hpp"
#include "tools/frame/decimals.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/operating_point.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

NodeId node_named(const SignalFlowGraph& graph, const std::string& option, const std::string& name) {
  if (const auto node = graph.find(name)) return *node;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(node.name);
  const std::string near = nearest(name, names);
  throw UsageError(option + " " + name + ": the graph has no node of that name",
                   near.empty() ? "'sfg graph' lists the nodes" : "did you mean '" + near + "'?");
}

std::vector<Option> loop_options() {
  return {
      {"--break", "WHERE",
       "of a loop opened there: at a branch FROM,TO; at a node's only entering or leaving branch; at a controlled source of a "
       "circuit"},
      {"--of",
       "WORD",
       "what of that loop: L (default), the sensitivity 1/(1 + L), or the complementary L/(1 + L)",
       Option::Kind::choice,
       {"loop", "sensitivity", "complementary"}}};
}

std::optional<LoopTerms> loop_of(const Arguments& arguments) {
  if (!arguments.has("break")) {
    refuse_any(arguments, {"of", "others-open"}, " is of the loop that --break opens, and none is opened",
               "add --break FROM,TO, or leave it out");
    return {};
  }
  LoopTerms loop{arguments.list("break").front(), loop_answer(arguments.text("of", "loop"))};
  const bool of_measures = arguments.parameters() == Parameters::differentiated ||
                           arguments.parameters() == Parameters::sampled || arguments.parameters() == Parameters::tuned;
  if (arguments.has("asymptotic") || (of_measures && !arguments.has("of")))
    loop.of.reset();
  else
    refuse_any(arguments, {"from", "to", "ratio", "inject"}, " has no place beside --break, which says what the answer is of");
  return loop;
}

Option ratio_option() {
  return {
      "--ratio-of", "OUT/IN,OUT2/IN2",
      "the first transfer function divided by the second, of which IN2 is enough where the output is the same; the second alone: "
      "what that of --from and --to is divided by"};
}

namespace {

/// The ratio that is asked about; its words say what the answer is of.
std::optional<RatioTerms> ratio_of(const Arguments& arguments) {
  if (!arguments.has("ratio-of")) return {};
  refuse_any(arguments, {"break", "ratio", "inject", "nonlinear"},
             " has no place beside --ratio-of, which is of transfer functions", "leave one of the two out");
  for (const char* option : {"from", "to"})
    if (arguments.list(option).size() > 1)
      throw UsageError("--ratio-of divides one transfer function by another one", std::string("give one --") + option);
  return RatioTerms{arguments.text("ratio-of"), arguments.text("from"), arguments.text("to")};
}

/// A ratio has both its ends.
bool names_ends(const Arguments& arguments, const char* option) { return arguments.has(option) && !arguments.has("ratio-of"); }

}  // namespace

std::optional<InputFormat> stated_format(const Arguments& arguments) {
  if (const auto format = format_named(arguments.text("format"))) return format;
  if (arguments.input() == "-") {
    if (const auto format = format_by_text(text_of_input("-"))) return format;
    throw UsageError("standard input has no name to tell its format, and its beginning does not",
                     "add --format " + listed_format_names());
  }
  return {};
}

namespace {

std::vector<NodeId> nodes_named(const Arguments& arguments, const SignalFlowGraph& graph, const char* option) {
  std::vector<NodeId> nodes;
  if (!names_ends(arguments, option)) return nodes;
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

/// In a report a parameter stays one that a reader can move, and where tolerances matter it varies, as what is searched does: it
/// starts from what is set.
bool starts_at_setting(const Arguments& arguments, const Symbol& symbol) {
  if (arguments.parameters() == Parameters::moved) return true;
  if (arguments.parameters() == Parameters::tuned)
    return std::ranges::any_of(arguments.list("vary"), [&](const std::string& text) {
      return text == symbol.name || text.starts_with(symbol.name + "=");
    });
  if (arguments.parameters() != Parameters::sampled) return false;
  return symbol.tolerance || std::ranges::any_of(arguments.list("tolerance"), [&](const std::string& text) {
           return text.find('=') == std::string::npos || text.starts_with(symbol.name + "=");
         });
}

/// Verbs that are about laws keep the nonlinear terms of a Lagrange model; the others do when they are asked to.
NonlinearTerms nonlinear_terms(const Arguments& arguments) {
  const bool kept = arguments.keeps_laws() || arguments.has("nonlinear") || arguments.has("principal") ||
                    arguments.has("at-time") || arguments.text("as") == "reduced";
  return kept ? NonlinearTerms::kept : NonlinearTerms::linearized;
}

/// Derivatives at the stated values take an equilibrium along; what goes further from them does not.
Rest rest_of(const Arguments& arguments) {
  switch (arguments.parameters()) {
    case Parameters::stated:
    case Parameters::ranged: return Rest::stays;
    case Parameters::differentiated: return Rest::follows;
    default: return Rest::moves;
  }
}

/// A point that was searched stands where the stated values put it, whatever varies a parameter afterwards.
void note_searched(Task& task, const ModelEquations::Point& point) {
  if (!point.follows) return note_fixed_point(task, point.where, point.what);
  if (task.arguments.has("second"))
    throw NoAnswer("the equilibrium moves with the parameters and is searched: its second derivatives are not known",
                   "state it as expressions of the parameters", point.where);
  task.notes.push_back({point.where,
                        "the equilibrium moves with the parameters: derivatives are total ones, at the stated values", "",
                        Severity::note});
}

void refuse_term(SubjectTerms::Kind kind, const std::string& text, const Error& error) {
  static const std::map<SubjectTerms::Kind, std::string> options{
      {SubjectTerms::Kind::op, "--variable "},    {SubjectTerms::Kind::port, "--from "},
      {SubjectTerms::Kind::signal, "--to "},      {SubjectTerms::Kind::input, "--from "},
      {SubjectTerms::Kind::ratio, "--ratio-of "}, {SubjectTerms::Kind::loop, "--break "}};
  if (kind == SubjectTerms::Kind::loop && error.where().line > 0) return;  // it is there, and cannot be opened
  if (kind == SubjectTerms::Kind::ratio && (error.where().line > 0 || dynamic_cast<const NoAnswer*>(&error))) return;
  const auto option = options.find(kind);
  throw UsageError((option == options.end() ? "" : option->second + text + ": ") + error.diagnostics().front().message,
                   error.diagnostics().front().hint);
}

/// Words that are asked for when equations are derived or a graph is made, and not before.
void read_words(const Arguments& arguments, const Subject& subject) {
  arguments.has("to");
  if (subject.model()) arguments.has("from");
  if ((subject.energies() || subject.bodies()) && subject.terms().nonlinear != NonlinearTerms::kept_if_any)
    nonlinear_terms(arguments);
}

std::vector<std::string> drives_of(const Arguments& arguments) {
  std::vector<std::string> drives;
  for (const char* option : {"input", "initial"})
    for (const std::string& text : arguments.list(option))
      drives.push_back(text.substr(std::min(text.find('=') + 1, text.size())));
  return drives;
}

SubjectTerms terms_of(Task& task) {
  const Arguments arguments = task.arguments.unread_copy();
  for (const char* option : {"set", "variable", "numbers"}) task.arguments.has(option);
  SubjectTerms terms{.settings = arguments.list("set"),
                     .starts = [&task](const Symbol& symbol) { return starts_at_setting(task.arguments, symbol); },
                     .drives = drives_of(arguments),
                     .op = arguments.text("variable"),
                     .signals = arguments.list("to"),
                     .loop = loop_of(task.arguments),
                     .inputs = arguments.list("from"),
                     .ratio = ratio_of(task.arguments),
                     .nonlinear = nonlinear_terms(arguments),
                     .rest = rest_of(arguments)};
  if (!terms.op.empty() && !is_name(terms.op))
    throw UsageError("word '" + terms.op + "' is no name of an operator", "write --variable s, p or z");
  for (std::string& setting : temperature_setting(task)) terms.settings.push_back(std::move(setting));
  terms.port = arguments.text("from");
  terms.linearized = [&task](SignalFlowGraph graph, const Subject& subject) {
    read_words(task.arguments, subject);
    if (subject.at_port() && task.arguments.list("from").size() > 1)
      throw UsageError("one port is driven at a time", "leave one --from; 'sfg ports' knows several ports");
    std::vector<Diagnostic> unsaid;
    Task silent{task.arguments, task.budget, task.out, unsaid, [](const char*) {}};
    return linearized_if_asked(subject.is_quiet() ? silent : task, std::move(graph), subject);
  };
  terms.heard = [&task](const Diagnostic& note) { task.notes.push_back(note); };
  terms.working = [&task](const char* work, const Subject& subject) {
    read_words(task.arguments, subject);
    task.working(work);
  };
  terms.searched = [&task](const ModelEquations::Point& point) { note_searched(task, point); };
  terms.wrong = refuse_term;
  return terms;
}

/// --numbers is of all but what the answer is in: the parameters of --in, --region, --interval and --sweep.
std::set<std::string> asked_parameters(const Arguments& arguments) {
  const std::string region = arguments.text("region");
  const std::size_t comma = region.find(',');
  std::set<std::string> asked{arguments.text("in"), region.substr(0, comma)};
  if (comma != std::string::npos) asked.insert(region.substr(comma + 1));
  for (const std::string& text : arguments.list("sweep")) asked.insert(text.substr(0, text.find('=')));
  if (arguments.has("kharitonov"))
    for (const std::string& text : arguments.list("interval")) asked.insert(text.substr(0, text.find('=')));
  return asked;
}

}  // namespace

Subject subject_of(Task& task, Severity conflicts) {
  const auto format = stated_format(task.arguments);
  task.working("reading");
  if (task.given != nullptr)
    return subject_of(task, read_given(task.arguments, task.given->text, format.value_or(InputFormat::dot), task.given->name),
                      conflicts);
  const std::string& file = task.arguments.input();
  return subject_of(task, read_text(task.arguments, text_of_input(file), file, format), conflicts);
}

Subject subject_of(Task& task, Input input, Severity conflicts) {
  NamesInUse::add(names_of(input));
  task.unit_of = [dimensions = input.dimensions](const std::string& signal) { return dimensions.unit(signal); };
  SubjectTerms terms = terms_of(task);
  terms.conflicts = conflicts;
  Subject subject(std::move(input), std::move(terms), task.budget);
  if (!task.arguments.has("numbers")) return subject;
  task.decimal_typed = decimal_typed(subject.input(), subject.symbols(), task);
  subject.put_in_numbers(asked_parameters(task.arguments));
  return subject;
}

SignalFlowGraph graph_of(Task& task, GraphLayout layout) { return subject_of(task).graph(layout); }

SignalFlowGraph regular_graph_of(Task& task) { return subject_of(task).regular_graph(); }

std::vector<NodeId> outputs_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  std::vector<NodeId> to = names_ends(arguments, "to") ? nodes_named(arguments, graph, "to") : graph.stated_outputs();
  if (to.empty()) throw UsageError("the graph has no sink to end at", "say --to NODE");
  return to;
}

std::vector<Question> questions_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  const std::vector<NodeId> from = names_ends(arguments, "from") ? nodes_named(arguments, graph, "from") : graph.stated_inputs();
  if (from.empty()) throw UsageError("the graph has no source to start from", "say --from NODE with --inject or --ratio SOURCE");
  const std::vector<NodeId> to = outputs_of(arguments, graph);
  std::vector<Question> questions;
  for (const NodeId input : from)
    for (const NodeId output : to) questions.push_back(question_of(arguments, graph, input, output));
  return questions;
}

void mark_ends(const Arguments& arguments, SignalFlowGraph& graph) {
  if (names_ends(arguments, "from")) graph.inputs = nodes_named(arguments, graph, "from");
  if (names_ends(arguments, "to")) graph.outputs = nodes_named(arguments, graph, "to");
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
