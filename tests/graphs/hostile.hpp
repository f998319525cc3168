#pragma once
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sfg/expr/parse.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/text/printable.hpp"

namespace sfg::test {

/// Texts that break writers which escape too little or too much.
inline const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts{"a\"b",
                                              "\"",
                                              "\"\"\"",
                                              "a\\",
                                              "\\",
                                              "\\\\",
                                              "\\\"",
                                              "a\\\"b",
                                              "a\\b",
                                              "\\\\\\",
                                              "line\nbreak",
                                              "\n",
                                              "cr\r\nlf",
                                              "\r",
                                              "tab\t",
                                              "node",
                                              "Edge",
                                              "GRAPH",
                                              "digraph",
                                              "subgraph",
                                              "strict",
                                              " leading",
                                              "trailing ",
                                              "  ",
                                              ",",
                                              "a,b",
                                              "a\\,b",
                                              "\\ ",
                                              ", ",
                                              "é",
                                              "日本語",
                                              "𝛥",
                                              "<b>",
                                              "<b",
                                              "b>",
                                              "<<b>>",
                                              "\\<b>",
                                              "<a><b>",
                                              "<a\\\">",
                                              "->",
                                              "--",
                                              "[x]",
                                              "{",
                                              "}",
                                              ";",
                                              "#",
                                              "# x",
                                              "//",
                                              "/*",
                                              "*/",
                                              "1",
                                              "-1",
                                              "1.5",
                                              "1a",
                                              "-.5",
                                              "true",
                                              "null",
                                              "a=b",
                                              "'",
                                              "'''",
                                              "`",
                                              "$(x)",
                                              "%n",
                                              "&amp;",
                                              "]]>",
                                              "</script>",
                                              "\xE2\x80\xAEx",
                                              "a.b",
                                              "x\\ny",
                                              "\\N",
                                              "\\l",
                                              "a\\\nb",
                                              "=",
                                              "key",
                                              "gain",
                                              "weight",
                                              "kind",
                                              "id",
                                              "id_",
                                              "name",
                                              "+",
                                              "a + b",
                                              "\\u0041",
                                              "@",
                                              "\xEF\xBB\xBF",
                                              "\xEF\xBF\xBF",
                                              std::string(20000, 'x'),
                                              std::string(9000, '\\'),
                                              std::string(7999, 'y') + "\\\"é" + std::string(9000, 'z')};
  return texts;
}

/// A graph whose names, attributes and values are texts that break careless writers, with laws and gains of every kind.
class HostileGraph {
 public:
  explicit HostileGraph(std::uint64_t seed) : random_(seed) {}

  SignalFlowGraph operator()() {
    SignalFlowGraph graph;
    if (chance(2)) graph.title = text();
    if (chance(3)) graph.op = "p";
    if (chance(4)) graph.op = graph.op.sampled(exact::Rational(1) / 8);
    graph.op.declare(graph.symbols);
    parameters(graph);
    const std::size_t nodes = 1 + below(8);
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::string plain = "x" + std::to_string(i), stated = chance(2) ? text() : plain;
      const std::string& name = has_steering(stated) ? plain : stated;  // such names are refused by every reader
      if (!name.empty() && !graph.find(name)) graph.add_node({name, {}, attributes()});
    }
    const std::size_t branches = below(14);
    for (std::size_t i = 0; i < branches; ++i) graph.add_branch(branch(graph));
    for (const NodeId id : graph.node_ids()) {
      if (chance(5)) graph.inputs.push_back(id);
      if (chance(5)) graph.outputs.push_back(id);
    }
    graph.attributes = attributes();
    return graph;
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  bool chance(std::size_t n) { return below(n) == 0; }
  /// Long texts seldom: they cost time.
  std::string text() {
    constexpr std::size_t is_long = 1000;
    const std::string& chosen = hostile_texts()[below(hostile_texts().size())];
    return chosen.size() < is_long || chance(8) ? chosen : hostile_texts()[below(hostile_texts().size())];
  }

  Attributes attributes() {
    static const std::set<std::string> reserved{"gain", "nonlinear", "key", "label"};
    Attributes list;
    std::set<std::string> names;
    while (chance(2)) {
      const std::string name = chance(2) ? text() : "attribute" + std::to_string(below(9));
      if (name.size() < 100 && !reserved.contains(name) && names.insert(name).second)
        list.emplace_back(name, chance(9) ? "" : text());
    }
    return list;
  }

  void parameters(SignalFlowGraph& graph) {
    for (const char* name : {"K", "T", "I", "beta", "θ"}) {
      if (chance(2)) continue;
      Symbol symbol;
      symbol.name = name;
      if (!chance(4)) symbol.value = parse(chance(2) ? "5" : chance(2) ? "1/3" : "atan2(1, Q)^2*Q - 1e-9", graph.symbols);
      if (chance(3)) symbol.unit = text();
      if (chance(3)) symbol.text = text();
      if (chance(3)) symbol.tolerance = Tolerance{exact::Rational(1) / 20, true};
      if (chance(3)) symbol.distribution = chance(2) ? Distribution::normal : Distribution::uniform;
      graph.symbols.add(symbol);
    }
  }

  std::string expression(const std::string& variable, int depth) {
    static const std::vector<std::string> leaves{"1", "-1", "0.1", "2/3", "K", "T", "I", "E", "D1", "k_1", "θ", "1e-9", "pi"};
    if (depth == 0 || chance(4)) return chance(3) ? variable : leaves[below(leaves.size())];
    const std::string a = expression(variable, depth - 1);
    const std::string b = expression(variable, depth - 1);
    switch (below(6)) {
      case 0: return "(" + a + " + " + b + ")";
      case 1: return "(" + a + " - " + b + ")";
      case 2: return a + "*" + b;
      case 3: return "(" + a + ")/(1 + " + variable + "*T)";
      case 4: return "(" + a + ")^3";
      default: return "exp(-(" + a + "))*" + b;
    }
  }

  Branch branch(SignalFlowGraph& graph) {
    const auto nodes = static_cast<std::uint32_t>(graph.nodes().size());
    Branch made{NodeId{static_cast<std::uint32_t>(below(nodes))},
                NodeId{static_cast<std::uint32_t>(below(nodes))},
                GiNaC::ex(1),
                {},
                attributes()};
    if (chance(6)) {
      for (const auto& [name, kind] :
           {std::pair{"u", SymbolKind::signal}, std::pair{"v", SymbolKind::signal}, std::pair{"t", SymbolKind::time}}) {
        Symbol symbol;
        symbol.name = name;
        symbol.kind = kind;
        graph.symbols.add(symbol);
      }
      made.law = Nonlinearity{parse(chance(2) ? "k3*u^3 + abs(v)*v" : "sin(t) + step(t - 1)*u", graph.symbols)};
    } else {
      made.law = parse(expression(graph.op.symbol(), 3), graph.symbols);
    }
    return made;
  }

  std::mt19937_64 random_;
};

}  // namespace sfg::test
