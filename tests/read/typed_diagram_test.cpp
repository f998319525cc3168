// Block diagrams as people type them: what stands for what, refusals with their places, and the way to the text and back.
#include "sfg/read/typed_diagram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/graph.hpp"

namespace sfg {
namespace {

using Texts = std::vector<std::string>;

Texts branches(const SignalFlowGraph& graph) {
  Texts list;
  for (const Branch& branch : graph.branches())
    list.push_back(graph[branch.from].name + " -> " + graph[branch.to].name + ": " + print(branch.gain().expand()));
  std::ranges::sort(list);
  return list;
}
Texts read(const std::string& text) { return branches(read_typed_diagram(text, "x.sfg")); }

TEST(TypedDiagram, ALoop) {
  EXPECT_EQ(read("r -> (+e) -> [K] -> [1/(s*(s+1))] -> y; y -> [H] -> (-e)"),
            (Texts{"e -> w1: K", "r -> e: 1", "w1 -> y: 1/(s*(s + 1))", "y -> e: -H"}));
}

TEST(TypedDiagram, LinesCommentsAndStatements) {
  const SignalFlowGraph graph = read_typed_diagram(
      "# a servo\ntitle \"A \\\"servo\\\"\"\ninput r, d  // two\noutput y\nvariable p\nK = 10; T = 0.5\nunits \"K=V/rad, "
      "y=rad\"\n"
      "r -> (+e) -> [K/(T*p + 1)]  # goes on\n\n  // below\n  -> (+m) ->\n [1/p] -> y\nd -> (-m)\r\ny -> (-e)\n\"free one\"",
      "x.sfg");
  EXPECT_EQ(graph.title, "A \"servo\"");
  EXPECT_EQ(branches(graph), (Texts{"d -> m: -1", "e -> m: K/(T*p + 1)", "m -> y: 1/p", "r -> e: 1", "y -> e: -1"}));
  ASSERT_EQ(graph.inputs.size(), 2U);
  EXPECT_EQ(graph[graph.inputs[1]].name, "d");
  EXPECT_EQ(graph.op.symbol(), "p");
  EXPECT_EQ(print(*graph.symbols.find("K")->value), "10");
  EXPECT_EQ(graph.symbols.find("K")->unit, "V/rad");
  EXPECT_TRUE(graph.find("free one"));
}

TEST(TypedDiagram, AWordOfAStatementMayBeASignal) {
  EXPECT_EQ(read("input -> [K] -> output; title -> input"), (Texts{"input -> output: K", "title -> input: 1"}));
  EXPECT_EQ(read("w1 -> [a] -> [b] -> [c] -> w2"), (Texts{"w1 -> w3: a", "w3 -> w4: b", "w4 -> w2: c"}));
}

TEST(TypedDiagram, RefusalsHavePlaces) {
  const std::vector<std::pair<std::string, std::string>> wrong{{"r -> [K -> y\n", "1:6"},
                                                               {"r -> x\nx -> [K]\n", "2:6"},
                                                               {"[K] -> y", "1:1"},
                                                               {"r -> [ ] -> y\n", "1:6"},
                                                               {"r -> e; e -> [K*(s+1] -> y", "1:21"},
                                                               {"r -> (*e) -> y", "1:6"},
                                                               {"r -> (+e -> y", "1:6"},
                                                               {"r -> \"e -> y", "1:6"},
                                                               {"r -> ", "1:3"},
                                                               {"r -> e f", "1:8"},
                                                               {"K = \nr -> e", "1:"},
                                                               {"input x\nr -> e", "1:7"},
                                                               {"title \"a\"; title \"b\"; r -> e", "1:18"},
                                                               {"", "1:1"},
                                                               {"variable s t\nr -> e", "1:10"}};
  for (const auto& [text, place] : wrong) {
    try {
      read_typed_diagram(text, "x.sfg");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      const SourceSpan& where = error.diagnostics().front().where;
      const std::string found = std::to_string(where.line) + ":" + std::to_string(where.column);
      EXPECT_TRUE(found.starts_with(place)) << text << " at " << found << ": " << error.what();
    }
  }
  try {
    read_typed_diagram("r -> [ -> a\nb -> [] -> c\nq", "x.sfg");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
  }
}

/// Graphs with names of every kind, gains with and without signs.
SignalFlowGraph random_graph(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  SignalFlowGraph graph;
  graph.op.declare(graph.symbols);
  graph.title = below(2) ? "a \\ \"title\"\nof two lines\\n" : "";
  const Texts names{"a", "input", "w1", "two words", "q\"x", "back\\", "1", "ä", "x;y", "u#v"};
  for (const std::string& name : names)
    if (below(3)) graph.add_node({name, {}, {}});
  while (graph.nodes().size() < 2) graph.add_node({"n" + std::to_string(graph.nodes().size()), {}, {}});
  const Texts gains{"1", "-1", "K", "-K/(s + 1)", "a1 - b1", "-a1 - b1", "b1 - a1*s", "2/3", "-s^2", "exp(-T*s)"};
  for (std::size_t i = 0, n = 1 + below(8); i < n; ++i) {
    const NodeId from = graph.node_ids()[below(graph.nodes().size())], to = graph.node_ids()[below(graph.nodes().size())];
    graph.add_branch({from, to, parse(gains[below(gains.size())], graph.symbols), {}, {}});
  }
  graph.inputs = {graph.node_ids()[0]};
  return graph;
}

TEST(TypedDiagram, WhatIsWrittenReadsBack) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const SignalFlowGraph graph = random_graph(seed);
    std::ostringstream out;
    write_typed_diagram(out, graph);
    const SignalFlowGraph again = read_typed_diagram(out.str(), "x.sfg");
    EXPECT_EQ(branches(again), branches(graph)) << seed << "\n" << out.str();
    EXPECT_EQ(again.title, graph.title);
    EXPECT_EQ(again.nodes().size(), graph.nodes().size()) << out.str();
    ASSERT_EQ(again.inputs.size(), 1U) << out.str();
    EXPECT_EQ(again[again.inputs[0]].name, graph[graph.inputs[0]].name);
  }
}

TEST(TypedDiagram, TextsOfParametersReadBack) {
  SignalFlowGraph graph = random_graph(1);
  graph.symbols.symbol("K0");
  Symbol& symbol = *graph.symbols.find("K0");
  for (const std::string text : {"two\nlines", "\r\n", " blanks at both ends ", "a, b\\n\"", "# no comment // either; or"}) {
    symbol.text = text;
    std::ostringstream out;
    write_typed_diagram(out, graph);
    EXPECT_EQ(read_typed_diagram(out.str(), "x.sfg").symbols.find("K0")->text, text) << out.str();
  }
}

TEST(TypedDiagram, WhatHasNoPlaceIsKnown) {
  SignalFlowGraph graph = random_graph(2);
  EXPECT_FALSE(loses_as_typed_diagram(graph));
  graph.attributes.emplace_back("rankdir", "RL");
  EXPECT_TRUE(loses_as_typed_diagram(graph));
}

TEST(TypedDiagram, IsToldByItsFirstStatement) {
  EXPECT_TRUE(begins_typed_diagram("# note\n// more\n r -> [K] -> y"));
  EXPECT_TRUE(begins_typed_diagram("title \"Servo\"\ninput r"));
  EXPECT_FALSE(begins_typed_diagram("input = \"r\""));
  EXPECT_FALSE(begins_typed_diagram("K = 10; r -> y"));
  EXPECT_FALSE(begins_typed_diagram(""));
}

}  // namespace
}  // namespace sfg
