// discretize: from s to z.
#include "sfg/response/discretize.hpp"

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
#include "sfg/write/graph.hpp"
#include "sfg/write/time_response.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

using GraphWriter = void (*)(std::ostream&, const SignalFlowGraph&);

/// The writer of a graph, where -o asks for one.
GraphWriter graph_writer(const Arguments& arguments) {
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

/// A number, or a name: that of a parameter, or of a new one.
struct SampleTime {
  GiNaC::ex value;
  std::string name = {};
};

SampleTime sample_time_of(const Arguments& arguments, SignalFlowGraph& graph) {
  if (!arguments.has("sample-time")) {
    if (graph.op.sample_time()) return {numeric_value(*graph.op.sample_time())};
    throw UsageError("a sampled system needs its sample time", "add --sample-time 0.1, say");
  }
  const std::string word = arguments.text("sample-time"), name = word.substr(0, word.find('='));
  if (!is_name(name)) return {numeric_value(positive_value_of("--sample-time", word))};
  if (name == graph.op.symbol() || Operator(name).discrete())
    throw UsageError("option '--sample-time " + word + "': '" + name + "' is the operator", "write --sample-time T, say");
  SampleTime result{graph.symbols.symbol(name), name};
  if (name == word) return result;
  if (graph.symbols.at(name).value)
    throw UsageError("option '--sample-time " + word + "': the model states " + name,
                     "write --sample-time " + name + " and --set " + word);
  graph.symbols.find(name)->value = numeric_value(positive_value_of("--sample-time", word.substr(name.size() + 1)));
  return result;
}

bool has_symbols(const TransferFunction& transfer, const std::string& op) {
  const PolynomialSpace& space = transfer.value.space();
  for (std::size_t i = 0; i < space.size(); ++i)
    for (const std::string& name : symbol_names(space.generator(i)))
      if (name != op) return true;
  return false;
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

/// As numbers where all names have values, else in closed form.
std::vector<SampledFormula> sampled(Task& task, SignalFlowGraph graph, const GiNaC::ex& h, Discretization rule) {
  const Arguments& arguments = task.arguments;
  const std::vector<Question> questions = questions_of(arguments, graph);
  const TransferOptions options{.budget = task.budget, .seed = arguments.count("seed", 1)};
  task.working("finding transfer functions");
  std::vector<TransferFunction> transfers = transfer_functions(graph, questions, options);
  const auto number = rational_value(h);
  if (number && number->sign() <= 0)
    throw UsageError("the sample time " + print(h) + " is not a positive number", "write --sample-time 0.1, say");
  std::vector<SampledFormula> result;
  if (!number || std::ranges::any_of(transfers, [&](const auto& T) { return has_symbols(T, graph.op.symbol()); })) {
    if (arguments.has("pade")) {
      graph = approximated(task, std::move(graph));
      transfers = transfer_functions(graph, questions, options);
    }
    for (const TransferFunction& T : transfers) result.push_back(sampled_formula(T, graph, h, rule, task.budget));
    return result;
  }
  if (arguments.has("symbolic"))
    task.notes.push_back({{}, "--symbolic keeps nothing: there are no names in these transfer functions", {}, Severity::warning});
  std::vector<ExactTransfer> found;
  for (const TransferFunction& T : transfers) found.push_back(exact_transfer(T, graph));
  for (const ExactTransfer& T : approximated(task, std::move(found)))
    result.push_back(sampled_formula(discretized(T, *number, rule)));
  return result;
}

int run_discretize(Task& task) {
  static const std::map<std::string, Method> methods{{"zoh", {Discretization::zero_order_hold, "zero-order hold"}},
                                                     {"tustin", {Discretization::tustin, "Tustin's rule"}},
                                                     {"matched", {Discretization::matched, "matched poles and zeros"}}};
  const GraphWriter writer = graph_writer(task.arguments);
  const Method& method = methods.at(task.arguments.text("method", "zoh"));
  SignalFlowGraph graph = graph_of(task);
  const SampleTime time = sample_time_of(task.arguments, graph);
  const SymbolTable symbols = graph.symbols;
  GiNaC::ex h = time.value;
  if (!time.name.empty()) note_sample_time(task, graph, time.name);
  if (!task.arguments.has("symbolic")) {
    const GiNaC::exmap values = graph.parameter_values();
    if (const auto known = values.find(h); known != values.end()) h = known->second;
    graph = graph.substituted(values);
  }
  const std::vector<SampledFormula> found = sampled(task, std::move(graph), h, method.rule);
  if (writer)
    writer(task.out, sampled_graph(found, symbols, h));
  else if (task.arguments.has("json") || extension_of(task.arguments.text("output")) == "json")
    write_json(task.out, found, h, method.name);
  else
    show(task, page(std::span<const SampledFormula>(found), h, method.name));
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
      .run = run_discretize};
}

}  // namespace sfg::command
