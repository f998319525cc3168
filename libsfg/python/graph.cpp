#include "python/graph.hpp"

#include <algorithm>
#include <ranges>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/tolerance.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/dot.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg::python {

namespace {

/// The problems of a text that stands for itself, saying what it was meant for.
template <class Work>
auto meant_as(const std::string& what, const std::string& text, Work work) {
  try {
    return work(SourceSpan{.file = nullptr, .line = 1, .column = 1, .length = static_cast<std::uint32_t>(text.size())});
  } catch (const Error& error) {
    std::vector<Diagnostic> problems(error.diagnostics().begin(), error.diagnostics().end());
    for (Diagnostic& problem : problems) problem.message = what + " '" + text + "': " + problem.message;
    throw Error(std::move(problems));
  }
}

std::vector<NodeId> known(const SignalFlowGraph& graph, const std::vector<std::string>& names) {
  std::vector<NodeId> nodes;
  for (const std::string& name : names)
    if (const auto node = graph.find(name)) nodes.push_back(*node);
  return nodes;
}

std::vector<std::string> names(const SignalFlowGraph& graph, const std::vector<NodeId>& nodes) {
  std::vector<std::string> names;
  for (const NodeId node : nodes) names.push_back(graph[node].name);
  return names;
}

void require_name(const std::string& name) {
  if (name.empty()) throw Error(SourceSpan{}, "a node has no name", "name both ends of the branch");
}

}  // namespace

Sketch::Sketch(SignalFlowGraph made)
    : graph(std::move(made)), inputs(names(graph, graph.inputs)), outputs(names(graph, graph.outputs)) {}

SignalFlowGraph Sketch::whole() const {
  SignalFlowGraph whole = graph;
  for (const auto* ends : {&inputs, &outputs})
    for (const std::string& name : *ends) whole.node(name);
  whole.inputs = known(whole, inputs);
  whole.outputs = known(whole, outputs);
  return whole;
}

Sketch sketch(const GraphHead& head) {
  SignalFlowGraph graph;
  graph.title = head.title;
  if (!is_name(head.variable))
    throw Error(SourceSpan{}, "word '" + head.variable + "' is no name of an operator", "name it s, p or z");
  graph.op = head.variable;
  if (!head.sample_time.empty()) {
    const GiNaC::numeric number =
        meant_as("sample time", head.sample_time, [&](const SourceSpan& where) { return parse_number(head.sample_time, where); });
    const auto exact = exact::Rational::parse(print(GiNaC::ex(number)));
    if (!exact || exact->sign() <= 0)
      throw Error(SourceSpan{}, "sample time '" + head.sample_time + "': not above 0", "give seconds");
    graph.op = Operator(head.variable, *exact);
  }
  graph.op.declare(graph.symbols);
  Sketch made(std::move(graph));
  made.inputs = head.inputs;
  made.outputs = head.outputs;
  for (const auto* ends : {&made.inputs, &made.outputs})
    for (const std::string& name : *ends) require_name(name);
  return made;
}

void state(Sketch& sketch, const StatedParameter& stated) {
  if (!is_name(stated.name))
    throw Error(SourceSpan{}, "word '" + stated.name + "' is no name of a parameter",
                "a name has letters, digits and '_' and does not begin with a digit");
  SymbolTable symbols = sketch.graph.symbols;
  if (const Symbol* known = symbols.find(stated.name); known && known->kind != SymbolKind::parameter)
    throw Error(SourceSpan{}, "name '" + stated.name + "' is the operator and cannot be a parameter",
                "give the parameter another name, or state another variable");
  Symbol symbol{.name = stated.name};
  const std::string of = " of the parameter '" + stated.name + "'";
  if (!stated.value.empty())
    symbol.value =
        meant_as("value" + of, stated.value, [&](const SourceSpan& where) { return parse_value(stated.value, symbols, where); });
  symbols.symbol(stated.name);
  Symbol& kept = *symbols.find(stated.name);
  if (symbol.value) kept.value = symbol.value;
  if (!stated.unit.empty()) kept.unit = stated.unit;
  if (!stated.text.empty()) kept.text = stated.text;
  if (!stated.tolerance.empty())
    kept.tolerance = meant_as("tolerance" + of, stated.tolerance,
                              [&](const SourceSpan& where) { return parse_tolerance(stated.tolerance, where); });
  if (!stated.distribution.empty())
    kept.distribution = meant_as("distribution" + of, stated.distribution,
                                 [&](const SourceSpan& where) { return parse_distribution(stated.distribution, where); });
  static_cast<void>(symbols.values());  // refuses a circle
  sketch.graph.symbols = std::move(symbols);
}

void add_branch(Sketch& sketch, const std::string& from, const std::string& to, const std::string& gain) {
  require_name(from);
  require_name(to);
  SymbolTable symbols = sketch.graph.symbols;
  const GiNaC::ex value = meant_as("gain of the branch '" + from + "' -> '" + to + "'", gain,
                                   [&](const SourceSpan& where) { return parse(gain, symbols, where); });
  sketch.graph.symbols = std::move(symbols);
  const NodeId tail = sketch.graph.node(from);
  sketch.graph.add_branch(tail, sketch.graph.node(to), value);
}

void add_law(Sketch& sketch, const std::string& from, const std::string& to, const std::string& law,
             const std::vector<std::string>& arguments) {
  require_name(from);
  require_name(to);
  // The reader of DOT knows what u, v, t and further signals mean in a law.
  std::string text = dot(sketch.whole());
  std::string listed;
  for (const std::string& argument : arguments) listed += (listed.empty() ? "" : ", ") + argument;
  text.erase(text.rfind('}'));
  text += "  " + dot_name(from) + " -> " + dot_name(to) + " [nonlinear=" + dot_string(law) +
          (listed.empty() ? "" : ", arguments=" + dot_string(listed)) + "];\n}\n";
  Sketch next(meant_as("law of the branch '" + from + "' -> '" + to + "'", law, [&](const SourceSpan&) {
    try {
      return read_dot(text, of_no_file);
    } catch (const Error& error) {  // its places are of a text that nobody has seen
      std::vector<Diagnostic> problems(error.diagnostics().begin(), error.diagnostics().end());
      for (Diagnostic& problem : problems) problem.where = {};
      throw Error(std::move(problems));
    }
  }));
  next.inputs = sketch.inputs;
  next.outputs = sketch.outputs;
  sketch = std::move(next);
}

std::string dot(const SignalFlowGraph& graph) {
  std::ostringstream out;
  write_dot(out, graph);
  return std::move(out).str();
}

GraphTables tables(const Sketch& sketch) {
  const SignalFlowGraph graph = sketch.whole();
  GraphTables found{.head = {.title = graph.title,
                             .variable = graph.op.symbol(),
                             .sample_time = graph.op.sample_time() ? graph.op.sample_time()->text() : "",
                             .inputs = sketch.inputs,
                             .outputs = sketch.outputs}};
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.kind == SymbolKind::parameter)
      found.parameters.push_back({symbol.name, symbol.value ? print(*symbol.value) : "", symbol.unit,
                                  symbol.tolerance ? to_string(*symbol.tolerance) : "",
                                  symbol.distribution ? to_string(*symbol.distribution) : "", symbol.text});
  for (const Node& node : graph.nodes()) found.nodes.push_back(node.name);
  for (const Branch& branch : graph.branches()) {
    GraphTables::Line line{.from = graph[branch.from].name, .to = graph[branch.to].name};
    if (branch.linear()) {
      line.gain = print(branch.gain());
    } else {
      line.law = print(std::get<Nonlinearity>(branch.law).law);
      line.arguments = argument_entries(graph, branch);
    }
    found.branches.push_back(std::move(line));
  }
  return found;
}

}  // namespace sfg::python
