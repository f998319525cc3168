#pragma once
#include <map>
#include <sstream>
#include <string>

#include "sfg/expr/print.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg::test {

/// Everything that a file states of a graph, as text: two graphs are the same when these are equal.
inline std::string description(const SignalFlowGraph& graph) {
  std::ostringstream out;
  const auto list = [&](const char* title, const Attributes& attributes) {
    for (const auto& [name, value] : attributes) out << "  " << title << " [" << name << "] = [" << value << "]\n";
  };
  out << "title [" << graph.title << "] variable " << graph.op.symbol();
  if (const auto& h = graph.op.sample_time()) out << " sampled every " << h->text();
  out << '\n';
  for (const NodeId id : graph.inputs) out << "input " << id.index << '\n';
  for (const NodeId id : graph.outputs) out << "output " << id.index << '\n';
  list("graph", graph.attributes);
  for (const Node& node : graph.nodes()) {
    out << "node [" << node.name << "]\n";
    list("node", node.attributes);
  }
  for (const Branch& branch : graph.branches()) {
    out << branch.from.index << " -> " << branch.to.index;
    if (branch.linear())
      out << " gain " << print(branch.gain()) << '\n';
    else
      out << " law " << print(std::get<Nonlinearity>(branch.law).law) << '\n';
    list("branch", branch.attributes);
  }
  std::map<std::string, std::string> parameters;
  for (const Symbol& symbol : graph.symbols.all()) {
    const std::string tolerance = symbol.tolerance ? to_string(*symbol.tolerance) : "",
                      distribution = symbol.distribution ? to_string(*symbol.distribution) : "";
    if (symbol.kind == SymbolKind::parameter && (symbol.value || !(symbol.unit + symbol.text + tolerance + distribution).empty()))
      parameters[symbol.name] = (symbol.value ? print(*symbol.value) : "-") + " [" + symbol.unit + "] [" + symbol.text + "] [" +
                                tolerance + "] [" + distribution + "]";
  }
  for (const auto& [name, text] : parameters) out << "parameter " << name << " = " << text << '\n';
  return out.str();
}

}  // namespace sfg::test
