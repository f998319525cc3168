#pragma once
#include <string>
#include <vector>

#include "sfg/expr/parse.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg::test {

struct Arrow {
  std::string from, to, gain;
};

/// A graph from its branches, gains in the toolkit's grammar.
inline SignalFlowGraph graph_of(const std::vector<Arrow>& arrows) {
  SignalFlowGraph graph;
  for (const Arrow& arrow : arrows) {
    const NodeId from = graph.node(arrow.from), to = graph.node(arrow.to);
    graph.add_branch(from, to, parse(arrow.gain, graph.symbols));
  }
  return graph;
}

/// A family member with its input and output (the rules are those of tests/data/sfg_families.json).
struct Member {
  std::vector<Arrow> arrows;
  std::vector<std::string> symbols;  ///< in the order of the rule
  std::string input, output;
};

namespace detail {
inline std::string name(const char* prefix, int i) { return prefix + std::to_string(i); }
inline std::string name(const char* prefix, int i, int j) { return name(prefix, i) + "_" + std::to_string(j); }
}  // namespace detail

inline Member ladder(int n) {
  using detail::name;
  Member m{{}, {}, "v0", name("v", n)};
  for (int k = 1; k <= n; ++k) {
    m.arrows.push_back({name("v", k - 1), name("i", k), name("y", k)});
    m.arrows.push_back({name("v", k), name("i", k), name("-y", k)});
    m.arrows.push_back({name("i", k), name("v", k), name("z", k)});
    if (k < n) m.arrows.push_back({name("i", k + 1), name("v", k), name("-z", k)});
    m.symbols.insert(m.symbols.end(), {name("y", k), name("z", k)});
  }
  return m;
}

inline Member complete(int n) {
  using detail::name;
  Member m{{}, {}, "r", name("x", n)};
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j) {
      if (i == j) continue;
      m.symbols.push_back(name("a", i, j));
      m.arrows.push_back({name("x", i), name("x", j), m.symbols.back()});
    }
  m.arrows.push_back({"r", "x1", "1"});
  return m;
}

inline Member grid(int k) {
  using detail::name;
  Member m{{}, {}, "r", name("n", k - 1, k - 1)};
  const auto pair = [&](const std::string& a, const std::string& b, const std::string& forward, const std::string& back) {
    m.arrows.push_back({a, b, forward});
    m.arrows.push_back({b, a, back});
    m.symbols.insert(m.symbols.end(), {forward, back});
  };
  for (int r = 0; r < k; ++r)
    for (int c = 0; c < k; ++c) {
      if (c + 1 < k) pair(name("n", r, c), name("n", r, c + 1), name("hf", r, c), name("hb", r, c));
      if (r + 1 < k) pair(name("n", r, c), name("n", r + 1, c), name("vf", r, c), name("vb", r, c));
    }
  m.arrows.push_back({"r", "n0_0", "1"});
  return m;
}

inline Member ring(int n) {
  using detail::name;
  Member m{{{"s", "x0", "1"}}, {}, "s", name("x", n - 1)};
  const auto branch = [&](int from, int to, const char* sign, const std::string& symbol) {
    m.arrows.push_back({name("x", from), name("x", to), sign + symbol});
    m.symbols.push_back(symbol);
  };
  for (int i = 0; i < n; ++i) {
    branch(i, (i + 1) % n, "", name("r", i));
    if (i % 2 == 0) branch(i, (i + 2) % n, "", name("c", i));
    if (i % 3 == 2) branch(i, i - 1, "-", name("d", i));
  }
  return m;
}

inline Member nested(int n) {
  using detail::name;
  Member m{{{"r", "a1", "1"}}, {}, "r", "y"};
  const auto branch = [&](const std::string& from, const std::string& to, const char* sign, const std::string& symbol) {
    m.arrows.push_back({from, to, sign + symbol});
    m.symbols.push_back(symbol);
  };
  for (int j = 1; j <= n; ++j) {
    branch(name("a", j), name("b", j), "", name("p", j));
    branch(name("b", j), name("c", j), "", name("q", j));
    branch(name("c", j), name("b", j), "-", name("u", j));
    branch(name("c", j), name("a", j), "-", name("w", j));
    if (j < n) branch(name("c", j), name("a", j + 1), "", name("t", j));
  }
  branch(name("c", n), "a1", "-", "g");
  m.arrows.push_back({name("c", n), "y", "1"});
  return m;
}

inline Member family(const std::string& rule, int size) {
  if (rule == "ladder") return ladder(size);
  if (rule == "complete") return complete(size);
  if (rule == "grid") return grid(size);
  if (rule == "ring") return ring(size);
  return nested(size);
}

}  // namespace sfg::test
