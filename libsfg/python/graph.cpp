#include "python/graph.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/tolerance.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/graph.hpp"
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

std::string named(const SignalFlowGraph& graph, const Branch& branch) {
  return "'" + graph[branch.from].name + "' -> '" + graph[branch.to].name + "'";
}

bool listed(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void collect_names(const GiNaC::ex& expression, std::set<std::string>& names) {
  for (auto part = expression.preorder_begin(); part != expression.preorder_end(); ++part)
    if (GiNaC::is_a<GiNaC::symbol>(*part)) names.insert(GiNaC::ex_to<GiNaC::symbol>(*part).get_name());
}

const GiNaC::ex& law_of(const Branch& branch) { return branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law; }

/// The symbols of a graph without those that go, and without names that nothing states or has.
SymbolTable remaining_symbols(const SymbolTable& symbols, const SignalFlowGraph& graph, const std::vector<std::string>& gone) {
  std::set<std::string> used;
  for (const Branch& branch : graph.branches()) {
    std::set<std::string> here;
    collect_names(law_of(branch), here);
    for (const std::string& name : gone)
      if (here.contains(name))
        throw Error(SourceSpan{}, "the parameter '" + name + "' is in the gain of the branch " + named(graph, branch),
                    "give the branch another gain, or remove it");
    used.merge(here);
  }
  for (const Symbol& symbol : symbols.all()) {
    if (!symbol.value || listed(gone, symbol.name)) continue;
    std::set<std::string> here;
    collect_names(*symbol.value, here);
    for (const std::string& name : gone)
      if (here.contains(name))
        throw Error(SourceSpan{}, "the parameter '" + name + "' is in the value of '" + symbol.name + "'",
                    "state another value of '" + symbol.name + "' first");
    used.merge(here);
  }
  SymbolTable remaining;
  for (const Symbol& symbol : symbols.all())
    if (!listed(gone, symbol.name) && (symbol.kind != SymbolKind::parameter || is_stated(symbol) || used.contains(symbol.name)))
      remaining.add(symbol);
  for (const auto& [name, number] : symbols.tables()) remaining.add_table(name, number);
  for (const Correlation& pair : symbols.correlations)
    if (!listed(gone, pair.first) && !listed(gone, pair.second)) remaining.correlations.push_back(pair);
  return remaining;
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
  std::string taken;
  for (const std::string& argument : arguments) taken += (taken.empty() ? "" : ", ") + argument;
  text.erase(text.rfind('}'));
  text += "  " + dot_name(from) + " -> " + dot_name(to) + " [nonlinear=" + dot_string(law) +
          (taken.empty() ? "" : ", arguments=" + dot_string(taken)) + "];\n}\n";
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

void edit(Sketch& sketch, const SketchEdit& change) {
  const SignalFlowGraph& before = sketch.graph;
  SignalFlowGraph after = SignalFlowGraph::like(before);
  std::vector<std::optional<NodeId>> place;
  for (const Node& node : before.nodes())
    place.push_back(listed(change.nodes_gone, node.name) ? std::nullopt : std::optional(after.add_node(node)));
  SymbolTable symbols = before.symbols;
  for (const BranchId id : before.branch_ids()) {
    Branch branch = before[id];
    const auto from = place[branch.from.index], to = place[branch.to.index];
    if (!from || !to || std::ranges::find(change.branches_gone, id.index) != change.branches_gone.end()) continue;
    if (const auto gain = change.gains.find(id.index); gain != change.gains.end()) {
      branch.law = meant_as("gain of the branch " + named(before, branch), gain->second,
                            [&](const SourceSpan& where) { return parse(gain->second, symbols, where); });
      std::erase_if(branch.attributes, [](const auto& attribute) { return attribute.first == "label"; });
      keep_hidden_modes(branch, 1);  // like the label, they were the old gain's
    }
    if (auto* law = std::get_if<Nonlinearity>(&branch.law))
      for (Nonlinearity::Argument& argument : law->arguments) {
        if (!place[argument.node.index])
          throw Error(SourceSpan{},
                      "the law of the branch " + named(before, branch) + " takes '" + before[argument.node].name + "'",
                      "remove that branch first");
        argument.node = *place[argument.node.index];
      }
    branch.from = *from;
    branch.to = *to;
    after.add_branch(std::move(branch));
  }
  after.symbols = remaining_symbols(symbols, after, change.parameters_gone);
  sketch.graph = std::move(after);
  for (auto* ends : {&sketch.inputs, &sketch.outputs})
    std::erase_if(*ends, [&](const std::string& name) { return listed(change.nodes_gone, name); });
}

std::string gain_text(const Sketch& sketch, const std::string& gain) {
  SymbolTable symbols = sketch.graph.symbols;
  return meant_as("gain", gain, [&](const SourceSpan& where) { return print(parse(gain, symbols, where)); });
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
