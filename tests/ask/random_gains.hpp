#pragma once
#include <ginac/ginac.h>

#include <array>
#include <random>

#include "sfg/graph/signal_flow_graph.hpp"

// Random graphs for the tests of what is asked about them.
namespace sfg::test {

/// Branches between the nodes, of gains in k1, k2, k3 and the operator; none enters the first `sources` nodes.
inline void add_random_branches(SignalFlowGraph& graph, const GiNaC::ex& s, std::mt19937& random, int sources = 0) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const int n = static_cast<int>(graph.nodes().size());
  const int branches = pick(n, 3 * n);
  for (int k = 0; k < branches; ++k) {
    const GiNaC::ex parameter = graph.symbols.symbol("k" + std::to_string(pick(1, 3)));
    const std::array<GiNaC::ex, 4> gains{parameter, 1 / (s + pick(1, 5)), -parameter / s, GiNaC::ex(pick(-3, 3)) / 7};
    graph.add_branch(NodeId{static_cast<std::uint32_t>(pick(0, n - 1))}, NodeId{static_cast<std::uint32_t>(pick(sources, n - 1))},
                     gains[static_cast<std::size_t>(pick(0, 3))]);
  }
}

/// A rational value of every symbol.
inline GiNaC::exmap random_point(SymbolTable& symbols, std::mt19937& random) {
  GiNaC::exmap point;
  for (const std::string& name : symbols.names())
    point[symbols.at(name).expr] =
        GiNaC::ex(std::uniform_int_distribution(2, 97)(random)) / std::uniform_int_distribution(3, 31)(random);
  return point;
}

}  // namespace sfg::test
