// discretize: from s to z.
#include "sfg/response/discretize.hpp"

#include <map>
#include <sstream>

#include "sfg/write/discretize.hpp"
#include "sfg/write/dot.hpp"
#include "sfg/write/graph.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

using Writer = void (*)(std::ostream&, const SignalFlowGraph&);

/// The writer of a graph, where -o asks for one.
Writer graph_writer(const Arguments& arguments) {
  const std::string extension = arguments.has("json") ? "json" : extension_of(arguments.text("output"));
  if (extension == "dot" || extension == "gv") return write_dot;
  if (extension == "toml") return write_toml;
  if (extension.empty() || extension == "txt" || extension == "json" || is_page(extension)) return nullptr;
  throw UsageError("nothing is written as '" + arguments.text("output") + "'",
                   "end the name in .dot, .toml, .tex, .md, .html, .json or .txt");
}

struct Method {
  Discretization rule;
  std::string name;
};

int run(Task& task) {
  static const std::map<std::string, Method> methods{{"zoh", {Discretization::zero_order_hold, "zero-order hold"}},
                                                     {"tustin", {Discretization::tustin, "Tustin's rule"}},
                                                     {"matched", {Discretization::matched, "matched poles and zeros"}}};
  const Writer writer = graph_writer(task.arguments);
  const Method& method = methods.at(task.arguments.text("method", "zoh"));
  const SignalFlowGraph graph = graph_of(task);
  if (!task.arguments.has("sample-time") && !graph.op.sample_time())
    throw UsageError("a sampled system needs its sample time", "add --sample-time 0.1, say");
  const exact::Rational h = task.arguments.has("sample-time")
                                ? positive_value_of("--sample-time", task.arguments.text("sample-time"))
                                : *graph.op.sample_time();
  std::vector<ExactTransfer> transfers = approximated(task, transfers_of(task, graph));
  for (ExactTransfer& transfer : transfers) transfer = discretized(transfer, h, method.rule);
  if (writer)
    writer(task.out, sampled_graph(transfers, h));
  else if (task.arguments.has("json") || extension_of(task.arguments.text("output")) == "json")
    write_json(task.out, transfers, h, method.name);
  else
    show(task, page(transfers, h, method.name));
  return 0;
}

}  // namespace

Verb discretize() {
  return {
      .name = "discretize",
      .summary = "the transfer function in z of a sampled system",
      .details =
          "zoh: the input is held between the samples; tustin: s = 2/H (z - 1)/(z + 1), exact; matched: poles and zeros by "
          "z = exp(s*H). With -o FILE.dot or .toml a graph in z that every verb reads.",
      .options = {{"--method", "METHOD", "zoh (default), tustin or matched", Option::Kind::choice, {"zoh", "tustin", "matched"}},
                  {"--sample-time", "H", "sample time, s (default: what the file states)"},
                  pade_option(),
                  notation_option(),
                  width_option()},
      .examples = {"sfg discretize plant.dot --sample-time 0.1",
                   "sfg discretize plant.dot --sample-time 0.1 --method tustin -o d.dot"},
      .run = run};
}

}  // namespace sfg::command
