#pragma once
#include <random>
#include <string>

#include "graphs/families.hpp"

namespace sfg::test {

enum class Gains {
  rational,
  any,  ///< dead times, large powers, decimals, and names that mean something elsewhere too
};

/// A graph of a few nodes with self-loops, parallel branches and gains of every kind. The same for the same seed.
class RandomGraph {
 public:
  explicit RandomGraph(std::uint64_t seed, Gains gains = Gains::rational) : gains_(gains), engine_(seed) {
    const int nodes = between(2, 6);
    const int branches = between(nodes, 3 * nodes);
    add("r", node(between(0, nodes - 1)));
    for (int i = 0; i < branches; ++i) add(node(between(0, nodes - 1)), node(between(0, nodes - 1)));
    graph = graph_of(arrows);
    input = NodeId{0};
    output = graph.nodes().size() > 1 ? NodeId{static_cast<std::uint32_t>(between(1, static_cast<int>(graph.nodes().size()) - 1))}
                                      : input;
    inner = NodeId{static_cast<std::uint32_t>(between(1, static_cast<int>(graph.nodes().size()) - 1))};
  }

  /// Its branches, for messages.
  std::string text() const {
    std::string all;
    for (const Arrow& arrow : arrows) all += arrow.from + "->" + arrow.to + " [" + arrow.gain + "]; ";
    return all;
  }

  std::vector<Arrow> arrows;
  SignalFlowGraph graph;
  NodeId input;  ///< the source "r"
  NodeId output;
  NodeId inner;  ///< any node but the source

  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

 private:
  static std::string node(int i) { return std::string(1, static_cast<char>('a' + i)); }
  std::string symbol() {
    static const char* taken[] = {"I", "E", "Q", "beta", "S", "N", "Pi", "zeta", "gamma", "D1", "lambda", "m1", "Delta", "exp_1"};
    if (gains_ == Gains::any) return taken[between(0, 13)];
    static const char* names[] = {"g", "k", "h", "D1", "I", "E", "beta", "tau"};
    return names[between(0, 7)];
  }
  std::string gain() {
    if (gains_ == Gains::any && between(0, 3) == 0) return odd_gain();
    switch (between(0, 9)) {
      case 0: return "1";
      case 1: return "-1";
      case 2: return std::to_string(between(-3, 3)) + "/" + std::to_string(between(1, 4));
      case 3: return "1/s";
      case 4: return symbol() + "/(s + " + std::to_string(between(1, 2)) + ")";
      case 5: return "-" + symbol() + "*" + symbol();
      case 6: return "(s + 1)/(" + symbol() + "*s + 1)";
      default: return symbol();
    }
  }
  /// Seldom large: expanded answers grow with it.
  int power(int high) { return between(0, 5) == 0 ? between(3, high) : between(2, 3); }
  std::string odd_gain() {
    switch (between(0, 6)) {
      case 0: return "exp(-s*" + symbol() + ")";
      case 1: return symbol() + "^" + std::to_string(power(25));
      case 2: return "(s - " + symbol() + ")^" + std::to_string(power(6));
      case 3: return "s^" + std::to_string(power(20)) + "/(1 + " + symbol() + "*s)";
      case 4: return "0.1*" + symbol() + " - 1e-9";
      case 5: return "sqrt(" + symbol() + ")/(s + 1)";
      default: return "1/(s^2 + 2*zeta*Q*s + Q^2)";
    }
  }
  void add(const std::string& from, const std::string& to) { arrows.push_back({from, to, gain()}); }

  Gains gains_;
  std::mt19937_64 engine_;
};

/// A line R, x1, x2 … C of `inner` nodes between source and sink, and `extra` further branches; gains are symbols, numbers or
/// small fractions in s.
inline SignalFlowGraph random_line(std::uint32_t seed, std::size_t inner, std::size_t extra) {
  std::mt19937 random(seed);
  auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  SignalFlowGraph graph;
  graph.op.declare(graph.symbols);
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
