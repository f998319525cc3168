#include "sfg/write/graph.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "graphs/hostile.hpp"
#include "same_graph.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/graphml.hpp"
#include "sfg/read/json.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

using test::description;

constexpr std::uint64_t graphs = 300;

template <class Write>
std::string written(const SignalFlowGraph& graph, Write&& write) {
  std::ostringstream out;
  write(out, graph);
  return out.str();
}

SignalFlowGraph graph_in_toml(const std::string& text) { return std::get<SignalFlowGraph>(read_toml(text, "x.toml")); }

TEST(WriteDot, ReadsBackToTheSameGraph) {
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    const SignalFlowGraph graph = test::HostileGraph(seed)();
    const std::string text = written(graph, write_dot);
    const SignalFlowGraph again = read_dot(text, "x.dot");
    ASSERT_EQ(description(again), description(graph)) << text;
    const std::string second = written(again, write_dot);
    ASSERT_EQ(written(read_dot(second, "x.dot"), write_dot), second);
  }
}

TEST(WriteToml, ReadsBackToTheSameGraph) {
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    const SignalFlowGraph graph = test::HostileGraph(seed)();
    const std::string text = written(graph, write_toml);
    ASSERT_EQ(description(graph_in_toml(text)), description(graph)) << text;
  }
}

TEST(WriteJson, ReadsBackToTheSameGraph) {
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    const SignalFlowGraph graph = test::HostileGraph(seed)();
    const std::string text = written(graph, write_json);
    ASSERT_EQ(description(read_json(text, "x.json")), description(graph)) << text;
  }
}

SignalFlowGraph feedback() {
  return read_dot(R"dot(digraph "unity feedback" {
    input="R"; output="C"; parameters="K=10, T=0.5"; expect="K/(T*s^2 + s + K)";
    R -> e; e -> C [gain="K/(s*(1+T*s))"]; C -> e [gain=-1, color=red]; C -> f [nonlinear="k3*u^3"];
  })dot",
                  "feedback.dot");
}

TEST(WriteDot, LooksAsAPersonWouldWriteIt) {
  EXPECT_EQ(written(feedback(), write_dot), R"dot(digraph "unity feedback" {
  input="R";
  output="C";
  variable="s";
  parameters="K=10, T=1/2";
  expect="K/(T*s^2 + s + K)";
  R -> e [gain="1"];
  e -> C [gain="K/(s*(T*s + 1))"];
  C -> e [gain="-1", color="red"];
  C -> f [nonlinear="k3*u^3"];
}
)dot");
}

TEST(WriteDot, ListsTheNodesWhenTheBranchesDoNotTellTheirOrder) {
  SignalFlowGraph graph;
  const NodeId b = graph.node("b"), a = graph.node("a");
  graph.add_branch(a, b, 1);
  EXPECT_EQ(written(graph, write_dot), "digraph {\n  variable=\"s\";\n  b;\n  a;\n  a -> b [gain=\"1\"];\n}\n");
}

TEST(WriteGraphml, WeightsThatAreNoGainsAreKept) {
  const SignalFlowGraph graph = read_dot("digraph { R -> C [gain=2, weight=3]; C -> D [gain=K]; }", "graph.dot");
  const std::string text = written(graph, [](std::ostream& out, const SignalFlowGraph& g) { write_graphml(out, g); });
  const SignalFlowGraph again = read_graphml(text, "graph.graphml");
  EXPECT_EQ(test::description(again), test::description(graph)) << text;
}

TEST(WriteDot, ReplacesWhatADotFileCannotHold) {
  SignalFlowGraph graph;
  graph.node(std::string("a\0b\xFF", 4));
  EXPECT_NE(written(graph, write_dot)
                .find("\"a\xEF\xBF\xBD"
                      "b\xEF\xBF\xBD\""),
            std::string::npos);
}

TEST(WriteJson, HasTheFieldsOfTheSchema) {
  EXPECT_EQ(written(feedback(), write_json), R"json({
  "schema": "sfg/graph/1",
  "title": "unity feedback",
  "variable": "s",
  "inputs": ["R"],
  "outputs": ["C"],
  "nodes": [
    {"name": "R"},
    {"name": "e"},
    {"name": "C"},
    {"name": "f"}
  ],
  "branches": [
    {"from": "R", "to": "e", "gain": "1"},
    {"from": "e", "to": "C", "gain": "K/(s*(T*s + 1))"},
    {"from": "C", "to": "e", "gain": "-1", "attributes": {"color": "red"}},
    {"from": "C", "to": "f", "nonlinear": "k3*u^3"}
  ],
  "parameters": {
    "K": {"value": "10"},
    "T": {"value": "1/2"}
  },
  "attributes": {"expect": "K/(T*s^2 + s + K)"}
}
)json");
}

TEST(WriteGraphml, ReadsBackToTheSameGraph) {
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    const SignalFlowGraph graph = test::HostileGraph(seed)();
    const std::string text = written(graph, write_graphml);
    const std::string all = description(graph);
    if (all.find("\xEF\xBF\xBE") != all.npos || all.find("\xEF\xBF\xBF") != all.npos) continue;  // no characters of XML
    ASSERT_EQ(description(read_graphml(text, "x.graphml")), all) << text;
  }
}

TEST(WriteGraphml, EscapesMarkupAndKeepsEdgesApart) {
  SignalFlowGraph graph;
  const NodeId a = graph.node("a<b>&\"\n\x01"), b = graph.node("n0");
  graph.add_branch(a, b, GiNaC::ex(2));
  graph.add_branch(Branch{a, b, parse("K*s", graph.symbols), {}, {{"id", "x"}, {"label", "\xEF\xBF\xBF]]>"}}});
  const std::string text = written(graph, write_graphml);
  EXPECT_NE(text.find("<node id=\"n0_\"><data key=\"node_0\">a&lt;b&gt;&amp;&quot;&#10;</data>"), std::string::npos) << text;
  EXPECT_NE(
      text.find("<edge id=\"b1\" source=\"n0_\" target=\"n0\"><data key=\"edge_0\">2</data><data key=\"edge_2\">2</data></edge>"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("<data key=\"edge_0\">K*s</data>"), std::string::npos);
  EXPECT_NE(text.find("attr.name=\"id_\""), std::string::npos);
  EXPECT_NE(text.find(">]]&gt;<"), std::string::npos);
}

}  // namespace
}  // namespace sfg
