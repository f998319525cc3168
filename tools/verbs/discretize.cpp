// discretize: from s to z.
#include "sfg/response/discretize.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/response/sampled_formula.hpp"
#include "sfg/transfer/transfer.hpp"
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

/// The number that --sample-time or the file states, or a name: that of a parameter, or of a new one.
GiNaC::ex sample_time_of(const Arguments& arguments, SignalFlowGraph& graph) {
  if (!arguments.has("sample-time")) {
    if (graph.op.sample_time()) return numeric_value(*graph.op.sample_time());
    throw UsageError("a sampled system needs its sample time", "add --sample-time 0.1, say");
  }
  const std::string word = arguments.text("sample-time"), name = word.substr(0, word.find('='));
  if (!is_name(name)) return numeric_value(positive_value_of("--sample-time", word));
  if (name == graph.op.symbol() || name == "z")
    throw UsageError("option '--sample-time " + word + "': '" + name + "' is the operator", "write --sample-time T, say");
  const GiNaC::ex symbol = graph.symbols.symbol(name);
  if (name == word) return symbol;
  if (graph.symbols.at(name).value)
    throw UsageError("option '--sample-time " + word + "': the model states " + name,
                     "write --sample-time " + name + " and --set " + word);
  graph.symbols.find(name)->value = numeric_value(positive_value_of("--sample-time", word.substr(name.size() + 1)));
  return symbol;
}

bool has_symbols(const TransferFunction& transfer, const std::string& op) {
  const PolynomialSpace& space = transfer.value.space();
  for (std::size_t i = 0; i < space.size(); ++i)
    for (const std::string& name : symbol_names(space.generator(i)))
      if (name != op) return true;
  return false;
}

/// What is shown and what is written of either form.
template <class Transfers, class SampleTime, class Graph>
void deliver(Task& task, const Transfers& transfers, const SampleTime& h, const std::string& method, Graph graph) {
  if (const Writer writer = graph_writer(task.arguments))
    writer(task.out, graph());
  else if (task.arguments.has("json") || extension_of(task.arguments.text("output")) == "json")
    write_json(task.out, std::span(transfers), h, method);
  else
    show(task, page(std::span(transfers), h, method));
}

/// A name means one thing: of a model that has it the sample time is that parameter.
void note_sample_time(Task& task, const SignalFlowGraph& graph, const std::string& name) {
  if (std::ranges::any_of(graph.branches(), [&](const Branch& branch) {
        return branch.linear() && std::ranges::count(symbol_names(branch.gain()), name) > 0;
      }))
    task.notes.push_back({{}, "the sample time " + name + " is the parameter " + name + " of the model", {}, Severity::warning});
  if (!graph.symbols.at(name).value && graph_writer(task.arguments))
    task.notes.push_back({{},
                          "the graph states no sample time, since " + name + " has no value",
                          "write --sample-time " + name + "=0.1, say",
                          Severity::warning});
}

int run(Task& task) {
  static const std::map<std::string, Method> methods{{"zoh", {Discretization::zero_order_hold, "zero-order hold"}},
                                                     {"tustin", {Discretization::tustin, "Tustin's rule"}},
                                                     {"matched", {Discretization::matched, "matched poles and zeros"}}};
  const Arguments& arguments = task.arguments;
  (void)graph_writer(arguments);
  const Method& method = methods.at(arguments.text("method", "zoh"));
  SignalFlowGraph graph = graph_of(task);
  const std::vector<Question> questions = questions_of(arguments, graph);
  GiNaC::ex h = sample_time_of(arguments, graph);
  const SymbolTable symbols = graph.symbols;
  if (GiNaC::is_a<GiNaC::symbol>(h)) note_sample_time(task, graph, GiNaC::ex_to<GiNaC::symbol>(h).get_name());
  if (!arguments.has("symbolic")) {
    const GiNaC::exmap values = graph.parameter_values();
    h = h.subs(values);
    graph = graph.substituted(values);
  }
  task.working("finding transfer functions");
  const TransferOptions options{.budget = task.budget, .seed = arguments.count("seed", 1)};
  std::vector<TransferFunction> transfers = transfer_functions(graph, questions, options);
  const bool with_symbols = GiNaC::is_a<GiNaC::symbol>(h) ||
                            std::ranges::any_of(transfers, [&](const auto& T) { return has_symbols(T, graph.op.symbol()); });
  if (with_symbols) {
    if (arguments.has("pade")) {
      graph = approximated(arguments, std::move(graph));
      transfers = transfer_functions(graph, questions, options);
    }
    std::vector<SampledFormula> found;
    for (const TransferFunction& T : transfers) found.push_back(sampled_formula(T, graph, h, method.rule, task.budget));
    deliver(task, found, h, method.name, [&] { return sampled_graph(found, symbols, h); });
    return 0;
  }
  const auto number = rational_value(h);
  if (!number || number->sign() <= 0)
    throw UsageError("the sample time " + print(h) + " is not a positive number", "write --sample-time 0.1, say");
  std::vector<ExactTransfer> found;
  for (const TransferFunction& T : transfers) found.push_back(exact_transfer(T, graph));
  found = approximated(arguments, std::move(found));
  for (ExactTransfer& T : found) T = discretized(T, *number, method.rule);
  deliver(task, found, *number, method.name, [&] { return sampled_graph(found, *number); });
  return 0;
}

}  // namespace

Verb discretize() {
  return {
      .name = "discretize",
      .summary = "the transfer function in z of a sampled system",
      .details =
          "zoh: the input is held between the samples; tustin: s = 2/H (z - 1)/(z + 1), exact; matched: poles and zeros by "
          "z = exp(s*H). Names without a value stay symbols, with --symbolic all; then the answer is a closed form. The "
          "difference equation stands below. With -o FILE.dot or .toml a graph in z that every verb reads.",
      .options = {{"--method", "METHOD", "zoh (default), tustin or matched", Option::Kind::choice, {"zoh", "tustin", "matched"}},
                  {"--sample-time", "H", "sample time, s: a number, T or T=0.1 (default: what the file states)"},
                  {"--symbolic", "", "names of parameters stay symbols, those with a value too"},
                  pade_option(),
                  notation_option(),
                  width_option()},
      .examples = {"sfg discretize plant.dot --sample-time 0.1",
                   "sfg discretize plant.dot --sample-time 0.1 --method tustin -o d.dot",
                   "sfg discretize pid.dot --sample-time T --method tustin --symbolic"},
      .run = run};
}

}  // namespace sfg::command
