#include <map>

#include "sfg/graph/realization.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/dot/dot_edit.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/graph.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/picture_places.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

using Writer = void (*)(std::ostream&, const SignalFlowGraph&);

const std::map<std::string, Writer>& writers() {
  static const std::map<std::string, Writer> table{{"dot", write_dot},           {"gv", write_dot},
                                                   {"graphml", write_graphml},   {"json", sfg::write_json},
                                                   {"sfg", write_typed_diagram}, {"toml", write_toml}};
  return table;
}

std::string format_of(const Arguments& arguments) {
  if (arguments.has("type")) return arguments.text("type");
  if (arguments.has("json")) return "json";
  const std::string extension = extension_of(arguments.text("output"));
  if (extension.empty()) return "dot";
  if (!writers().contains(extension))
    throw UsageError("a graph is not written as '" + arguments.text("output") + "'",
                     "end the name in .dot, .json, .graphml, .toml or .sfg, or add --type; 'sfg draw' makes pictures");
  return extension;
}

const std::map<std::string, Realization>& realizations() {
  static const std::map<std::string, Realization> table{{"controllable", Realization::controllable},
                                                        {"observable", Realization::observable},
                                                        {"parallel", Realization::parallel},
                                                        {"cascade", Realization::cascade}};
  return table;
}

/// A graph of the form asked for that has the transfer function.
SignalFlowGraph realized(Task& task, const SignalFlowGraph& graph) {
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  if (questions.size() != 1)
    throw UsageError("a realization has one transfer function, and here are " + std::to_string(questions.size()) +
                         " pairs of input and output",
                     "say which with --from and --to");
  task.working("finding the transfer function");
  const TransferFunction found =
      transfer_function(graph, questions.front(), {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
  RationalTransfer transfer = rational_transfer(found.value.expression(), graph.op, graph.symbols);
  transfer.title = graph.title;
  transfer.input = graph[found.question.input].name;
  transfer.output = graph[found.question.output].name;
  transfer.where = graph.where;
  return realization(transfer, realizations().at(task.arguments.text("realization")));
}

/// The text of a DOT file with the changes of --edit, one after the other; what does not read as a graph is not written.
int run_edits(Task& task, const std::string& format) {
  const Arguments& arguments = task.arguments;
  const bool of_dot = stated_format(arguments).value_or(
                          arguments.input() == "-" ? InputFormat::dot : sfg::format_of(arguments.input())) == InputFormat::dot;
  if (!of_dot || format != "dot")
    throw UsageError("--edit changes the text of a DOT file",
                     of_dot ? "write it to a name that ends in .dot" : "write the graph as DOT first: sfg graph INPUT -o x.dot");
  const std::string file = arguments.input() == "-" ? "<stdin>" : arguments.input();
  std::string text = task.given ? task.given->text : text_of_input(arguments.input());
  read_dot(text, file);
  for (const std::string& words : arguments.list("edit")) {
    const SourceText source(text, file);
    text = edited_dot(source, read_graph_edit(words, source));
  }
  read_dot(text, file, &task.notes);
  task.out << text;
  return 0;
}

int run_graph(Task& task) {
  const std::string format = format_of(task.arguments);
  if (task.arguments.has("json") && format != "json")
    throw UsageError("--json and --type " + format + " exclude each other", "give one of them");
  if (task.arguments.has("edit")) return run_edits(task, format);
  if (!task.arguments.has("realization"))
    refuse_any(task.arguments, {"ratio", "inject"}, " is of the transfer function of --realization");
  const bool merged = task.arguments.text("layout") == "merged";
  const GraphLayout layout = merged ? GraphLayout::merged : GraphLayout::two_node;
  Subject subject = subject_of(task);
  if (task.arguments.has("layout") && !subject.model())
    throw UsageError("--layout is of the graph of a model, and the input is a graph",
                     "leave it out; 'sfg reduce --merge' merges branches");
  SignalFlowGraph graph = subject.graph(layout);
  if (task.arguments.has("realization"))
    graph = realized(task, graph);
  else
    mark_ends(task.arguments, graph);
  if (format == "sfg" && loses_as_typed_diagram(graph))
    task.notes.push_back({{}, "attributes of the graph, of nodes or of branches have no place in a typed block diagram", "write .dot, .json or .toml to keep them", Severity::warning});
  if (task.arguments.has("positions")) {
    if (format != "dot" && format != "gv")
      throw UsageError("--positions is of DOT, and the graph is written as " + format, "add -o graph.dot, or leave it out");
    graph = positioned(task, graph, {.parts = Parts::all, .budget = task.budget});
  }
  writers().at(format)(task.out, graph);
  return 0;
}

}  // namespace

Verb graph() {
  using Kind = Option::Kind;
  return {
      .name = "graph",
      .summary = "the signal-flow graph of any input as DOT, JSON, GraphML, TOML or a typed block diagram",
      .details =
          "A model is derived first: each equation is solved for its own coordinate. DOT, JSON and TOML are read back by "
          "every verb; GraphML is for graph tools.",
      .options = {formerly("--as", {"--type",
                                    "FORMAT",
                                    "format of the result (default: by the extension of -o, else dot)",
                                    Kind::choice,
                                    {"dot", "json", "graphml", "toml", "sfg"}}),
                  {"--layout",
                   "LAYOUT",
                   "of a model's graph: two-node (summing nodes apart, branches 1/d_ii) or merged (branches -d_ij/d_ii)",
                   Kind::choice,
                   {"two-node", "merged"}},
                  {"--realization",
                   "FORM",
                   "a graph of integrators that has the transfer function from --from to --to: controllable, observable (chains "
                   "of integrators), parallel (partial fractions) or cascade (one factor behind the other)",
                   Kind::choice,
                   {"controllable", "observable", "parallel", "cascade"}},
                  {.name = "--edit",
                   .value = "EDIT",
                   .text =
                       "of a DOT file: its text with one thing changed, all else and every comment as it stands: place NODE X,Y, "
                       "node NODE, branch FROM -> TO = GAIN, gain FROM -> TO = GAIN, delete NODE, delete FROM -> TO; a "
                       "branch among several by its number as --json counts (gain 3 = K, delete branch 3); repeatable",
                   .repeatable = true},
                  positions_option(),
                  loop_options().front(),
                  loop_options().back()},
      .examples = {"sfg graph examples/vehicle.toml -o vehicle.dot", "sfg graph examples/vehicle.toml --layout merged --numbers",
                   "sfg graph vehicle.dot -o vehicle.graphml",
                   "sfg graph loop.dot --edit 'gain e -> y = K/(T*s + 1)' --edit 'delete z' -o loop.dot",
                   "sfg graph examples/servo.dot --from ref --to theta --realization observable"},
      .run = run_graph};
}

}  // namespace sfg::command
