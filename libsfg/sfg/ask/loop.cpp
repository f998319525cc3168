#include "sfg/ask/loop.hpp"

#include <algorithm>
#include <cctype>

#include "sfg/derive/circuit.hpp"
#include "sfg/error.hpp"

namespace sfg {

namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The branch that with_loop_branches() adds for a controlled source.
std::optional<LoopPlace> source_place(const SignalFlowGraph& graph, std::string_view element) {
  for (const NodeId to : graph.node_ids())
    if (same_letters(graph[to].name, element))
      if (const auto from = graph.find(return_signal(graph[to].name))) return LoopPlace{*from, to};
  return {};
}

void require_node(const SignalFlowGraph& graph, const std::string& name) {
  if (graph.find(name)) return;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(node.name);
  const std::string near = nearest(name, names);
  throw Error({}, "the graph has no node '" + name + "'",
              near.empty() ? "'sfg graph' lists the nodes" : "did you mean '" + near + "'?");
}

}  // namespace

LoopPlace loop_place(const SignalFlowGraph& graph, std::string_view words) {
  const std::string where(words);
  if (const auto place = source_place(graph, where)) return *place;
  if (const auto node = graph.find(where)) return loop_place(graph, *node);
  for (std::size_t comma = where.find(','); comma != std::string::npos; comma = where.find(',', comma + 1)) {
    const auto from = graph.find(where.substr(0, comma)), to = graph.find(where.substr(comma + 1));
    if (from && to) return {*from, *to};
  }
  const std::size_t comma = where.find(',');
  if (comma == std::string::npos || where.find('(') != std::string::npos) require_node(graph, where);
  require_node(graph, where.substr(0, comma));
  require_node(graph, where.substr(comma + 1));
  throw Error({}, "'" + where + "' names no branch", "write FROM,TO");
}

OpenLoop loop_opened_at(const SignalFlowGraph& graph, std::string_view where) {
  const LoopPlace place = loop_place(graph, where);
  OpenLoop open = open_loop(graph, place.from, place.to);
  require_loop(graph, place);
  return open;
}

SignalFlowGraph loop_graph(const SignalFlowGraph& graph, const LoopTerms& terms) {
  const LoopPlace place = loop_place(graph, terms.where);
  if (!terms.others_open || terms.others.empty()) return loop_graph(graph, place, *terms.of, terms.where);
  require_loop(graph, place);
  SignalFlowGraph rest = graph;
  for (const std::string& other : terms.others) rest = opened(rest, loop_place(graph, other));
  try {
    return loop_graph(rest, place, *terms.of, terms.where);
  } catch (const Error& error) {
    throw Error(error.where(), "with the other loops open: " + error.diagnostics().front().message,
                "leave the others closed, or name places in loops that do not share all of their branches");
  }
}

std::vector<std::string> elements_at(const Circuit& circuit, const LoopTerms& terms) {
  std::vector<std::string> elements;
  const auto add = [&](const std::string& place) {
    const std::string name = element_named(circuit, place);
    if (!name.empty() && std::ranges::find(elements, name) == elements.end()) elements.push_back(name);
  };
  add(terms.where);
  for (const std::string& other : terms.others) add(other);
  return elements;
}

SignalFlowGraph with_loop_branches(SignalFlowGraph graph, const std::vector<std::string>& elements) {
  for (const std::string& element : elements) {
    const NodeId source = graph.at(element);
    graph.add_branch(graph.at(return_signal(element)), source, -1, graph[source].where);
  }
  return graph;
}

}  // namespace sfg
