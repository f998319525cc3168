#pragma once
#include <random>
#include <string>

#include "graph_families.hpp"

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

}  // namespace sfg::test
