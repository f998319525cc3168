#pragma once
#include <random>
#include <string>

#include "sfg/expr/parse.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg::test {

/// A random graph with one source R, one sink C and `inner` nodes x1 …; gains are symbols, numbers or small fractions in s.
inline SignalFlowGraph random_graph(std::uint32_t seed, std::size_t inner, std::size_t extra) {
  std::mt19937 random(seed);
  auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  SignalFlowGraph graph;
  graph.symbols.add({"s", SymbolKind::laplace, {}, {}, {}, {}, {}, {}, {}});
  const NodeId source = graph.add_node({"R", {}, {}});
  for (std::size_t i = 1; i <= inner; ++i) graph.add_node({"x" + std::to_string(i), {}, {}});
  const NodeId sink = graph.add_node({"C", {}, {}});
  std::size_t count = 0;
  auto gain = [&] {
    const std::string name = "g" + std::to_string(++count);
    switch (below(5)) {
      case 0: return parse(name + "/(s + " + std::to_string(1 + below(3)) + ")", graph.symbols);
      case 1: return parse(std::to_string(2 + below(5)) + "/3", graph.symbols);
      case 2: return parse("-1", graph.symbols);
      default: return parse(name, graph.symbols);
    }
  };
  graph.add_branch(source, NodeId{1}, gain());
  for (std::uint32_t i = 1; i < inner; ++i) graph.add_branch(NodeId{i}, NodeId{i + 1}, gain());
  graph.add_branch(NodeId{static_cast<std::uint32_t>(inner)}, sink, gain());
  for (std::size_t i = 0; i < extra; ++i) {
    const NodeId from{below(inner + 1)};
    const NodeId to{1 + below(inner + 1)};
    graph.add_branch(from, to, gain());
  }
  return graph;
}

}  // namespace sfg::test
