#include "sfg/read/yaml.hpp"

#include <gtest/gtest.h>

#include "expect.hpp"
#include "read/problems.hpp"

namespace sfg {
namespace {

std::string errors(const std::string& text) {
  return test::errors_of([&] { read_yaml(text, "g.yml"); });
}

/// The two-port of the introduction of PySFG, with its comments; V2 is a sink with a branch that leaves it.
constexpr const char* two_port = R"(# The `#` symbol starts a line of comment
sources:
    - Vin
sinks:
    - V2    # used directly
nodes:
    - V1
    - I1
    - I2

edges:
    Vin ~> V1: 1    # constants

    V1 ~> I1: y11   # symbols
    V2 ~> I1: y12
    V1 ~> I2: y21
    V2 ~> I2: y22

    I1 ~> V1: -Rin  # expressions
    I2 ~> V2: -RL
)";

TEST(Yaml, OfPysfg) {
  const SignalFlowGraph graph = read_yaml(two_port, "twoport.yml");
  ASSERT_EQ(graph.nodes().size(), 5U);
  ASSERT_EQ(graph.branches().size(), 7U);
  EXPECT_EQ(graph[graph.inputs.at(0)].name, "Vin");
  EXPECT_EQ(graph[graph.outputs.at(0)].name, "V2");
  EXPECT_EQ(print(graph.branches()[6].gain()), "-RL");
  EXPECT_EQ(to_string(graph.branches()[6].where), "twoport.yml:20:5");
}

TEST(Yaml, OtherForms) {
  for (const char* text :
       {"{sources: [a], sinks: [\xCF\x86], nodes: [], edges: {a ~> \xCF\x86: \"K/s\"}}", "edges:\n  - a ~> \xCF\x86: K/s\n",
        "\xEF\xBB\xBF---\r\nsources:\r\n  - a\r\nsinks:\r\n  - \xCF\x86\r\nnodes:\r\nedges:\r\n  'a ~> \xCF\x86': |\r\n    "
        "K/s\r\n"}) {
    const SignalFlowGraph graph = read_yaml(text, "g.yml");
    ASSERT_EQ(graph.branches().size(), 1U) << text;
    EXPECT_EQ(graph.nodes()[1].name, "\xCF\x86");
    EXPECT_EQ(print(graph.branches()[0].gain()), "K/s") << text;
  }
}

/// As in StrictYAML every scalar is text: a node may be called yes, null or 1.
TEST(Yaml, WordsAreNames) {
  const SignalFlowGraph graph =
      read_yaml("sources: [yes]\nsinks: [null]\nnodes: [1]\nedges:\n  yes ~> 1: 0.1\n  1 ~> null: 2**3\n", "g.yml");
  EXPECT_EQ(graph.nodes()[0].name, "yes");
  EXPECT_EXPRESSION(graph.branches()[0].gain(), GiNaC::numeric(1, 10));
  EXPECT_EXPRESSION(graph.branches()[1].gain(), GiNaC::ex(8));
}

TEST(Yaml, WhatIsWrongHasItsPlace) {
  EXPECT_EQ(errors(""), "1:1 the file is empty\n");
  EXPECT_EQ(errors("- a\n"), "1:1 the document is a list, and no mapping\n");
  EXPECT_EQ(errors("sources:\n  - a\n"), "1:1 there are no edges\n");
  EXPECT_EQ(errors("edges:\n  a -> b: 1\n"), "2:3 the edge 'a -> b' is not of the form u ~> v\n");
  EXPECT_EQ(errors("nodes: [a, b]\nedges:\n  \xCF\x86 ~> b: 1\n  a ~> c: K*(s\n"),
            "3:3 the node '\xCF\x86' is in none of the lists\n4:8 the node 'c' is in none of the lists\n");
  EXPECT_EQ(errors("edges:\n  a ~> b: K*(s\n"), "2:15 a ')' is missing\n");
  EXPECT_EQ(errors("edges:\n  a ~> b: \"\\u004b*(s\"\n").substr(0, 2), "2:");
  EXPECT_EQ(errors("edges:\n  a ~> b:\n"), "2:10 the gain is empty\n");
  EXPECT_EQ(errors("edges:\n  a ~> b: 1\n  a ~> b: 2\n"), "3:3 the key 'a ~> b' is there twice\n");
  EXPECT_EQ(errors("edge:\n  a ~> b: 1\n"), "1:1 the key 'edge' is not known\n");
  EXPECT_EQ(errors("modules:\n  - PD:\n").substr(0, 22), "1:1 a graph of modules");
  EXPECT_EQ(errors("edges: [\n  a ~> b: 1\n").substr(0, 15), "3:1 not YAML: w");
  EXPECT_EQ(errors("edges:\n\ta ~> b: 1\n").substr(0, 13), "2:1 not YAML:");
  EXPECT_EQ(errors("edges:\n  a ~> b: \xFF\n").substr(0, 4), "2:11");
}

/// Nothing grows, and nothing is called.
TEST(Yaml, NoAnchorsNoTags) {
  EXPECT_EQ(errors("a: &a [x, x]\nb: [*a, *a]\n"), "1:4 an anchor (&)\n");
  EXPECT_EQ(errors("b: [*a, *a]\n"), "1:5 an alias (*)\n");
  EXPECT_EQ(errors("edges: !!python/object/apply:os.system [ls]\n"), "1:8 a tag (!)\n");
  EXPECT_EQ(errors("edges:\n  a ~> b: 1\n---\nedges:\n"), "3:1 a second document in the file\n");
  EXPECT_NE(errors(std::string(100'000, '[')).find("nested more than 64 deep"), std::string::npos);
  EXPECT_NE(errors("edges: " + std::string(100'000, '{')).find("1:"), std::string::npos);
}

TEST(Yaml, AHundredThousandEdges) {
  std::string text = "edges:\n";
  for (int i = 0; i < 100'000; ++i) text += "  x" + std::to_string(i) + " ~> x" + std::to_string(i + 1) + ": k\n";
  EXPECT_EQ(read_yaml(text, "g.yml").branches().size(), 100'000U);
}

}  // namespace
}  // namespace sfg
