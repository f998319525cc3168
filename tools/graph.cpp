#include <map>

#include "sfg/write/dot.hpp"
#include "sfg/write/graph.hpp"
#include "tools/load.hpp"
#include "tools/output.hpp"

namespace sfg::command {

namespace {

using Writer = void (*)(std::ostream&, const SignalFlowGraph&);

const std::map<std::string, Writer>& writers() {
  static const std::map<std::string, Writer> table{
      {"dot", write_dot}, {"gv", write_dot}, {"graphml", write_graphml}, {"json", write_json}, {"toml", write_toml}};
  return table;
}

std::string format_of(const Arguments& arguments) {
  if (arguments.has("as")) return arguments.text("as");
  if (arguments.has("json")) return "json";
  const std::string extension = extension_of(arguments.text("output"));
  if (extension.empty()) return "dot";
  if (!writers().contains(extension))
    throw UsageError("a graph is not written as '" + arguments.text("output") + "'",
                     "end the name in .dot, .json, .graphml or .toml, or add --as; 'sfg draw' makes pictures");
  return extension;
}

int run(Task& task) {
  const std::string format = format_of(task.arguments);
  const bool merged = task.arguments.text("layout") == "merged";
  writers().at(format)(task.out, graph_of(task, merged ? GraphLayout::merged : GraphLayout::two_node));
  return 0;
}

}  // namespace

Verb graph() {
  using Kind = Option::Kind;
  return {.name = "graph",
          .summary = "the signal-flow graph of any input as DOT, JSON, GraphML or TOML",
          .details =
              "A model is derived first: each equation is solved for its own coordinate. DOT, JSON and TOML are read back by "
              "every verb; GraphML is for graph tools.",
          .options = {{"--as",
                       "FORMAT",
                       "format of the result (default: by the extension of -o, else dot)",
                       Kind::choice,
                       {"dot", "json", "graphml", "toml"}},
                      {"--layout",
                       "LAYOUT",
                       "of a model's graph: two-node (summing nodes apart, branches 1/d_ii) or merged (branches -d_ij/d_ii)",
                       Kind::choice,
                       {"two-node", "merged"}}},
          .examples = {"sfg graph examples/vehicle.toml -o vehicle.dot",
                       "sfg graph examples/vehicle.toml --layout merged --numbers", "sfg graph vehicle.dot -o vehicle.graphml"},
          .run = run};
}

}  // namespace sfg::command
