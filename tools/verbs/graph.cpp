#include <map>

#include "sfg/graph/realization.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/dot.hpp"
#include "sfg/write/graph.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/picture_places.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

using Writer = void (*)(std::ostream&, const SignalFlowGraph&);

const std::map<std::string, Writer>& writers() {
  static const std::map<std::string, Writer> table{
      {"dot", write_dot}, {"gv", write_dot}, {"graphml", write_graphml}, {"json", write_json}, {"toml", write_toml}};
  return table;
}

std::string format_of(const Arguments& arguments) {
  if (arguments.has("type")) return arguments.text("type");
  if (arguments.has("json")) return "json";
  const std::string extension = extension_of(arguments.text("output"));
  if (extension.empty()) return "dot";
  if (!writers().contains(extension))
    throw UsageError("a graph is not written as '" + arguments.text("output") + "'",
                     "end the name in .dot, .json, .graphml or .toml, or add --type; 'sfg draw' makes pictures");
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

int run_graph(Task& task) {
  const std::string format = format_of(task.arguments);
  if (task.arguments.has("json") && format != "json")
    throw UsageError("--json and --type " + format + " exclude each other", "give one of them");
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
      .summary = "the signal-flow graph of any input as DOT, JSON, GraphML or TOML",
      .details =
          "A model is derived first: each equation is solved for its own coordinate. DOT, JSON and TOML are read back by "
          "every verb; GraphML is for graph tools.",
      .options = {formerly("--as", {"--type",
                                    "FORMAT",
                                    "format of the result (default: by the extension of -o, else dot)",
                                    Kind::choice,
                                    {"dot", "json", "graphml", "toml"}}),
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
                  positions_option(),
                  loop_options().front(),
                  loop_options().back()},
      .examples = {"sfg graph examples/vehicle.toml -o vehicle.dot", "sfg graph examples/vehicle.toml --layout merged --numbers",
                   "sfg graph vehicle.dot -o vehicle.graphml",
                   "sfg graph examples/servo.dot --from ref --to theta --realization observable"},
      .run = run_graph};
}

}  // namespace sfg::command
